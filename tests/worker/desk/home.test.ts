import { afterEach, expect, it } from "vitest";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { log } from "../../support/store.ts";

afterEach(() => fresh());

/** After the clock of the index, so that the issue is new. */
const LATER_MS = Date.UTC(2106, 0, 1);

it("the home page counts the public reports of a new issue once, like the issue list", async () => {
  const times = { occurredAtMs: LATER_MS, receivedAtMs: LATER_MS };
  await log.append([1, 2, 3].map((n) => aReport(n, { ...times, trust: "public" })));
  const { body } = await visit("/?streaming=off", { headers: { accept: "text/html" } });
  const text = body.replace(/<!--.*?-->/g, "");
  expect(text).toContain("Errors in 24 hours");
  expect(/(\d+) times?, <time/.exec(text)?.[1]).toBe("3");
});
