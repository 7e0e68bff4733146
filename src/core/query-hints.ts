/** What in a query was probably meant otherwise: a state that there is none of, and a tag that no issue has. */
import {
  type Filter,
  type FilterKey,
  IS_WORDS,
  type IssueQuery,
  KEY_NAMES,
  withIs,
  writeFilter,
} from "./issue-query.ts";

/** One part of a query that says nothing here. */
export interface QueryHint {
  /** `word` was looked for as text; no issue has a tag called `tag`. */
  readonly kind: "word" | "tag";
  /** The part: `is:opne`, or the tag's name. */
  readonly written: string;
  /** What was probably meant, and the query that asks for that; absent where nothing is near. */
  readonly meant?: { readonly written: string; readonly query: IssueQuery };
}

/** The hints to a query, in its order. `missing` are the tags in it that no issue has. */
export function hintsOf(
  query: IssueQuery,
  missing: readonly FilterKey[] = [],
): readonly QueryHint[] {
  const words = query.text.split(" ");
  return [
    ...words.flatMap((word, at) => hintToWord(query, word, words.toSpliced(at, 1).join(" "))),
    ...query.filters
      .filter(({ key }) => missing.includes(key))
      .map((filter) => hintToTag(query, filter)),
  ];
}

function hintToWord(query: IssueQuery, word: string, rest: string): readonly QueryHint[] {
  // Words cannot be left out, and of `is:` states alone.
  if (/^-(?:is:)?\p{L}/iu.test(word)) return [{ kind: "word", written: word }];
  const [, said] = /^is:([a-z]+)$/i.exec(word) ?? [];
  if (said === undefined) return [];
  // A known one was meant as text: it was written in quotes.
  if (IS_WORDS.includes(said.toLowerCase())) return [];
  const near = nearest(said, IS_WORDS);
  if (near === undefined) return [{ kind: "word", written: word }];
  const meant = { written: `is:${near}`, query: withIs({ ...query, text: rest }, near) };
  return [{ kind: "word", written: word, meant }];
}

function hintToTag(query: IssueQuery, filter: Filter): QueryHint {
  const name = filter.key.slice("tag.".length);
  const key = KEY_NAMES.get(nearest(name, [...KEY_NAMES.keys()]) ?? "");
  if (key === undefined) return { kind: "tag", written: name };
  const meant = { ...filter, key };
  const filters = query.filters.map((one) => (one === filter ? meant : one));
  return {
    kind: "tag",
    written: name,
    meant: { written: writeFilter(meant), query: { ...query, filters } },
  };
}

/** The word that differs in the fewest places from what was written: in one of a short word, in two of a longer one. */
function nearest(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  const most = lower.length < 5 ? 1 : 2;
  const near = words
    .filter((word) => Math.abs(word.length - lower.length) <= most)
    .map((word) => ({ word, places: placesBetween(lower, word) }))
    .filter(({ places }) => places <= most)
    .sort((a, b) => a.places - b.places);
  return near[0]?.word;
}

/** How many characters are too many, missing, wrong, or in the place of their neighbour. */
function placesBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          i > 1 && j > 1 && isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
