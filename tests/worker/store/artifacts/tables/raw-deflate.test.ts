import { describe, expect, it } from "vitest";
import { rawDeflate } from "#src/store/artifacts/tables/raw-deflate.ts";

const KB = 1024;
/** Around the sizes at which workerd grows its buffer. */
const SIZES = [
  0,
  1,
  16 * KB - 1,
  16 * KB,
  16 * KB + 1,
  32 * KB,
  48 * KB + 1,
  53_849,
  64 * KB - 1,
  64 * KB,
  64 * KB + 1,
  100_000,
  112 * KB + 1,
  240 * KB + 1,
  1_000_000,
];

/** Letters that compress to about half. */
const makeText = (size: number) =>
  Uint8Array.from({ length: size }, (_, at) => 97 + (((at * 7_919) >> 3) % 20));

describe("the codec of the object", () => {
  it.each(SIZES)("inflates %d bytes with exactly this limit, and not with less", (size) => {
    const bytes = makeText(size);
    const deflated = rawDeflate.deflate(bytes);
    const inflated = rawDeflate.inflate(deflated, size);
    expect(inflated?.length).toBe(size);
    expect(inflated?.at(-1)).toBe(bytes.at(-1));
    if (size > 0) expect(rawDeflate.inflate(deflated, size - 1)).toBeNull();
  });

  it("returns null for bytes that are not a deflate stream", () => {
    expect(rawDeflate.inflate(new Uint8Array([1, 2, 3, 4]), 100)).toBeNull();
  });
});
