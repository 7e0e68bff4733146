/**
 * SQLite table of the new issues of each public key, one row per key, which show when a key floods
 * the project. A row is written with the first new issue of a minute. Synchronous.
 */

import { parseJsonText } from "../../../core/decode/parse-json.ts";
import type { Flood } from "../../../core/flood/flood.ts";
import {
  addAttempt,
  findFlood,
  isForgotten,
  KEY_ACTIVITY,
  type KeyActivity,
  type NewIssueAttempt,
  SAVE_INTERVAL_MS,
  wasFlooding,
} from "../../../core/flood/key-activity.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("key_activity", ["key"], ["json"]);

/** More than the keys of a project. Deleted keys are forgotten after a week. */
const MAX_KEYS = 50;

interface CachedActivity {
  activity: KeyActivity;
  /** The activity in the table. */
  saved: KeyActivity | undefined;
}

/** A flood that has grown by this factor is written at once. */
const GROWTH = 1.25;
const MIN_GROWTH = 20;

export class FloodTable {
  readonly #sql: SqlStorage;
  #cache: Map<string, CachedActivity> | null = null;
  /** Keys whose rows a later release has written: they are not counted, and the rows stay. */
  readonly #later = new Set<string>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Counts a report with a key that begins an issue, or would have. Call `save` afterwards. */
  add(key: string, attempt: NewIssueAttempt): void {
    const all = this.#getAll();
    if (this.#later.has(key)) return;
    const known = all.get(key);
    if (known === undefined && all.size >= MAX_KEYS) this.#removeOldest(all);
    const before = known?.activity;
    all.set(key, { activity: addAttempt(before, attempt), saved: known?.saved });
  }

  /** The floods at `nowMs`. */
  listFloods(nowMs: number): readonly Flood[] {
    return [...this.#getAll()].flatMap(([key, { activity }]) => {
      return findFlood(key, activity, nowMs) ?? [];
    });
  }

  /** True if a flood of the key was going on at `atMs`, which may have ended since. */
  wasFlooding(key: string, atMs: number): boolean {
    const known = this.#getAll().get(key);
    return known !== undefined && wasFlooding(known.activity, atMs);
  }

  /**
   * Writes the keys that changed, each at most once a minute, and when a flood begins, grows or
   * ends: the object may stop before the next report.
   */
  save(): void {
    for (const [key, cached] of this.#cache ?? []) {
      const { activity } = cached;
      if (!isDue(cached)) continue;
      this.#sql.exec(SAVE, key, KEY_ACTIVITY.encode(activity));
      cached.saved = activity;
    }
  }

  /** Deletes the keys that were not used for a week. */
  deleteExpired(nowMs: number): void {
    for (const [key, { activity }] of this.#getAll())
      if (isForgotten(activity, nowMs)) this.#remove(key);
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#cache = null;
  }

  #getAll(): Map<string, CachedActivity> {
    if (this.#cache !== null) return this.#cache;
    const rows = this.#sql.exec<{ key: string; json: string }>(
      "SELECT key, json FROM key_activity",
    );
    const cache = new Map<string, CachedActivity>();
    for (const { key, json } of rows) {
      const stored = KEY_ACTIVITY.decode(parseJsonText(json));
      if (stored.kind === "newer") this.#later.add(key);
      if (stored.kind === "ok") cache.set(key, { activity: stored.value, saved: stored.value });
    }
    this.#cache = cache;
    return cache;
  }

  #removeOldest(all: ReadonlyMap<string, CachedActivity>): void {
    const [oldest] = [...all].sort(([, a], [, b]) => a.activity.lastMs - b.activity.lastMs);
    if (oldest !== undefined) this.#remove(oldest[0]);
  }

  #remove(key: string): void {
    this.#sql.exec("DELETE FROM key_activity WHERE key = ?", key);
    this.#cache?.delete(key);
  }
}

function isDue({ activity, saved }: CachedActivity): boolean {
  const { flood, lastMs } = activity;
  if (saved === undefined || lastMs - saved.lastMs >= SAVE_INTERVAL_MS) return saved !== activity;
  const before = saved.flood;
  if (flood === undefined || before === undefined) return flood !== before;
  const isLarger = flood.otherReports >= GROWTH * before.otherReports + MIN_GROWTH;
  return isLarger || flood.networkSketch !== before.networkSketch;
}
