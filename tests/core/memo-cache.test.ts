import { describe, expect, it } from "vitest";
import { MemoCache } from "#src/core/memo-cache.ts";

describe("MemoCache", () => {
  it("returns the cached result of a key", () => {
    const cache = new MemoCache<boolean>();
    cache.set("a", false);
    cache.set("", true);
    expect([cache.get("a"), cache.get(""), cache.get("b")]).toEqual([false, true, undefined]);
  });

  it("does not cache long keys", () => {
    const cache = new MemoCache<number>();
    cache.set("x".repeat(500), 1);
    cache.set("x".repeat(501), 2);
    expect([cache.get("x".repeat(500)), cache.get("x".repeat(501))]).toEqual([1, undefined]);
  });

  it("is cleared when it is full", () => {
    const cache = new MemoCache<number>();
    for (let n = 0; n < 1_000; n++) cache.set(String(n), n);
    expect([cache.get("0"), cache.get("999")]).toEqual([0, 999]);
    cache.set("1000", 1_000);
    expect([cache.get("0"), cache.get("999"), cache.get("1000")]).toEqual([
      undefined,
      undefined,
      1_000,
    ]);
  });
});
