import { describe, expect, it } from "vitest";
import { SELF_TEST_KINDS } from "../../src/ui/setup/self-test-kinds.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

/** Text that only a stack, a path or React's development build contains. */
const LEAKS = [
  /self-test: /,
  /\n\s+at \S/,
  /worker\.js|file:\/\/|node_modules|\.tsx?\b/,
  /data-(msg|stck|cstck)=/,
  /x{100}/,
];

describe("what is deployed gives nothing away", () => {
  it.each(SELF_TEST_KINDS)(
    "the page of $kind has no message, no stack and no path",
    async ({ kind }) => {
      for (const form of ["", "?streaming=off"]) {
        const response = await fetch(`${product.url}/self-test/${kind}${form}`);
        const told = [await response.text(), ...response.headers.values()].join("\n");
        for (const leak of LEAKS) expect(told.match(leak)?.[0], `${kind}${form}`).toBeUndefined();
      }
    },
  );

  it("an address that cannot be served is no stack either", async () => {
    for (const path of ["/d/%E0%A4%A", "/lookup?q=%00", "/self-test/%2e%2e", "/e/%F0%9F%92%A5"]) {
      const response = await fetch(`${product.url}${path}`);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toMatch(/\n\s+at \S/);
    }
  });
});
