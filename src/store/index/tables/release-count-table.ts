/**
 * SQLite table of the number of issues of each release: issues that have it, first occurred in it,
 * regressed in it, and were resolved in it; also the trusted issues that have it. Synchronous.
 */
import type { FacetValues } from "./facet-values.ts";

/** The issues of a release. */
interface ReleaseCounts extends Record<string, number> {
  readonly seen: number;
  readonly new: number;
  readonly regressed: number;
  readonly fixed: number;
  readonly trusted_seen: number;
}

const NO_ISSUES: ReleaseCounts = { seen: 0, new: 0, regressed: 0, fixed: 0, trusted_seen: 0 };
const NAMES = Object.keys(NO_ISSUES);

export class ReleaseCountTable {
  readonly #sql: SqlStorage;
  /** Changes that are not stored yet: new issues of a batch have few releases. */
  readonly #changes = new Map<string, Record<string, number>>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts an issue with the values `after` instead of `before`. Stored by `save`. */
  update(before: FacetValues, after: FacetValues): void {
    const changes = this.#changes;
    for (const [values, sign] of [[before, -1] as const, [after, 1] as const]) {
      for (const [name, releases] of listReleases(values)) {
        for (const release of releases) {
          const change = changes.get(release) ?? { ...NO_ISSUES };
          change[name] = (change[name] ?? 0) + sign;
          changes.set(release, change);
        }
      }
    }
  }

  /** Stores the changes. Call at the end of a batch, in its transaction. */
  save(): void {
    for (const [release, change] of this.#changes) this.#add(release, change);
    this.#changes.clear();
  }

  /** Forgets the changes that are not stored. Call after a rollback. */
  clearChanges(): void {
    this.#changes.clear();
  }

  #add(release: string, change: Readonly<Record<string, number>>): void {
    const values = NAMES.map((name) => change[name] ?? 0);
    if (values.every((value) => value === 0)) return;
    this.#sql.exec(
      `INSERT INTO release_count(release, ${NAMES.join(", ")})
       VALUES (?${", ?".repeat(NAMES.length)}) ON CONFLICT(release) DO UPDATE SET
       ${NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
      release,
      ...values,
    );
    const isEmpty = NAMES.map((name) => `${name} = 0`).join(" AND ");
    if (values.some((value) => value < 0))
      this.#sql.exec(`DELETE FROM release_count WHERE release = ? AND ${isEmpty}`, release);
  }

  /** The counts of releases; those without issues are missing. */
  list(releases: readonly string[]): ReadonlyMap<string, ReleaseCounts> {
    const query = `SELECT release, ${NAMES.join(", ")} FROM release_count
      WHERE release IN (SELECT value FROM json_each(?))`;
    const rows = this.#sql.exec<ReleaseCounts & { release: string }>(
      query,
      JSON.stringify(releases),
    );
    return new Map(rows.toArray().map(({ release, ...counts }) => [release, counts]));
  }

  /** Releases in which issues were resolved, even if no report names them. */
  listFixed(count: number): readonly string[] {
    const query = `SELECT release FROM release_count INDEXED BY release_fixed
      WHERE fixed > 0 ORDER BY release DESC LIMIT ?`;
    const rows = this.#sql.exec<{ release: string }>(query, count);
    return rows.toArray().map(({ release }) => release);
  }
}

/** The releases for which each count includes an issue. As in lists, noise counts for none. */
function listReleases(
  values: FacetValues,
): readonly (readonly [name: string, releases: readonly string[]])[] {
  const { release: seen = [], new: firstIn = [], regressed = [], fixed = [], trust = [] } = values;
  if ((values.noise ?? []).length > 0) return [];
  const isTrusted = trust.length > 0 && !trust.includes("public");
  return [
    ["seen", seen],
    ["new", firstIn],
    ["regressed", regressed],
    ["fixed", fixed],
    ["trusted_seen", isTrusted ? seen : []],
  ];
}
