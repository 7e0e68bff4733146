/**
 * SQLite table of releases and when each was first seen. It orders releases whose names have no
 * order. A report replaces what reports of a lower level said about its release, and changes
 * nothing about a release that a higher level named. Each trust level can add a number of
 * releases per UTC day, which the table counts, so that a restart does not reset it. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import { TRUST_LEVELS, type Trust, toTrustRank } from "../../../core/trust/trust.ts";

interface SeenRelease {
  readonly firstSeenMs: number;
  /** The highest trust of the reports that named it. */
  readonly trust: Trust;
}

export class ReleaseTable {
  readonly #sql: SqlStorage;
  /** A copy of the table, so that a report of a known release writes nothing. */
  readonly #releases = new Map<string, SeenRelease>();
  /** Releases per day and level: counted once, then updated in memory. */
  readonly #newCounts = new Map<string, number>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS release(
        name TEXT PRIMARY KEY, first_seen_ms INTEGER NOT NULL, trust TEXT NOT NULL,
        day TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS release_by_time ON release(trust, first_seen_ms)`,
    );
    this.#load();
  }

  /** A release as it was first seen; undefined for an unknown one. */
  get(release: string): SeenRelease | undefined {
    return this.#releases.get(release);
  }

  /** The releases of the highest level first, of each the newest. */
  listNewest(count: number): readonly string[] {
    const names: string[] = [];
    const query = "SELECT name FROM release WHERE trust = ? ORDER BY first_seen_ms DESC LIMIT ?";
    for (const trust of TRUST_LEVELS) {
      const rows = this.#sql.exec<{ name: string }>(query, trust, count - names.length);
      for (const { name } of rows) names.push(name);
    }
    return names;
  }

  /**
   * When a release was first seen, in ms; undefined for an unknown release. A release that
   * only reports below `trust` named is unknown.
   */
  getFirstSeenMs(release: string, trust: Trust): number | undefined {
    const seen = this.#releases.get(release);
    return seen && toTrustRank(seen.trust) >= toTrustRank(trust) ? seen.firstSeenMs : undefined;
  }

  /**
   * Records that a release was seen at `atMs`, in a report received on the UTC day `day`. A day
   * adds at most `limits.maxNewReleasesPerDay` of each level.
   */
  recordSeen(name: string, atMs: number, day: string, trust: Trust): void {
    const known = this.#releases.get(name);
    const difference = toTrustRank(trust) - toTrustRank(known?.trust ?? trust);
    if (difference < 0) return;
    const before = difference > 0 ? undefined : known;
    const firstSeenMs = Math.min(atMs, before?.firstSeenMs ?? atMs);
    if (firstSeenMs === before?.firstSeenMs) return;
    if (before === undefined && !this.#takeRoom(day, trust)) return;
    this.#releases.set(name, { firstSeenMs, trust });
    this.#sql.exec(
      `INSERT INTO release(name, first_seen_ms, trust, day) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT(name) DO UPDATE SET first_seen_ms = ?2,
         day = iif(trust = ?3, day, ?4), trust = ?3`,
      name,
      firstSeenMs,
      trust,
      day,
    );
  }

  /** Deletes releases first seen before `beforeMs`, except the newest ones. */
  deleteExpired(beforeMs: number): void {
    const newest = `SELECT name FROM release
      ORDER BY trust = 'server' DESC, trust = 'page' DESC, first_seen_ms DESC LIMIT ?`;
    this.#sql.exec(
      `DELETE FROM release WHERE first_seen_ms < ? AND name NOT IN (${newest})`,
      beforeMs,
      limits.maxNewReleasesPerDay.server,
    );
    this.#load();
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM release");
    this.#load();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#load();
  }

  #load(): void {
    this.#releases.clear();
    this.#newCounts.clear();
    const rows = this.#sql.exec<{ name: string; firstSeenMs: number; trust: Trust }>(
      "SELECT name, first_seen_ms AS firstSeenMs, trust FROM release",
    );
    for (const { name, ...seen } of rows) this.#releases.set(name, seen);
  }

  /** False if the day has no room for another release of this level. */
  #takeRoom(day: string, trust: Trust): boolean {
    const key = `${day} ${trust}`;
    const count = this.#newCounts.get(key) ?? this.#countNew(day, trust);
    const hasRoom = count < limits.maxNewReleasesPerDay[trust];
    if (this.#newCounts.size >= MAX_COUNTED_DAYS) this.#newCounts.clear();
    this.#newCounts.set(key, hasRoom ? count + 1 : count);
    return hasRoom;
  }

  #countNew(day: string, trust: Trust): number {
    const query = "SELECT count(*) AS n FROM release WHERE day = ? AND trust = ?";
    return this.#sql.exec<{ n: number }>(query, day, trust).one().n;
  }
}

/** A rebuild reads the days of a whole archive. */
const MAX_COUNTED_DAYS = 400;
