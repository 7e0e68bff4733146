import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCursor, parseCursor } from "#src/core/issue/issue-list-page.ts";
import {
  formatFilter,
  formatIssueQuery,
  IS_VALUES,
  type IssueFilter,
  type IssueQuery,
  isExpressible,
  parseIssueQuery,
  parseSort,
  removeInvisible,
} from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";

const EVERYTHING: IssueQuery = {
  states: [],
  isRegressed: false,
  isNew: false,
  isUnassigned: false,
  isAssigned: false,
  isFolded: false,
  isNoise: false,
  filters: [],
  text: "",
  excluded: [],
  leftOut: [],
  sort: "last",
};

const filter = (over: Partial<IssueFilter>): IssueFilter => ({
  key: "release",
  value: "1.4",
  isExact: false,
  isNegated: false,
  ...over,
});

describe("parseIssueQuery", () => {
  it.each<[string, Partial<IssueQuery>]>([
    ["", {}],
    ["   ", {}],
    ["is:open", { states: ["open"] }],
    ["IS:Open is:open is:archived", { states: ["open", "archived"] }],
    ["is:regressed is:new", { isRegressed: true, isNew: true }],
    ["is:unassigned is:noise", { isUnassigned: true, isNoise: true }],
    ["release:1.4", { filters: [filter({})] }],
    ['release:"1.4"', { filters: [filter({ isExact: true })] }],
    ['release:"1.4', { filters: [filter({ isExact: true })] }],
    ['-release:"a b"', { filters: [filter({ isExact: true, isNegated: true, value: "a b" })] }],
    ['release:"say ""no"""', { filters: [filter({ isExact: true, value: 'say "no"' })] }],
    ['release:say"no"', { filters: [filter({ value: 'say"no"' })] }],
    ["environment:x", { filters: [filter({ key: "env", value: "x" })] }],
    ["Page:/cart", { filters: [filter({ key: "url", value: "/cart" })] }],
    [
      "url:https://shop.example/cart",
      { filters: [filter({ key: "url", value: "https://shop.example/cart" })] },
    ],
    ["url://cart", { filters: [filter({ key: "url", value: "//cart" })] }],
    ["plan:pro", { filters: [filter({ key: "tag.plan", value: "pro" })] }],
    ["Plan:pro", { filters: [filter({ key: "tag.Plan", value: "pro" })] }],
    ["tag.plan:pro", { filters: [filter({ key: "tag.plan", value: "pro" })] }],
    ["tag.release:pro", { filters: [filter({ key: "tag.release", value: "pro" })] }],
    ["constructor:x", { filters: [filter({ key: "tag.constructor", value: "x" })] }],
    ["cannot  read", { text: "cannot read" }],
    ['"is:open"', { text: "is:open" }],
    ['"cart" "OR"', { text: "cart OR" }],
    ['"no  price" of "cart', { text: '"no price" of cart' }],
    ['File "/srv/a.py", line 3', { text: 'File "/srv/a.py", line 3' }],
    ["C:\\Program Files (x86)\\a.dat", { text: "C:\\Program Files (x86)\\a.dat" }],
    ["c:/cart D:\\a.cs", { text: "c:/cart D:\\a.cs" }],
    ["a:b", { filters: [filter({ key: "tag.a", value: "b" })] }],
    ["Cart.cs:Zeile 41", { text: "Cart.cs:Zeile 41" }],
    ["user.role:admin", { filters: [filter({ key: "tag.user.role", value: "admin" })] }],
    ["cart.rb:22:in `total'", { text: "cart.rb:22:in `total'" }],
    ["stock-api:3099/health", { text: "stock-api:3099/health" }],
    ["ratio:16/9", { filters: [filter({ key: "tag.ratio", value: "16/9" })] }],
    ["status:404", { filters: [filter({ key: "tag.status", value: "404" })] }],
    ["TypeError: x is undefined", { text: "TypeError: x is undefined" }],
    ["https://shop.example/a", { text: "https://shop.example/a" }],
    ["is:lost", { leftOut: ["is:lost"] }],
    ["-is:open", { states: ["snoozed", "resolved", "archived"] }],
    ["-IS:archived -is:open", { states: ["snoozed", "resolved"] }],
    ["is:open is:archived -is:open", { states: ["archived"] }],
    // The former names, in saved views and links.
    ["is:ignored", { states: ["snoozed", "archived"] }],
    ["is:muted", { states: ["archived"] }],
    ["-is:ignored", { states: ["open", "resolved"] }],
    ["-is:muted", { states: ["open", "snoozed", "resolved"] }],
    ["is:open -is:open", { states: ["open"] }],
    ["-is:regressed", { leftOut: ["-is:regressed"] }],
    ['-"payment failed" -cart', { excluded: ["payment failed", "cart"] }],
    ["-1 --flag - -", { text: "-1 --flag - -" }],
    ["-https://a.example -Cart::total", { excluded: ["https://a.example", "Cart::total"] }],
    ["is:assigned", { isAssigned: true }],
    ["-is:assigned", { isUnassigned: true }],
    ["-is:unassigned", { isAssigned: true }],
    ["env:a,b", { filters: [filter({ key: "env", value: "a,b" })] }],
    ['env:"a b",c x', { filters: [filter({ key: "env", value: '"a b",c' })], text: "x" }],
    ['env:a,"b c" x', { filters: [filter({ key: "env", value: 'a,"b c"' })], text: "x" }],
    ['env:a,"b c', { filters: [filter({ key: "env", value: 'a,"b c"' })] }],
    ['env:"a"b', { filters: [filter({ key: "env", value: "a", isExact: true })], text: "b" }],
    ["release:shop@*", { filters: [filter({ value: "shop@*" })] }],
    ["assigned:me", { filters: [filter({ key: "assigned", value: "me" })] }],
    ["people:>10", { filters: [filter({ key: "users", value: ">10" })] }],
    ["last:<1h", { filters: [filter({ key: "last", value: "<1h" })] }],
    ["tag.count:x", { filters: [filter({ key: "tag.count", value: "x" })] }],
    ["users:many count:>x", { leftOut: ["users:many", "count:>x"] }],
    ["a OR b", { text: "a b", leftOut: ["OR"] }],
    ["(a OR b)", { text: "(a b)", leftOut: ["OR"] }],
    ["NOT NULL constraint", { text: "NOT NULL constraint" }],
    [
      "env:a or env:b",
      {
        filters: [filter({ key: "env", value: "a" }), filter({ key: "env", value: "b" })],
        leftOut: ["OR"],
      },
    ],
    ["is:open AND (env:a", { states: ["open"], leftOut: ["AND", "(env:a"] }],
    ["env:b)", { leftOut: ["env:b)"] }],
    ["url:/cart/(id)", { filters: [filter({ key: "url", value: "/cart/(id)" })] }],
    ["release:", { leftOut: ["release:"] }],
    ["-env:, is:", { leftOut: ["-env:,", "is:"] }],
    ["TypeError:", { text: "TypeError:" }],
    ['release:""', { leftOut: ['release:""'] }],
    [
      'is:open browser:firefox no "price here"',
      {
        states: ["open"],
        filters: [filter({ key: "browser", value: "firefox" })],
        text: 'no "price here"',
      },
    ],
  ])("parses %s", (text, read) => {
    expect(parseIssueQuery(text)).toEqual({ ...EVERYTHING, ...read });
  });

  it.each(["\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066"])(
    "ignores what is not seen in copied names: %j",
    (mark) => {
      expect(parseIssueQuery(`rel${mark}ease:api@${mark}2.1.0 pay.${mark}ts`)).toEqual(
        parseIssueQuery("release:api@2.1.0 pay.ts"),
      );
    },
  );

  it("keeps the joiners that letters of other scripts need", () => {
    expect(parseIssueQuery("می\u200cخواهم").text).toBe("می\u200cخواهم");
  });

  it("limits the number of filters and of characters", () => {
    const many = "a:b ".repeat(limits.maxIssueFilters + 5);
    expect(parseIssueQuery(many).filters).toHaveLength(limits.maxIssueFilters);
    const long = parseIssueQuery("x".repeat(limits.maxIssueQueryChars * 2));
    expect(long.text.length).toBeLessThanOrEqual(limits.maxIssueQueryChars);
  });

  it.each(["is:open", "is:archived is:new", 'release:"1.4" cart', "-plan:pro"])(
    "formats back to the same text: %s",
    (text) => {
      expect(formatIssueQuery(parseIssueQuery(text))).toBe(text);
    },
  );

  const piece = fc.oneof(
    fc.constantFrom(...IS_VALUES.map((word) => `is:${word}`), 'release:"1.4', '"', '""', "-", ":"),
    fc.constantFrom("OR", "or", "AND", "NOT", "(env:a", "env:b)", 'env:a,"b c"', "users:>1", "-x"),
    fc.constantFrom("tag.:x", "tag.tag.a:b", "is:", "https://a:1", "constructor:a", "a\u00a0b"),
    fc.string({ maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  );
  const written = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(" "));

  it("parses what formatIssueQuery returns to the same query, for any text", () => {
    fc.assert(
      fc.property(written, (text) => {
        const query = parseIssueQuery(text);
        expect(parseIssueQuery(formatIssueQuery(query))).toEqual(query);
      }),
      { numRuns: 2_000 },
    );
  });

  it("parses a formatted filter to the same filter, whatever its value", () => {
    const key = fc.oneof(
      fc.constantFrom("release", "env", "browser", "url", "kind", "type", "assigned"),
      fc.stringMatching(/^[\w.-]{1,9}$/).map((name) => `tag.${name}`),
    ) as fc.Arbitrary<IssueFilter["key"]>;
    const value = fc
      .string({ minLength: 1, unit: "binary", maxLength: 40 })
      .filter((text) => removeInvisible(text) === text);
    fc.assert(
      fc.property(key, value, fc.boolean(), (key, value, isNegated) => {
        const one: IssueFilter = { key, value, isExact: true, isNegated };
        expect(isExpressible(key)).toBe(true);
        expect(parseIssueQuery(formatFilter(one)).filters).toEqual([one]);
      }),
    );
  });

  it.each(["tag.", "tag.a b", "tag.ü", 'tag."'] as const)("cannot express the tag %s", (key) => {
    expect(isExpressible(key)).toBe(false);
  });
});

describe("a cursor", () => {
  it("survives a URL", () => {
    const cursor = fc.record({
      sortValue: fc.integer({ min: 0, max: 8.64e15 }),
      digest: fc.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
      isBackward: fc.boolean(),
    });
    fc.assert(
      fc.property(cursor, (one) => {
        expect(parseCursor(formatCursor(one))).toEqual(one);
      }),
    );
  });

  it.each([undefined, "", "1", "x.7F3K-Q2M9", "1.7f3k-q2m9", "1.7F3K-Q2M9 ", "2.1.7F3K-Q2M9"])(
    "is none: %s",
    (text) => {
      expect(parseCursor(text)).toBeUndefined();
    },
  );
});

describe("parseSort", () => {
  it.each([
    ["last", "last"],
    ["users", "users"],
    [undefined, "last"],
    ["constructor", "last"],
  ])("parses %s as %s", (text, sort) => {
    expect(parseSort(text)).toBe(sort);
  });
});
