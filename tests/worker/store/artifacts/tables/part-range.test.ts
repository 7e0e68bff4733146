import { describe, expect, it } from "vitest";
import { openParts } from "#src/store/artifacts/tables/part-range.ts";

const SIZES = [10, 10, 10, 10, 10, 7];
const whole = Uint8Array.from({ length: 57 }, (_, at) => at);

function openNumbers(reads: number[] = []) {
  return openParts(
    SIZES,
    (at) => {
      reads.push(at);
      return whole.slice(at * 10, at * 10 + 10);
    },
    20,
  );
}

const PLACES = [
  [0, 10],
  [3, 4],
  [5, 20],
  [0, 57],
  [50, 100],
  [57, 5],
] as const;

describe.each(["range", "pass"])("a %s of parts", (kind) => {
  const open = (reads?: number[]) => {
    const range = openNumbers(reads);
    return kind === "pass" ? (range.openPass?.() ?? expect.fail("no pass")) : range;
  };

  it.each(PLACES)("has the bytes from %d, at most %d of them", (offset, count) => {
    const range = open();
    for (let again = 0; again < 2; again++)
      expect([...range.read(offset, count)]).toEqual([...whole.subarray(offset, offset + count)]);
  });

  it("reads a part once for windows in it", () => {
    const reads: number[] = [];
    const range = open(reads);
    for (let at = 0; at < 57; at += 5) range.read(at, 5);
    expect(reads).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("a pass", () => {
  it("keeps the bytes of a window until enough bytes of other parts were read", () => {
    const range = openNumbers().openPass?.() ?? expect.fail("no pass");
    for (let at = 10; at + 10 <= 57; at += 10) {
      const window = range.read(at, 10);
      range.read(at - 6, 12);
      expect([...window]).toEqual([...whole.subarray(at, at + 10)]);
    }
  });

  it("frees what was read before", () => {
    const range = openNumbers().openPass?.() ?? expect.fail("no pass");
    const window = range.read(0, 10);
    for (let at = 10; at < 57; at += 10) range.read(at, 10);
    expect(window).toHaveLength(0);
  });

  it("starts again at the beginning", () => {
    const range = openNumbers().openPass?.() ?? expect.fail("no pass");
    for (let pass = 0; pass < 2; pass++) {
      const bytes: number[] = [];
      for (let at = 0; at < 57; at += 8) bytes.push(...range.read(at, Math.min(8, 57 - at)));
      expect(bytes).toEqual([...whole]);
    }
  });
});
