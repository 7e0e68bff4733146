import { describe, expect, it } from "vitest";
import {
  NO_ID,
  packIds,
  packIdsAtLines,
  unpackIds,
  unpackIdsAtLines,
} from "../../src/store/kv/packed-ids.ts";

const [A, B] = ["a".repeat(32), "0123456789abcdef".repeat(2)];

describe("ids that are packed", () => {
  it("are the same when they are unpacked, in their order", () => {
    expect(unpackIds(packIds([A, B, NO_ID, A]))).toEqual([A, B, NO_ID, A]);
    const placed = [
      { id: B, line: 70_000 },
      { id: A, line: 0 },
    ];
    expect([...unpackIdsAtLines(packIdsAtLines(placed))]).toEqual(placed);
  });

  it("take 16 bytes each, and none of anything else", () => {
    expect(packIds([]).byteLength).toBe(0);
    expect(packIds([A, B]).byteLength).toBe(32);
  });

  it.each(["", "ab", "zz".repeat(16), "A".repeat(32), `${A}ab`])(
    "do not lose their neighbours by what is none: %j",
    (none) => {
      expect(unpackIds(packIds([A, none, B]))).toEqual([A, NO_ID, B]);
    },
  );
});
