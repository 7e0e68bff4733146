import { describe, expect, it } from "vitest";
import { SELF_TEST_KINDS } from "#src/ui/setup/self-test-kinds.ts";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();

/** Text that only a stack, a path or React's development build contains. */
const LEAKS = [
  /self-test: /,
  /\n\s+at \S/,
  /worker\.js|file:\/\/|node_modules|\.tsx?\b/,
  /data-(msg|stck|cstck)=/,
  /x{100}/,
];

describe("the failure pages of a deployment", () => {
  it.each(SELF_TEST_KINDS)("show no message, no stack and no path: $kind", async ({ kind }) => {
    for (const form of ["", "?streaming=off"]) {
      const response = await fetch(`${product.url}/self-test/${kind}${form}`);
      const texts = [await response.text(), ...response.headers.values()].join("\n");
      for (const leak of LEAKS) expect(texts.match(leak)?.[0], `${kind}${form}`).toBeUndefined();
    }
  });

  it("show no stack for a URL that cannot be served", async () => {
    for (const path of ["/d/%E0%A4%A", "/lookup?q=%00", "/self-test/%2e%2e", "/e/%F0%9F%92%A5"]) {
      const response = await fetch(`${product.url}${path}`);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toMatch(/\n\s+at \S/);
    }
  });
});
