/** Rows of issues that a list reads. */
import type { Digest } from "../../../core/report.ts";
import type { TermCondition } from "./issue-conditions.ts";
import type { FoundIssue, ListSearch, SortPosition } from "./list-search.ts";
import { normalizeText } from "./search-words.ts";

export interface PositionRow extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly digest: Digest;
}

export function toPosition({ at, digest }: PositionRow): SortPosition {
  return { sortValue: at, digest };
}

/** An issue, and the values that its conditions test. */
export interface ListedRow extends PositionRow {
  readonly id: number;
  /** The JSON of the values, if they are needed. */
  readonly facet_values: string | null;
  readonly text: string | null;
}

/** The columns of `ListedRow`, except `at`, and the joins that they need. */
export function toSelection(
  { withValues }: ListSearch,
  tested: readonly TermCondition[],
  from: "issue" | "scanned",
): { readonly columns: string; readonly joins: string } {
  const needsValues = withValues === true || tested.some(({ table }) => table === "facet");
  const needsText = tested.some(({ table }) => table === "issue_search");
  const text = needsText ? `(SELECT text FROM issue_search WHERE rowid = ${from}.id)` : "NULL";
  return {
    columns: `${from}.id, ${from}.digest, ${text} AS text,
      ${needsValues ? "facet_values" : "NULL AS facet_values"}`,
    joins: needsValues ? `LEFT JOIN facet ON facet.rowid = ${from}.id` : "",
  };
}

/** The issues that meet the conditions, in the same order. */
export function* testAll(
  rows: Iterable<ListedRow>,
  conditions: readonly TermCondition[],
): Generator<FoundIssue> {
  for (const row of rows) {
    const valuesJson = row.facet_values ?? "{}";
    const terms = { valuesJson, text: normalizeText(row.text ?? "") };
    if (conditions.every(({ isIn, isNegated }) => isIn(terms) !== isNegated))
      yield { ...toPosition(row), id: row.id, valuesJson };
  }
}

/** Compares positions in the order of a list: descending. */
export function comparePositions(a: SortPosition, b: SortPosition): number {
  return b.sortValue - a.sortValue || (a.digest < b.digest ? 1 : a.digest > b.digest ? -1 : 0);
}
