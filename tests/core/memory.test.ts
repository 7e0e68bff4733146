import { describe, expect, it } from "vitest";
import { Memory } from "../../src/core/memory.ts";

describe("a memory", () => {
  it("keeps what a text came to", () => {
    const memory = new Memory<boolean>();
    memory.keep("a", false);
    memory.keep("", true);
    expect([memory.of("a"), memory.of(""), memory.of("b")]).toEqual([false, true, undefined]);
  });

  it("keeps no long texts", () => {
    const memory = new Memory<number>();
    memory.keep("x".repeat(500), 1);
    memory.keep("x".repeat(501), 2);
    expect([memory.of("x".repeat(500)), memory.of("x".repeat(501))]).toEqual([1, undefined]);
  });

  it("begins anew when it is full, whoever fills it", () => {
    const memory = new Memory<number>();
    for (let n = 0; n < 1_000; n++) memory.keep(String(n), n);
    expect([memory.of("0"), memory.of("999")]).toEqual([0, 999]);
    memory.keep("1000", 1_000);
    expect([memory.of("0"), memory.of("999"), memory.of("1000")]).toEqual([
      undefined,
      undefined,
      1_000,
    ]);
  });
});
