import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { fail } from "../../src/core/result.ts";
import { readConfig } from "../../src/env.ts";
import { bindings } from "../support/store.ts";

describe("a configuration that is wrong", () => {
  const wrong = { ...bindings, ERRATA_KEY: "s3cret!", ERRATA_RENDER_DEADLINE_MS: "soon" };

  it("is told whole and at once, and no value is echoed", () => {
    const config = readConfig(wrong);
    const problems = config.ok ? [] : config.problems;
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "ERRATA_KEY",
      "ERRATA_RENDER_DEADLINE_MS",
    ]);
    expect(problems.join(" ")).not.toMatch(/s3cret|soon/);
  });

  it("is a 503 at every address, with the headers of every response", async () => {
    const app = createApp(() => fail({ reason: "bad-config", problems: ["ERRATA_KEY is wrong."] }));
    const response = await app.fetch(
      new Request("http://localhost/"),
      bindings,
      createExecutionContext(),
    );
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ reason: "bad-config" });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
