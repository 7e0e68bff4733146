import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FILTER_ALIASES,
  type FilterKey,
  formatIssueQuery,
  IS_VALUES,
  parseIssueQuery,
} from "#src/core/issue/issue-query.ts";
import { findQueryHints } from "#src/core/issue/query-hints.ts";

/** Each hint as kind, input, suggestion and corrected query. No issue has any tag. */
const hinted = (text: string) => {
  const query = parseIssueQuery(text, "count");
  const missing = query.filters.map(({ key }) => key).filter((key) => key.startsWith("tag."));
  return findQueryHints(query, missing).map(({ kind, input, suggestion }) => [
    kind,
    input,
    ...(suggestion ? [suggestion.input, formatIssueQuery(suggestion.query)] : []),
  ]);
};

describe("findQueryHints", () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ["is:opne", [["word", "is:opne", "is:open", "is:open"]]],
    ["IS:Archvd price", [["word", "IS:Archvd", "is:archived", "is:archived price"]]],
    ["is:resolvd is:open", [["word", "is:resolvd", "is:resolved", "is:open is:resolved"]]],
    ["a is:noice b", [["word", "is:noice", "is:noise", "is:noise a b"]]],
    ["is:gone", [["word", "is:gone"]]],
    ["borwser:firefox", [["tag", "borwser", "browser:firefox", "browser:firefox"]]],
    ['-enviroment:"a b" is:new', [["tag", "enviroment", '-env:"a b"', 'is:new -env:"a b"']]],
    ["evn:x", [["tag", "evn", "env:x", "env:x"]]],
    ["tag.relase:1", [["tag", "relase", "release:1", "release:1"]]],
    ["plan:pro", [["tag", "plan"]]],
    [
      "is:opne ulr:1 is:nwe",
      [
        ["word", "is:opne", "is:open", "is:open ulr:1 is:nwe"],
        ["word", "is:nwe", "is:new", "is:new ulr:1 is:opne"],
        ["tag", "ulr", "url:1", "url:1 is:opne is:nwe"],
      ],
    ],
    ["", []],
    ["is:open browser:firefox price", []],
    ['"is:open"', []],
    ["-is:open is: is:a.b", []],
    ["-is:new", [["word", "-is:new"]]],
    [
      'a -cart -"no price"',
      [
        ["word", "-cart"],
        ["word", "-no"],
      ],
    ],
    ["- -1 --x", []],
    ["TypeError: is opne", []],
  ])("hints for %s", (text, hints) => {
    expect(hinted(text)).toEqual(hints);
  });

  it("gives no hint for a tag that an issue has", () => {
    const query = parseIssueQuery("borwser:firefox -kidn:x");
    expect(findQueryHints(query)).toEqual([]);
    expect(findQueryHints(query, ["tag.kidn"]).map(({ input }) => input)).toEqual(["kidn"]);
  });

  it("suggests a query that parses again, in the same order, without that hint", () => {
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
      fc.constantFrom('"', "-", "is:", "tag.tag.a:b"),
    );
    let hints = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const query = parseIssueQuery(pieces.join(" "), "users");
        const missing: FilterKey[] = query.filters.map(({ key }) => key);
        const tags = missing.filter((key) => key.startsWith("tag."));
        const before = findQueryHints(query, tags);
        for (const { suggestion } of before) {
          if (suggestion === undefined) continue;
          hints++;
          expect(parseIssueQuery(formatIssueQuery(suggestion.query), "users")).toEqual(
            suggestion.query,
          );
          expect(findQueryHints(suggestion.query, tags)).toHaveLength(before.length - 1);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(hints).toBeGreaterThan(500);
  });
});
