import { describe, expect, it } from "vitest";
import {
  type ComparedKey,
  createValueTest,
  isInRange,
  listFilterValues,
  parseRange,
} from "#src/core/issue/query-values.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-28T15:34:00Z");

describe("the values of a filter", () => {
  it.each<[string, readonly string[]]>([
    ["a", ["a"]],
    ["a,b", ["a", "b"]],
    ['a,"b, c"', ["a", "b, c"]],
    ['"a ""b""",c', ['a "b"', "c"]],
    [",a,,", ["a"]],
    [",", []],
    ["a b,c", ["a b", "c"]],
  ])("%s are separated by commas outside of quotes", (value, texts) => {
    expect(listFilterValues({ value, isExact: false }).map(({ text }) => text)).toEqual(texts);
  });

  it.each<[value: string, matched: readonly string[], others: readonly string[]]>([
    ["prod", ["prod", "Production", "preprod"], ["pro"]],
    ["shop@*", ["shop@2", "Shop@1.0", "shop@"], ["web-shop@2", "shop"]],
    ["*@2", ["shop@2", "@2"], ["shop@2.1"]],
    ["*", ["", "x"], []],
    ["a*b*c", ["abc", "a-b-c", "aXbXbXc"], ["acb", "ab", "abcd"]],
    ["a*a", ["aa", "aXa"], ["a"]],
    ["/checkout*,/cart", ["/checkout/1", "/x/cart/y"], ["/shop/checkout"]],
    ['"prod",qa', ["prod", "qa-2"], ["production"]],
    ["[a]?*", ["[a]?x"], ["ax"]],
    ['"*"', ["*"], ["x"]],
  ])("%s match", (value, matched, others) => {
    const isValue = createValueTest({ value, isExact: false });
    expect(matched.filter((one) => !isValue(one))).toEqual([]);
    expect(others.filter(isValue)).toEqual([]);
  });

  it("with many stars take linear time: a pattern of steps back would not end", () => {
    const isValue = createValueTest({ value: `${"a*".repeat(200)}b`, isExact: false });
    expect(isValue("a".repeat(100_000))).toBe(false);
  });
});

describe("a compared value", () => {
  it.each<[ComparedKey, string, readonly number[], readonly number[]]>([
    ["users", ">10", [11, 500], [10, 0]],
    ["users", ">=10", [10, 11], [9]],
    ["users", "≥10", [10, 11], [9]],
    ["count", "<100", [0, 99], [100]],
    ["count", "<=100", [100], [101]],
    ["count", "5", [5], [4, 6]],
    ["count", "=5", [5], [4, 6]],
    ["last", "<1h", [NOW, NOW - HOUR], [NOW - HOUR - 1]],
    ["last", "1h", [NOW - HOUR], [NOW - HOUR - 1]],
    ["last", ">7d", [NOW - 8 * 24 * HOUR], [NOW - 6 * 24 * HOUR]],
    ["last", "<30min", [NOW - HOUR / 2], [NOW - HOUR]],
    ["first", ">2w", [NOW - 15 * 24 * HOUR], [NOW - 13 * 24 * HOUR]],
    ["first", ">2026-11-20", [Date.UTC(2026, 10, 21)], [Date.UTC(2026, 10, 20, 23, 59)]],
    ["first", ">=2026-11-20", [Date.UTC(2026, 10, 20)], [Date.UTC(2026, 10, 19, 23, 59)]],
    ["first", "2026-11-20", [Date.UTC(2026, 10, 20, 12)], [Date.UTC(2026, 10, 21)]],
    ["first", "<2026-11-20", [Date.UTC(2026, 10, 19)], [Date.UTC(2026, 10, 20)]],
    ["first", ">2026-11-28T15:22", [NOW], [Date.UTC(2026, 10, 28, 15, 22, 30)]],
    ["first", ">=2026-11-28T15:22Z", [Date.UTC(2026, 10, 28, 15, 22)], [NOW - HOUR]],
  ])("%s:%s is a range", (key, value, inside, outside) => {
    const range = parseRange(key, value, NOW);
    if (range === undefined) throw new Error("no range");
    expect(inside.filter((one) => !isInRange(range, one))).toEqual([]);
    expect(outside.filter((one) => isInRange(range, one))).toEqual([]);
  });

  it.each<[ComparedKey, string]>([
    ["users", "many"],
    ["users", ">"],
    ["users", ">1e3"],
    ["users", ">-1"],
    ["users", "<1h"],
    ["count", "1".repeat(13)],
    ["last", ">10"],
    ["last", "<1y"],
    ["first", ">2026-13-01"],
    ["first", ">2026-02-30"],
    ["first", ">2026-11-20T24:00"],
  ])("is none: %s:%s", (key, value) => {
    expect(parseRange(key, value, NOW)).toBeUndefined();
  });
});
