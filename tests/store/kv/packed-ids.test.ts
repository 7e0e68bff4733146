import { describe, expect, it } from "vitest";
import {
  NO_ID,
  packIds,
  packIdsAtLines,
  unpackIds,
  unpackIdsAtLines,
} from "#src/store/kv/packed-ids.ts";

const [A, B] = ["a".repeat(32), "0123456789abcdef".repeat(2)];

describe("packed ids", () => {
  it("unpack to the same ids in the same order", () => {
    expect(unpackIds(packIds([A, B, NO_ID, A]))).toEqual([A, B, NO_ID, A]);
    const idsAtLines = [
      { id: B, line: 70_000 },
      { id: A, line: 0 },
    ];
    expect([...unpackIdsAtLines(packIdsAtLines(idsAtLines))]).toEqual(idsAtLines);
  });

  it("take 16 bytes each", () => {
    expect(packIds([]).byteLength).toBe(0);
    expect(packIds([A, B]).byteLength).toBe(32);
  });

  it.each(["", "ab", "zz".repeat(16), "A".repeat(32), `${A}ab`])(
    "have NO_ID for %j, and the ids next to it are unchanged",
    (none) => {
      expect(unpackIds(packIds([A, none, B]))).toEqual([A, NO_ID, B]);
    },
  );
});
