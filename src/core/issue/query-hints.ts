/** Finds probable typos in a query: an unknown state, or a tag that no issue has. */
import {
  addIsFilter,
  FILTER_ALIASES,
  type FilterKey,
  formatFilter,
  IS_VALUES,
  type IssueFilter,
  type IssueQuery,
} from "./issue-query.ts";

/** One part of a query that matches nothing. */
interface QueryHint {
  /** `word`: looks like a filter, but is searched as text. `tag`: no issue has this tag. */
  readonly kind: "word" | "tag";
  /** The part: `is:opne`, or the tag's name. */
  readonly input: string;
  /** The probable correction and the corrected query; absent if nothing is similar. */
  readonly suggestion?: { readonly input: string; readonly query: IssueQuery };
}

/**
 * The hints for a query, in the order of its parts. `missing` are the query's tags that no issue
 * has.
 */
export function findQueryHints(
  query: IssueQuery,
  missing: readonly FilterKey[] = [],
): readonly QueryHint[] {
  const words = query.text.split(" ");
  return [
    ...words.flatMap((word, at) => createWordHint(query, word, words.toSpliced(at, 1).join(" "))),
    ...query.filters
      .filter(({ key }) => missing.includes(key))
      .map((filter) => createTagHint(query, filter)),
  ];
}

function createWordHint(query: IssueQuery, word: string, rest: string): readonly QueryHint[] {
  // The only words that can be excluded are the states of `is:`.
  if (/^-(?:is:)?\p{L}/iu.test(word)) return [{ kind: "word", input: word }];
  const [, isValue] = /^is:([a-z]+)$/i.exec(word) ?? [];
  if (isValue === undefined) return [];
  // A valid value here was in quotes, so it was meant as text.
  if (IS_VALUES.includes(isValue.toLowerCase())) return [];
  const closest = findNearest(isValue, IS_VALUES);
  if (closest === undefined) return [{ kind: "word", input: word }];
  const suggestion = {
    input: `is:${closest}`,
    query: addIsFilter({ ...query, text: rest }, closest),
  };
  return [{ kind: "word", input: word, suggestion }];
}

function createTagHint(query: IssueQuery, filter: IssueFilter): QueryHint {
  const name = filter.key.slice("tag.".length);
  const key = FILTER_ALIASES.get(findNearest(name, [...FILTER_ALIASES.keys()]) ?? "");
  if (key === undefined) return { kind: "tag", input: name };
  const suggestion = { ...filter, key };
  const filters = query.filters.map((other) => (other === filter ? suggestion : other));
  return {
    kind: "tag",
    input: name,
    suggestion: { input: formatFilter(suggestion), query: { ...query, filters } },
  };
}

/** The word with the smallest edit distance: at most one for a short word, two for a longer one. */
function findNearest(input: string, words: readonly string[]): string | undefined {
  const lower = input.toLowerCase();
  const maxDistance = lower.length < 5 ? 1 : 2;
  const closest = words
    .filter((word) => Math.abs(word.length - lower.length) <= maxDistance)
    .map((word) => ({ word, distance: editDistance(lower, word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance);
  return closest[0]?.word;
}

/** Restricted Damerau–Levenshtein distance: a swap of neighbors counts as one edit. */
function editDistance(a: string, b: string): number {
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
