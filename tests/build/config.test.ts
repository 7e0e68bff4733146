// What wrangler.toml must say, because a deployment without it would be open or lose data.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const config = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");

/** The keys before the first table, which hold for the whole Worker. */
const topLevel = config.slice(0, config.search(/^\[/m));

it("preview URLs are off: they would bypass Cloudflare Access on the custom domain", () => {
  expect(topLevel).toMatch(/^preview_urls = false$/m);
});
