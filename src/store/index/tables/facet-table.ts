/**
 * SQLite table of facets: which issues have which values, one row per key, value and issue. A row
 * is written when an issue gains or loses a value. Synchronous.
 */
import { toUtcDay } from "../../../core/issue/aggregate-report.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import type { DailyCapTable } from "./daily-cap-table.ts";

/** A value, and the issues that have it. */
interface CountedValue {
  readonly value: string;
  readonly issueCount: number;
  /** One of the issues has trusted reports. */
  readonly isTrusted: boolean;
}

type FacetPair = readonly [key: FilterKey, value: string];

/**
 * One statement for all pairs: a new issue has about 12, and a statement costs as much as a row.
 */
const INSERT_PAIRS = `INSERT OR IGNORE INTO facet(key, value, digest)
  SELECT value ->> 0, value ->> 1, ?2 FROM json_each(?1)`;
const DELETE_PAIRS = `DELETE FROM facet WHERE digest = ?2
  AND (key, value) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`;

export class FacetTable {
  readonly #sql: SqlStorage;
  readonly #caps: DailyCapTable;

  constructor(sql: SqlStorage, caps: DailyCapTable) {
    this.#sql = sql;
    this.#caps = caps;
    sql.exec(`CREATE TABLE IF NOT EXISTS facet(
      key TEXT NOT NULL, value TEXT NOT NULL, digest TEXT NOT NULL,
      PRIMARY KEY(key, value, digest)) WITHOUT ROWID`);
  }

  /**
   * Writes the difference between two states of an issue; `undefined` if it does not exist. A day
   * adds at most `limits.maxPublicFacetsPerDay` values of public issues; further values are not
   * found.
   */
  update(digest: Digest, before: Issue | undefined, after: Issue | undefined): void {
    const gained: FacetPair[] = [];
    const lost: FacetPair[] = [];
    for (const key of listFacetKeys(before, after)) {
      const [oldValues, newValues] = [listFacetValues(before, key), listFacetValues(after, key)];
      for (const value of newValues) if (!oldValues.includes(value)) gained.push([key, value]);
      for (const value of oldValues) if (!newValues.includes(value)) lost.push([key, value]);
    }
    const added = after?.trust === "public" ? this.#limitReported(gained, after.asOfMs) : gained;
    if (added.length > 0) this.#sql.exec(INSERT_PAIRS, JSON.stringify(added), digest);
    if (lost.length > 0) this.#sql.exec(DELETE_PAIRS, JSON.stringify(lost), digest);
  }

  #limitReported(gained: readonly FacetPair[], nowMs: number): readonly FacetPair[] {
    const [byMembers, reported] = [
      gained.filter(isByMember),
      gained.filter((one) => !isByMember(one)),
    ];
    const max = limits.maxPublicFacetsPerDay;
    const room = this.#caps.take(toUtcDay(nowMs), "facet", max, reported.length);
    return [...byMembers, ...reported.slice(0, room)];
  }

  /**
   * The values of a key with their number of issues, and whether one of these has trusted reports:
   * those first, then the most frequent.
   */
  countValues(key: FilterKey, count: number): readonly CountedValue[] {
    return this.#sql
      .exec<{ value: string; issueCount: number; isTrusted: number }>(
        `SELECT value, count(*) AS issueCount, max(issue.trust <> 'public') AS isTrusted
         FROM facet JOIN issue USING(digest) WHERE key = ?
         GROUP BY value ORDER BY isTrusted DESC, issueCount DESC, value LIMIT ?`,
        key,
        count,
      )
      .toArray()
      .map((row) => ({ ...row, isTrusted: row.isTrusted === 1 }));
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM facet");
  }
}

/** The value comes from a decision or an assignment, not from reports. */
function isByMember([key]: FacetPair): boolean {
  return key === "fixed" || key === "assigned" || key === "regressed";
}

const TOP_VALUE_MEMBERS = {
  release: "releases",
  env: "environments",
  browser: "browsers",
  url: "pages",
} as const satisfies Partial<Record<FilterKey, keyof Issue>>;

const FIXED_KEYS = [
  "release",
  "env",
  "browser",
  "url",
  "new",
  "regressed",
  "fixed",
  "assigned",
] as const;

function listFacetKeys(...issues: readonly (Issue | undefined)[]): readonly FilterKey[] {
  const tags = issues.flatMap((issue) => Object.keys(issue?.tags ?? {}));
  return [...FIXED_KEYS, ...new Set(tags.map((name) => `tag.${name}` as const))];
}

/** The values by which an issue is found under a key. */
export function listFacetValues(issue: Issue | undefined, key: FilterKey): readonly string[] {
  switch (key) {
    case "release":
    case "env":
    case "browser":
    case "url":
      return listTopValueNames(issue?.[TOP_VALUE_MEMBERS[key]]);
    case "kind":
    case "type":
    case "trust":
      return toList(issue?.[key]);
    case "new":
      return toList(issue?.firstRelease);
    case "regressed":
      return toList(issue?.decision?.regressedInRelease);
    case "fixed":
      return issue?.decision?.state === "resolved" ? toList(issue.decision.release) : [];
    case "assigned":
      return toList(issue?.assignee);
    default: {
      // A tag may have the name of a member of `Object.prototype`.
      const [tags = {}, name] = [issue?.tags, key.slice("tag.".length)];
      return listTopValueNames(Object.hasOwn(tags, name) ? tags[name] : undefined);
    }
  }
}

function listTopValueNames(topValues: TopValues | undefined): readonly string[] {
  return topValues?.values.map(([name]) => name) ?? [];
}

function toList(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
