/**
 * SQLite tables of facets: the values of each issue, by key. Synchronous.
 *
 *     facet         FTS5, one row per issue: its values as JSON, and a token of each. The postings
 *                   of a token find the issues with a value; a table of pairs would write a row
 *                   for each value of a new issue.
 *     facet_value   the distinct values of each key, and one issue that has the value
 */

import type { Issue } from "../../../core/issue/issue.ts";
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import {
  createValueTest,
  type FilterValue,
  toAsciiLowerCase,
} from "../../../core/issue/query-values.ts";
import { limits } from "../../../core/limits.ts";
import { MemoCache } from "../../../core/memo-cache.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import { RowInserter } from "../../sqlite/row-inserter.ts";
import type { DailyCapTable } from "./daily-cap-table.ts";
import {
  type FacetPair,
  type FacetValues,
  hasPair,
  isSetByMember,
  listPairs,
  toFacetToken,
  toFacetValues,
} from "./facet-values.ts";
import { ReleaseCountTable } from "./release-count-table.ts";

const PAIRS = "SELECT value ->> 0, value ->> 1 FROM json_each(?1)";

export class FacetTable {
  readonly releaseCounts: ReleaseCountTable;
  readonly #sql: SqlStorage;
  readonly #caps: DailyCapTable;
  readonly #inserts: RowInserter;
  /** Values that `facet_value` has. Most issues of a project share theirs. */
  readonly #known = new Set<string>();

  constructor(sql: SqlStorage, caps: DailyCapTable) {
    this.#sql = sql;
    this.#caps = caps;
    this.#inserts = new RowInserter(sql, "facet", ["rowid", "facet_values", "tokens"]);
    this.releaseCounts = new ReleaseCountTable(sql);
  }

  /**
   * Writes the values of the issue with this id; `undefined` for the state in which it does not
   * exist. The daily number of new values of issues without server reports is limited; filters may
   * not find further ones. Stored by `save`.
   */
  update(id: number, before: Issue | undefined, after: Issue | undefined): void {
    const [old, current] = [toFacetValues(before), toFacetValues(after)];
    const gained = listPairs(current).filter((pair) => !hasPair(old, pair));
    const lost = listPairs(old).filter((pair) => !hasPair(current, pair));
    if (gained.length + lost.length === 0) return;
    this.releaseCounts.update(old, current);
    const added = after === undefined ? gained : this.#limitReported(gained, after);
    if (added.length + lost.length === 0) return;
    if (after === undefined) this.#sql.exec("DELETE FROM facet WHERE rowid = ?", id);
    else if (before === undefined) this.#inserts.add(id, ...toRow(current));
    else this.#replace(id, current);
    if (added.length > 0) this.#addValues(id, added);
    if (lost.length > 0) this.#removeValues(id, lost);
  }

  /** Writes the values of new issues, and the numbers of releases. Call at the end of a batch. */
  save(): void {
    this.#inserts.flush();
    this.releaseCounts.save();
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#inserts.clear();
    this.#known.clear();
    this.releaseCounts.clearChanges();
  }

  #replace(id: number, values: FacetValues): void {
    const query = "INSERT OR REPLACE INTO facet(rowid, facet_values, tokens) VALUES (?, ?, ?)";
    this.#sql.exec(query, id, ...toRow(values));
  }

  #addValues(id: number, added: readonly FacetPair[]): void {
    const pairs = added.filter((pair) => !this.#known.has(toName(pair)));
    if (pairs.length === 0) return;
    if (this.#known.size >= MAX_KNOWN_VALUES) this.#known.clear();
    for (const pair of pairs) this.#known.add(toName(pair));
    const query = `INSERT OR IGNORE INTO facet_value(key, value, id)
      SELECT value ->> 0, value ->> 1, ?2 FROM json_each(?1)`;
    this.#sql.exec(query, JSON.stringify(pairs), id);
  }

  /** Removes only values whose row names this issue, so that a common value costs little. */
  #removeValues(id: number, pairs: readonly FacetPair[]): void {
    const query = `SELECT key, value FROM facet_value WHERE (key, value) IN (${PAIRS}) AND id = ?2`;
    const named = this.#sql
      .exec<{ key: string; value: string }>(query, JSON.stringify(pairs), id)
      .toArray();
    // A new issue may have the value, and its row waits.
    if (named.length > 0) this.#inserts.flush();
    for (const { key, value } of named) {
      this.#known.delete(toName([key, value]));
      const [other] = this.#sql.exec<{ id: number }>(
        "SELECT rowid AS id FROM facet WHERE facet MATCH ? ORDER BY rowid DESC LIMIT 1",
        toFacetToken(key, value),
      );
      if (other === undefined)
        this.#sql.exec("DELETE FROM facet_value WHERE key = ? AND value = ?", key, value);
      else {
        const update = "UPDATE facet_value SET id = ? WHERE key = ? AND value = ?";
        this.#sql.exec(update, other.id, key, value);
      }
    }
  }

  #limitReported(
    gained: readonly FacetPair[],
    { trust, asOfMs }: Pick<Issue, "trust" | "asOfMs">,
  ): readonly FacetPair[] {
    if (trust === "server") return gained;
    const byMembers = gained.filter(isSetByMember);
    const reported = gained.filter((pair) => !isSetByMember(pair));
    const day = toUtcDay(asOfMs);
    const room =
      trust === "page"
        ? this.#caps.take(day, "page-facet", limits.maxPageFacetsPerDay, reported.length)
        : this.#caps.take(day, "facet", limits.maxPublicFacetsPerDay, reported.length);
    return [...byMembers, ...reported.slice(0, room)];
  }
}

/** The largest number of values that are known: some hundred kilobytes. */
const MAX_KNOWN_VALUES = 5_000;

function toName([key, value]: FacetPair): string {
  return `${key}\n${value}`;
}

const tokens = new MemoCache<string>(MAX_KNOWN_VALUES);

/** The values as JSON, and their tokens. */
function toRow(values: FacetValues): readonly [string, string] {
  const all = listPairs(values).map((pair) =>
    tokens.getOrCreate(toName(pair), () => toFacetToken(...pair)),
  );
  return [JSON.stringify(values), all.join(" ")];
}

/** The limits of `core/limits.ts` on the values that a filter reads and finds. */
export type ValueBounds = Readonly<Record<"maxReadFacetValues" | "maxValuesPerFilter", number>>;

/**
 * The values of a key that one of a filter's values describes: at most `maxValuesPerFilter`. `isCut`
 * if there may be more. Of a key with more than `maxReadFacetValues` values, a pattern finds those
 * that begin exactly like it; then its case matters.
 */
export function findFacetValues(
  sql: SqlStorage,
  key: FilterKey,
  filterValues: readonly FilterValue[],
  { maxReadFacetValues: maxRead, maxValuesPerFilter: max }: ValueBounds,
): { readonly values: readonly string[]; readonly isCut: boolean } {
  const exact = filterValues.flatMap(({ text, isExact }) => (isExact ? [text] : []));
  const parts = filterValues.filter(({ isExact }) => !isExact);
  if (parts.length === 0) return { values: exact, isCut: exact.length > max };
  const tests = parts.map(({ text }) => createValueTest({ value: text, isExact: false }));
  const isValue = (value: string) => tests.some((test) => test(value));
  const read = "SELECT value FROM facet_value WHERE key = ?1 LIMIT ?2";
  const query = `SELECT value FROM (${read}) WHERE instr(lower(value), ?3) > 0 LIMIT ?4`;
  // What several values or a pattern have in common may be nothing.
  const [{ text, isPattern } = { text: "", isPattern: true }] = parts;
  const isOne = parts.length === 1 && !isPattern;
  const part = parts.length === 1 ? toAsciiLowerCase(getLongestPart(text)) : "";
  const limit = isOne ? max + 1 : maxRead;
  const rows = sql.exec<{ value: string }>(query, key, maxRead, part, limit).toArray();
  const found = rows.map(({ value }) => value).filter(isValue);
  const next = `${read} OFFSET ?2`;
  const isLong = sql.exec(next, key, maxRead).toArray().length > 0;
  const prefixes = parts.map((one) =>
    one.isPattern ? one.text.slice(0, one.text.indexOf("*")) : "",
  );
  const isSought = isLong && prefixes.every((prefix) => prefix !== "");
  const sought = isSought ? prefixes.map((one) => findWithPrefix(sql, key, one, max + 1)) : [];
  const values = [...new Set([...exact, ...found, ...sought.flat().filter(isValue)])];
  const isComplete = !isLong || (isSought && sought.every(({ length }) => length <= max));
  return { values: values.slice(0, max), isCut: values.length > max || !isComplete };
}

/** The longest text between the stars of a pattern. */
export function getLongestPart(text: string): string {
  return text.split("*").reduce((a, b) => (b.length > a.length ? b : a));
}

/** The first `max` values that begin with a text, in the order of the table. */
function findWithPrefix(
  sql: SqlStorage,
  key: FilterKey,
  prefix: string,
  max: number,
): readonly string[] {
  const query = `SELECT value FROM facet_value
    WHERE key = ? AND value >= ? AND value < ? LIMIT ?`;
  const rows = sql.exec<{ value: string }>(query, key, prefix, `${prefix}\u{10ffff}`, max);
  return Array.from(rows, ({ value }) => value);
}
