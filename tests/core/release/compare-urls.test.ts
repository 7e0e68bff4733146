// The URL of a comparison, for names that senders chose.

import fc from "fast-check";
import { expect, it } from "vitest";
import { parseCompareRange, toCompareUrl } from "#src/ui/urls/release-urls.ts";

const readNames = (url: string) => {
  const { pathname, searchParams } = new URL(url, "https://errata.example");
  const [, range] = /^\/releases\/compare\/(.+)$/.exec(pathname) ?? [];
  return range === undefined
    ? { base: searchParams.get("base"), release: searchParams.get("release") }
    : parseCompareRange(decodeURIComponent(range));
};

it.each([
  ["2.3.0", "2.4.0", "/releases/compare/2.3.0...2.4.0"],
  ["shop@2.3.0", "shop@2.4.0", "/releases/compare/shop%402.3.0...shop%402.4.0"],
  ["a/b 1", "c?d#e", "/releases/compare/a%2Fb%201...c%3Fd%23e"],
  ["1...2", "3", "/releases/compare?base=1...2&release=3"],
  ["1.", "2", "/releases/compare?base=1.&release=2"],
  ["1", "2.json", "/releases/compare?base=1&release=2.json"],
])("of %s and %s is %s", (base, release, url) => {
  expect(toCompareUrl(base, release)).toBe(url);
  expect(readNames(url)).toEqual({ base, release });
});

it("leads back to the same names, whatever they are", () => {
  const name = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" });
  fc.assert(
    fc.property(name, name, (base, release) => {
      expect(readNames(toCompareUrl(base, release))).toEqual({ base, release });
    }),
  );
});
