/**
 * SQLite table of releases and when each was first seen. It gives an order to releases whose names
 * have none. A report replaces the facts that lower levels reported about its release, and never
 * changes those of a higher level. The table also counts the releases that each trust level added
 * per UTC day, so that a restart does not reset the limits. Synchronous.
 */
import type { KnownReleases, SeenRelease } from "../../../core/deploy-skew/deploy-skew.ts";
import { limits } from "../../../core/limits.ts";
import type { DeployMoment, ReleaseScript } from "../../../core/ports/source-maps-port.ts";
import { SAMPLE_ENVIRONMENT } from "../../../core/report/sample-environment.ts";
import { parseSentStack } from "../../../core/report/sent-stack.ts";
import { looksBundled } from "../../../core/symbolication/report/explain-frame.ts";
import { isAtLeast, TRUST_LEVELS, type Trust } from "../../../core/trust/trust.ts";

/** When a release was first seen, and the highest trust of the reports that named it. */
type SeenTime = Omit<SeenRelease, "name">;
type StoredRelease = SeenRelease & Record<string, SqlStorageValue>;

export class ReleaseTable {
  readonly scripts: ReleaseScriptTable;
  /** The deploys of the last month, the newest first, as `DeployReader` last read them. */
  deploys: readonly DeployMoment[] = [];
  readonly #sql: SqlStorage;
  /** Cached rows, null for unknown releases: most reports are of a few releases. */
  readonly #cache = new Map<string, SeenTime | null>();
  /** Releases per day and level, read once, then updated in memory. */
  readonly #newCounts = new Map<string, number>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.scripts = new ReleaseScriptTable(storage);
  }

  /** A release as it was first seen; undefined for an unknown one. */
  get(release: string): SeenTime | undefined {
    const cached = this.#cache.get(release);
    if (cached !== undefined) return cached ?? undefined;
    const query = "SELECT first_seen_ms AS firstSeenMs, trust FROM release WHERE name = ?";
    const [row] = this.#sql.exec<{ firstSeenMs: number; trust: Trust }>(query, release);
    this.#addToCache(release, row ?? null);
    return row;
  }

  #addToCache(release: string, seen: SeenTime | null): void {
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(release, seen);
  }

  /** The newest releases of the highest level first. */
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
   * When a release was first seen, in ms; undefined for an unknown release. A release that only
   * lower levels named is unknown.
   */
  getFirstSeenMs(release: string, trust: Trust): number | undefined {
    const seen = this.get(release);
    return seen && isAtLeast(seen.trust, trust) ? seen.firstSeenMs : undefined;
  }

  /** The releases as far as reports of this level may know them. */
  getKnown(trust: Trust): KnownReleases {
    return {
      deploys: this.deploys,
      listSeen: () => this.#listSeen(trust),
      getFirstSeenMs: (release) => this.getFirstSeenMs(release, trust),
    };
  }

  /** The newest releases; none if they may be of several environments, which rows do not have. */
  #listSeen(level: Trust): readonly SeenRelease[] {
    const environments = "SELECT 1 FROM facet_value WHERE key = 'env' AND value <> ? LIMIT 2";
    if (this.#sql.exec(environments, SAMPLE_ENVIRONMENT).toArray().length > 1) return [];
    const query = `SELECT name, first_seen_ms AS firstSeenMs, trust FROM release
      INDEXED BY release_by_time WHERE trust = ? ORDER BY first_seen_ms DESC LIMIT ?`;
    return TRUST_LEVELS.filter((trust) => isAtLeast(trust, level))
      .flatMap((trust) => this.#sql.exec<StoredRelease>(query, trust, MAX_SEEN).toArray())
      .sort((a, b) => b.firstSeenMs - a.firstSeenMs);
  }

  /**
   * Records that a release was seen at `atMs`, in a report received on the UTC day `day`. A day
   * adds at most `limits.maxNewReleasesPerDay` of each level.
   */
  recordSeen(name: string, atMs: number, day: string, trust: Trust): void {
    const known = this.get(name);
    if (!isAtLeast(trust, known?.trust ?? trust)) return;
    const before = known?.trust === trust ? known : undefined;
    const firstSeenMs = Math.min(atMs, before?.firstSeenMs ?? atMs);
    if (firstSeenMs === before?.firstSeenMs) return;
    if (before === undefined && !this.#takeRoom(day, trust)) return;
    this.#addToCache(name, { firstSeenMs, trust });
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

  /** At most `limit` names after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    const query = "SELECT name FROM release WHERE name > ? ORDER BY name LIMIT ?";
    const rows = this.#sql.exec<{ name: string }>(query, after, limit).toArray();
    return rows.map(({ name }) => name);
  }

  remove(name: string): void {
    this.#sql.exec("DELETE FROM release WHERE name = ?", name);
    this.scripts.remove(name);
    this.#cache.delete(name);
  }

  /**
   * Deletes at most `limit` releases of each level that were first seen before `beforeMs`, except
   * the newest ones. True if more may be left.
   */
  deleteExpired(beforeMs: number, limit: number): boolean {
    let kept = limits.maxNewReleasesPerDay.server;
    let hasMore = false;
    for (const trust of TRUST_LEVELS) {
      const newest = this.#sql
        .exec<{ firstSeenMs: number }>(
          `SELECT first_seen_ms AS firstSeenMs FROM release INDEXED BY release_by_time
           WHERE trust = ? ORDER BY first_seen_ms DESC LIMIT ?`,
          ...[trust, kept],
        )
        .toArray();
      const oldestKeptMs = newest.length < kept ? -Infinity : newest.at(-1)?.firstSeenMs;
      kept -= newest.length;
      if (oldestKeptMs === -Infinity) continue;
      const deleted = this.#sql
        .exec<{ name: string }>(
          `DELETE FROM release WHERE name IN (
             SELECT name FROM release INDEXED BY release_by_time
             WHERE trust = ? AND first_seen_ms < ? LIMIT ?) RETURNING name`,
          ...[trust, Math.min(beforeMs, oldestKeptMs ?? beforeMs), limit],
        )
        .toArray();
      for (const { name } of deleted) this.scripts.remove(name);
      hasMore ||= deleted.length > 0;
    }
    if (hasMore) this.clearCache();
    return hasMore;
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#cache.clear();
    this.#newCounts.clear();
    this.scripts.clearCache();
  }

  /** False if the day has reached its limit for this level. */
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

/** The newest releases of each level, among which one of the app of a page is searched. */
const MAX_SEEN = 20;
/** A name has up to 2,000 characters. */
const MAX_CACHED = 1_000;
/** A rebuild reads the days of a whole archive. */
const MAX_COUNTED_DAYS = 400;

const MAX_CACHED_SCRIPTS = 200;

/**
 * SQLite table of the built scripts in the stacks of each release, to count how many have source
 * maps. Trusted and public reports may each add `limits.scriptsPerRelease`. Synchronous.
 */
class ReleaseScriptTable {
  readonly #sql: SqlStorage;
  /** The files of the latest releases: most reports name known ones. */
  readonly #cache = new Map<string, Set<string>>();

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  /** Adds the built scripts of a sent stack. */
  addStack(release: string, isTrusted: boolean, sentStack: string): void {
    for (const frame of parseSentStack(sentStack)) {
      if (looksBundled(frame)) this.#add(release, isTrusted, frame);
    }
  }

  #add(release: string, isTrusted: boolean, { file, debugIds }: ReleaseScript): void {
    const known = this.#readFiles(release, isTrusted);
    if (known.has(file) || known.size >= limits.scriptsPerRelease) return;
    known.add(file);
    const insert = `INSERT OR IGNORE INTO release_script(release, is_trusted, file, debug_id)
      VALUES (?, ?, ?, ?)`;
    this.#sql.exec(insert, release, isTrusted ? 1 : 0, file, debugIds?.join() ?? null);
  }

  #readFiles(release: string, isTrusted: boolean): Set<string> {
    const key = `${isTrusted} ${release}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const files = new Set(this.#read(release, isTrusted).map(({ file }) => file));
    if (this.#cache.size >= MAX_CACHED_SCRIPTS) this.#cache.clear();
    this.#cache.set(key, files);
    return files;
  }

  /** The scripts of a release. Includes those of public reports only if trusted ones named none. */
  list(release: string): readonly ReleaseScript[] {
    const trusted = this.#read(release, true);
    return trusted.length > 0 ? trusted : this.#read(release, false);
  }

  #read(release: string, isTrusted: boolean): readonly ReleaseScript[] {
    const query = "SELECT file, debug_id FROM release_script WHERE release = ? AND is_trusted = ?";
    return this.#sql
      .exec<{ file: string; debug_id: string | null }>(query, release, isTrusted ? 1 : 0)
      .toArray()
      .map(({ file, debug_id }) => ({ file, debugIds: debug_id?.split(",") }));
  }

  /** Removes the scripts of a release, or only those whose file `matches`. */
  remove(release: string, matches: (file: string) => boolean = () => true): void {
    for (const isTrusted of [true, false]) {
      const found = this.#read(release, isTrusted).filter(({ file }) => matches(file));
      const query = "DELETE FROM release_script WHERE release = ? AND is_trusted = ? AND file = ?";
      for (const { file } of found) this.#sql.exec(query, release, isTrusted ? 1 : 0, file);
    }
    if (this.#cache.size > 0) this.clearCache();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#cache.clear();
  }
}
