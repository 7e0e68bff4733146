import fc from "fast-check";
import { expect, it } from "vitest";
import { hashId, type IdKey } from "#src/store/log/catalog/id-key.ts";
import {
  findEntries,
  mergeEntries,
  packEntries,
  readKeys,
  splitIntoSlices,
  toSlice,
} from "#src/store/log/catalog/packed-entries.ts";

const MAX = 3;
const key = (n: number): IdKey => hashId(n.toString(16).padStart(32, "0"));
const entries = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 20 }),
    chunk: fc.integer({ min: 0, max: 0xffffff }),
    line: fc.integer({ min: 0, max: 0xffffff }),
  }),
  { maxLength: 60 },
);

it("merged entries lead to the newest lines of each id, in slices of any number", () => {
  fc.assert(
    fc.property(entries, entries, fc.integer({ min: 0, max: 7 }), (a, b, bits) => {
      const pack = (some: typeof a) =>
        packEntries(
          some.map(({ id, ...target }) => ({ key: key(id), ...target })),
          MAX,
        );
      const slices = splitIntoSlices(mergeEntries(pack(a), pack(b), MAX), bits);
      for (let id = 0; id <= 20; id++) {
        const expected = [...a, ...b]
          .filter((it) => it.id === id)
          .map(({ chunk, line }) => ({ chunk, line }))
          .sort((one, other) => other.chunk - one.chunk || other.line - one.line)
          .slice(0, MAX);
        const slice = slices.get(toSlice(key(id), bits)) ?? new Uint8Array();
        expect(findEntries(slice, key(id))).toEqual(expected);
      }
    }),
  );
});

it("keys of ids that differ in any single digit differ, and are spread over all slices", () => {
  const ids = Array.from({ length: 32 }, (_, at) =>
    Array.from("0123456789abcdef", (digit) => `${"7".repeat(at)}${digit}${"7".repeat(31 - at)}`),
  ).flat();
  const keys = new Set([...new Set(ids)].map((id) => JSON.stringify(hashId(id))));
  expect(keys.size).toBe(new Set(ids).size);
  const packed = packEntries(
    Array.from({ length: 10_000 }, (_, n) => ({ key: key(n), chunk: n, line: 0 })),
    MAX,
  );
  const sizes = [...splitIntoSlices(packed, 3).values()].map(
    (slice) => [...readKeys(slice)].length,
  );
  expect(sizes).toHaveLength(8);
  for (const size of sizes) expect(size).toBeGreaterThan(1_100);
});

it("a trace has another key than a report with the same id", () => {
  expect(hashId("7".repeat(32), "trace")).not.toEqual(hashId("7".repeat(32)));
});
