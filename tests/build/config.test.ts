// Checks settings of wrangler.toml without which a deployment is open or loses data.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";

const config = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");

/** The keys before the first table, which apply to the whole Worker. */
const topLevel = config.slice(0, config.search(/^\[/m));

it("preview URLs are off: they would bypass Cloudflare Access on the custom domain", () => {
  expect(topLevel).toMatch(/^preview_urls = false$/m);
  // Otherwise a deployment deletes the variables of the dashboard, such as those of Access.
  expect(topLevel).toMatch(/^keep_vars = true$/m);
});

it("a page token counts for as many reports as the code takes from one upload", () => {
  const [, limit] =
    /name = "PAGE_TOKEN_LIMIT"\n.*\n.*limit = (\d+), period = 60/.exec(config) ?? [];
  expect(Number(limit)).toBe(limits.maxPageTokenReports);
});
