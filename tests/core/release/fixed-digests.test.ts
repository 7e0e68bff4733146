import fc from "fast-check";
import { expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { listFixedDigests } from "#src/core/release/fixed-digests.ts";

const A = "7F3K-Q2M9";
const [B, C] = [1, 2].map((n) => digestFromHash(new Uint8Array(32).fill(n)));

it.each([
  [`Show the total. Fixes ${A}`, [A]],
  [`fixes ${A.toLowerCase()}`, [A]],
  [`Fixed: ${A}`, [A]],
  [`Show the total\n\nResolves ERRATA ${A}\nCloses ${B}`, [A, B]],
  [`close errata-${A}`, [A]],
  ["Fixes errata 7F3KQ2M9.", [A]],
  [`Fixes https://errata.example/d/${A}`, [A]],
  [`Fixes https://errata.example/p/2/d/${A}.`, [A]],
  [`Fixes ${A}, ${B} and ${C}`, [A, B, C]],
  [`Fixes ${A}, ${B}, and ${C} & more`, [A, B, C]],
  [`Fixes #12, fixes ${A}`, [A]],
  [`Merge pull request #3 from ada/fix-cart\r\n\r\nFixes ${A}\r\n`, [A]],
  [`Fixes ${A} and fixes ${A}`, [A]],
])("%j fixes %j", (message, digests) => {
  expect(listFixedDigests(message)).toEqual(digests);
});

it.each([
  // A wrong check character.
  "Fixes 7F3K-Q2M8",
  `See ${A}`,
  `This prefixes ${A}`,
  `Fixes the cart of ${A}`,
  // Eight letters are a word without a mark.
  "Fixes 7F3KQ2M9",
  `Fixes ${A}-1234`,
  `Fixes\n${A}`,
  `Revert "Fix the cart"\n\n${A}`,
  "",
])("%j fixes nothing", (message) => {
  expect(listFixedDigests(message)).toEqual([]);
});

it("reads any message", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(listFixedDigests(`${text}\nFixes ${A}\n`)).toContain(A);
    }),
  );
});

it("reads a long message in linear time", () => {
  const startMs = performance.now();
  listFixedDigests(`fixes ${"errata - ".repeat(20_000)}${"fixes ".repeat(20_000)}`);
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
