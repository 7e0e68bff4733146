import { describe, expect, it } from "vitest";
import { countReceivedErrors, findMissingSide } from "#src/core/stats/received-errors.ts";

const count = (...name: string[]) => ({ day: "2026-11-21", name, count: 2 });

describe("the received errors", () => {
  it("are those of servers and of browsers, stored and sampled", () => {
    expect(
      countReceivedErrors([
        count("accepted", "error", "", "2026112117", "server"),
        count("counted", "error", "", "2026112118", "server"),
        count("accepted", "error", "", "2026112117", "public"),
        count("accepted", "error", "", "2026112117", "page"),
      ]),
    ).toEqual({ server: 4, browser: 4 });
  });

  it("are no noise, no other reports and nothing that was dropped", () => {
    expect(
      countReceivedErrors([
        count("accepted", "error", "extension", "2026112117", "public"),
        count("accepted", "csp", ""),
        count("dropped", "error", "over-count"),
        count("invalid", "error", "not-json"),
        count("duplicate", "error"),
      ]),
    ).toEqual({ server: 0, browser: 0 });
  });

  it.each([
    [{ server: 0, browser: 0 }, null],
    [{ server: 3, browser: 0 }, "browser"],
    [{ server: 0, browser: 3 }, "server"],
    [{ server: 3, browser: 3 }, null],
  ])("%o lack those of: %s", (received, missing) => {
    expect(findMissingSide(received)).toBe(missing);
  });
});
