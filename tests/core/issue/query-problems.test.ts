import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FILTER_ALIASES,
  type FilterKey,
  formatIssueQuery,
  IS_VALUES,
  parseIssueQuery,
} from "#src/core/issue/issue-query.ts";
import { findQueryProblems, withoutLeftOut } from "#src/core/issue/query-problems.ts";

const listTags = (text: string): readonly FilterKey[] =>
  parseIssueQuery(text)
    .filters.map(({ key }) => key)
    .filter((key) => key.startsWith("tag."));

/** Each problem as part, a piece of its reason, and the suggested query. No issue has any tag. */
const explained = (text: string) =>
  findQueryProblems(parseIssueQuery(text, "count"), listTags(text)).map(
    ({ part, reason, suggestion }) => ({
      part,
      reason,
      query: suggestion && formatIssueQuery(suggestion.query),
    }),
  );

describe("what is not understood", () => {
  it.each<[query: string, part: string, reason: string, suggestion?: string]>([
    ["is:opne", "is:opne", "There is no is:opne, so it is left out.", "is:open"],
    ["is:nwe price", "is:nwe", "There is no is:nwe", "is:new price"],
    ["is:asigned", "is:asigned", "There is no is:asigned", "is:assigned"],
    ["is:unasigned", "is:unasigned", "There is no is:unasigned", "is:unassigned"],
    ["is:gone", "is:gone", "There is no is:gone, so it is left out."],
    ["-is:new", "-is:new", "is:new cannot be excluded"],
    ["usrs:>10", "usrs:>10", "There is no key usrs, so it is left out.", "users:>10"],
    ["borwser:firefox", "borwser:firefox", "There is no key borwser", "browser:firefox"],
    ['-enviroment:"a b" is:new', '-enviroment:"a b"', "no key enviroment", 'is:new -env:"a b"'],
    ["tag.relase:1", "relase:1", "There is no key relase", "release:1"],
    ["weight:>3", "weight:>3", "There is no key weight, so it is left out."],
    ["plan:pro", "plan:pro", "No issue has the tag plan, so it is searched as text."],
    ['plan:"pro"', 'plan:"pro"', "No issue has the tag plan."],
    ["-plan:pro", "-plan:pro", "No issue has the tag plan."],
    ["users:many", "users:many", "users: takes a number, as in users:>10."],
    ["people:x", "people:x", "users: takes a number, as in users:>10."],
    ["last:yesterday", "last:yesterday", "an age or a day, as in last:<1h or last:>2026-11-20."],
    ["kind:eror", "kind:eror", "It matches nothing: use error, recovered,"],
    ["level:critical", "level:critical", "use fatal, error, warning, info or debug."],
    ["trust:trusted", "trust:trusted", "use server, page or public."],
    ["release:", "release:", "It has no value, so it is left out."],
    ["env:,", "env:,", "It has no value, so it is left out."],
    ["a OR b", "OR", "OR works between the values of one key, as in env:a,b."],
    ["(a OR b)", "OR", "OR works between the values of one key, as in env:a,b."],
    ["env:a OR env:b", "OR", "OR works between the values", "env:a,b"],
    ["env:a || env:b", "||", "OR works between the values", "env:a,b"],
    ["env:a or env:b is:open", "OR", "OR works between the values", "is:open env:a,b"],
    ["is:open AND env:a", "AND", "all parts of a query must match", "is:open env:a"],
    ["is:open NOT timeout", "NOT", "a minus excludes one", "is:open timeout"],
    ["(env:a", "(env:a", "Brackets are left out", "env:a"],
    ["env:a)", "env:a)", "Brackets are left out", "env:a"],
    ["!env:a", "!env:a", "A minus excludes a value.", "-env:a"],
  ])("%s: %s", (query, part, reason, suggestion) => {
    const problem = explained(query).find((one) => one.part === part);
    expect(problem?.reason).toContain(reason);
    expect(problem?.query).toBe(suggestion);
  });

  it.each([
    ["foo:bar", "searched as text"],
    ["usres:>10", "left out"],
    ["is:opne", "left out"],
    ["kind:eror", "matches nothing"],
    ['plan:"pro"', "unknown tag"],
  ])("%s has the outcome: %s", (text, outcome) => {
    const [problem] = findQueryProblems(parseIssueQuery(text), listTags(text));
    expect(problem?.outcome).toBe(outcome);
  });

  it("of (env:a OR env:b) is three parts with one suggestion", () => {
    const problems = explained("(env:a OR env:b)");
    expect(problems.map(({ part }) => part)).toEqual(["(env:a", "OR", "env:b)"]);
    expect(new Set(problems.map(({ query }) => query))).toEqual(new Set(["env:a,b"]));
  });

  it.each([
    "",
    "is:open is:assigned -is:unassigned -is:muted",
    "env:a,b release:shop@* -browser:safari",
    "users:>10 count:<=100 last:<1h first:>2026-11-20",
    "level:warn kind:err,csp trust:*",
    "assigned:me user:ada@example.com",
    "TypeError: x is -undefined",
    '-cart -"no price" "is:opne" "a OR b"',
    "NOT NULL constraint failed: users.email",
    "https://shop.example/cart Cart::total cart.tsx:41",
  ])("is nothing in %s", (query) => {
    expect(explained(query)).toEqual([]);
  });

  it("is no tag that an issue has", () => {
    expect(findQueryProblems(parseIssueQuery("borwser:firefox weight:>3"))).toEqual([]);
  });

  it("is left out of the query, apart from what is searched", () => {
    const text = "is:open is:opne usrs:>10 plan:pro users:many";
    const read = withoutLeftOut(parseIssueQuery(text), listTags(text));
    expect(formatIssueQuery(read)).toBe("is:open plan:pro");
  });

  it("is never corrected to the opposite", () => {
    const near = (word: string) =>
      fc
        .tuple(fc.nat(word.length), fc.nat(2), fc.string({ maxLength: 2 }))
        .map(([at, cut, put]) => word.slice(0, at) + put + word.slice(at + cut));
    for (const word of ["assigned", "unassigned"]) {
      fc.assert(
        fc.property(near(word), (input) => {
          const [problem] = explained(`is:${input}`);
          const isNegated = /^(un|non|not)/i.test(input);
          const opposite = isNegated ? "is:assigned" : "is:unassigned";
          expect(problem?.query).not.toBe(opposite);
        }),
      );
    }
  });

  it("has suggestions that parse again, in the same order, with fewer problems", () => {
    const near = fc
      .tuple(
        fc.constantFrom(...IS_VALUES, ...FILTER_ALIASES.keys()),
        fc.nat(9),
        fc.string({ maxLength: 1 }),
      )
      .map(([word, at, put]) => word.slice(0, at) + put + word.slice(at + 1));
    const piece = fc.oneof(
      near.map((word) => `is:${word}`),
      fc.tuple(near, fc.string({ maxLength: 8 })).map(([key, value]) => `${key}:${value}`),
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.constantFrom('"', "-", "is:", "tag.tag.a:b", "OR", "(env:a", "env:b)"),
    );
    let suggestions = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const query = parseIssueQuery(pieces.join(" "), "users");
        const tags = query.filters.map(({ key }) => key).filter((key) => key.startsWith("tag."));
        const before = findQueryProblems(query, tags);
        for (const { suggestion } of before) {
          if (suggestion === undefined) continue;
          suggestions++;
          expect(parseIssueQuery(formatIssueQuery(suggestion.query), "users")).toEqual(
            suggestion.query,
          );
          expect(findQueryProblems(suggestion.query, tags).length).toBeLessThan(before.length);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(suggestions).toBeGreaterThan(500);
  });
});
