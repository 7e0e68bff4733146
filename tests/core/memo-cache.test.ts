import { describe, expect, it } from "vitest";
import { MemoCache } from "../../src/core/memo-cache.ts";

describe("a memory", () => {
  it("keeps what a text came to", () => {
    const memory = new MemoCache<boolean>();
    memory.set("a", false);
    memory.set("", true);
    expect([memory.get("a"), memory.get(""), memory.get("b")]).toEqual([false, true, undefined]);
  });

  it("keeps no long texts", () => {
    const memory = new MemoCache<number>();
    memory.set("x".repeat(500), 1);
    memory.set("x".repeat(501), 2);
    expect([memory.get("x".repeat(500)), memory.get("x".repeat(501))]).toEqual([1, undefined]);
  });

  it("begins anew when it is full, whoever fills it", () => {
    const memory = new MemoCache<number>();
    for (let n = 0; n < 1_000; n++) memory.set(String(n), n);
    expect([memory.get("0"), memory.get("999")]).toEqual([0, 999]);
    memory.set("1000", 1_000);
    expect([memory.get("0"), memory.get("999"), memory.get("1000")]).toEqual([
      undefined,
      undefined,
      1_000,
    ]);
  });
});
