/**
 * The spool stores reports in KV that a shard does not accept because it is overloaded or
 * unreachable. They are acknowledged at once and appended to the log later: two seconds after the
 * response, then by the cron job every five minutes, and before an export, erasure or rebuild.
 *
 * An append costs one KV write outside of the write budget: on the free plan 50 of 1,000 remain
 * (`config.ts`). Public and page reports have a quota of these (`spool-quota.ts`). If KV or the
 * quota refuses, the reports are not acknowledged, and the sender gets 503 with `Retry-After`. The
 * cron job needs one list for all projects (288 of the free plan's 1,000 a day), and one more for
 * each project with entries.
 *
 * No report counts twice. A drain looks up each id first: an append with a lost response or an
 * earlier drain may have stored it. Most counters have no id; they count with the first report of
 * their append if it is new. Concurrent drains of one entry are harmless.
 */
import type { Bindings } from "../../bindings.ts";
import { asRecord } from "../../core/decode/as-type.ts";
import { parseJsonText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { CounterBatch, type CounterDelta } from "../../core/stats/counters.ts";
import {
  parseSpoolProject,
  SPOOL_ROOT,
  selectShard,
  toSpoolKey,
  toSpoolPrefix,
} from "../kv/keys.ts";
import type { LogEntry } from "../log/log-entries.ts";
import { connectProject, type StoreOptions } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";
import { appendPart } from "./coalesce-appends.ts";
import { createSpoolQuota, type SpoolRefusals } from "./spool-quota.ts";

/** Time limit for KV or a shard. */
const SPOOL_TIMEOUT_MS = 10_000;
/** KV allows one write per second and key, and the deletion is one. */
const DRAIN_DELAY_MS = 2_000;
/** The platform ends `waitUntil` after 30 s, so the cron job drains older entries. */
const OWNER_DRAIN_MS = 60_000;
/** A run ends a minute before the next cron run starts. */
const MAX_RUN_MS = 240_000;
/** One page of a list. On the free plan a run ends earlier, after 1,000 operations. */
const MAX_VALUES_PER_RUN = 1_000;
/** Maximum pages of the list of all projects' entries. One is enough, except after an outage. */
const MAX_LIST_PAGES = 10;
/** After this many failures, a run skips a shard. One failure can be due to the entry. */
const MAX_FAILURES_PER_SHARD = 3;
/** A shard deduplicates the ids of a day; for older entries `locate` searches all ids. */
const RECENT_IDS_MS = 20 * 3_600_000;

interface SpoolOptions extends StoreOptions {
  readonly retentionDays: number;
  /** Creates a random id. */
  readonly newId: () => string;
  /** Continues work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly timeoutMs?: number;
  readonly drainDelayMs?: number;
  /** The refusals of the isolate. By default, the spool creates its own. */
  readonly refusals?: SpoolRefusals;
}

/** The spool of one project. */
export interface Spool {
  /**
   * Resolves when an append is durable in KV; rejects if KV fails or the quota is used up. `cause`:
   * the shard's error.
   */
  store(
    shard: string,
    entries: readonly LogEntry[],
    counters: readonly CounterDelta[],
    cause: unknown,
  ): Promise<void>;
  /**
   * Appends entries to the log, oldest first, and deletes those that are durable there. Entries
   * that a shard does not accept or that cannot be parsed stay; the status page shows both. Entries
   * of the last minute are left to the request that stored them, unless `includeRecent` is set.
   * Resolves to the number of entries that wait; rejects if KV fails.
   */
  drain(options?: { readonly includeRecent?: boolean }): Promise<number>;
}

export function createSpool(bindings: Pick<Bindings, "KV">, options: SpoolOptions): Spool {
  const {
    project,
    shards,
    nowMs,
    timeoutMs = SPOOL_TIMEOUT_MS,
    drainDelayMs = DRAIN_DELAY_MS,
  } = options;
  const { KV: kv } = bindings;
  const { index, log } = connectProject(() => bindings, options);
  const expirationTtl = options.retentionDays * 86_400;
  const { refusals = new Map() } = options;
  const takeWrite = createSpoolQuota({ project, index, refusals, nowMs });

  /** Asks the append's shard and the id's current shard: `ERRATA_SHARDS` may have changed. */
  async function isInLog(
    { id }: LogEntry,
    requestedShard: string,
    isOld: boolean,
  ): Promise<boolean> {
    const ownShard = selectShard(id, shards);
    for (const shard of new Set([requestedShard, ownShard])) {
      // The id's shard deduplicates ids of the last day when it appends.
      const found =
        isOld || shard !== ownShard ? log(shard).locate(id) : log(shard).locateRecent(id);
      if ((await withTimeout(found, timeoutMs)) !== null) return true;
    }
    return false;
  }

  async function drainOne(
    key: string,
    { shard: requestedShard, entries, counters }: SpoolEntry,
  ): Promise<void> {
    const isOld = nowMs() - parseSpooledMs(project, key) > RECENT_IDS_MS;
    const inLog = await Promise.all(entries.map((entry) => isInLog(entry, requestedShard, isOld)));
    const missing = entries.filter((_, n) => !inLog[n]);
    for (const [shard, shardEntries] of Map.groupBy(missing, ({ id }) => selectShard(id, shards))) {
      const ownCounters = shardEntries.some((entry) => entry === entries[0]) ? counters : [];
      const allCounters = [...ownCounters, ...countSpooled(shardEntries)];
      const part = { entries: shardEntries, counters: allCounters, ifNew: true };
      await appendPart(log(shard), part, timeoutMs);
    }
    await withTimeout(kv.delete(key), timeoutMs);
    console.info("spool: reports stored in the log", { key, reports: missing.length });
  }

  async function drainSoon(key: string, spoolEntry: SpoolEntry): Promise<void> {
    await scheduler.wait(drainDelayMs);
    await drainOne(key, spoolEntry).catch((error) => logWaiting(key, spoolEntry.shard, error));
  }

  return {
    async store(shard, entries, counters, cause) {
      for (const spoolEntry of splitIntoSpoolEntries(shard, entries, counters)) {
        if (!(await takeWrite(spoolEntry.entries)))
          throw new Error("no spool writes are left for untrusted reports", { cause });
        const key = createSpoolKey(project, nowMs(), options.newId());
        const put = kv.put(key, JSON.stringify(spoolEntry), { expirationTtl });
        await withTimeout(put, timeoutMs).catch((putError) => {
          throw new AggregateError(
            [cause, putError],
            "neither the log nor KV accepted the reports",
          );
        });
        const reports = spoolEntry.entries.length;
        console.warn("spool: reports written to KV", { key, shard, reports, cause: String(cause) });
        options.waitUntil(drainSoon(key, spoolEntry));
      }
    },

    async drain({ includeRecent = false } = {}) {
      const startedMs = nowMs();
      const failures = new Map<string, number>();
      let remaining = 0;
      const { keys } = await kv.list({ prefix: toSpoolPrefix(project), limit: MAX_VALUES_PER_RUN });
      for (const { name: key } of keys) {
        if (nowMs() - startedMs >= MAX_RUN_MS) return Number.POSITIVE_INFINITY;
        if (!includeRecent && nowMs() - parseSpooledMs(project, key) < OWNER_DRAIN_MS) continue;
        const text = await withTimeout(kv.get(key), timeoutMs).catch((error) => {
          logReadFailure(key, error);
          return undefined;
        });
        if (text === undefined) remaining++;
        // A missing entry was drained elsewhere: the list may be a minute old.
        if (text === undefined || text === null) continue;
        const spoolEntry = parseSpoolEntry(text);
        if (spoolEntry === null) logUnreadable(key);
        if (spoolEntry === null) continue;
        const failed = failures.get(spoolEntry.shard) ?? 0;
        if (failed >= MAX_FAILURES_PER_SHARD) {
          remaining++;
          continue;
        }
        try {
          await drainOne(key, spoolEntry);
        } catch (error) {
          remaining++;
          failures.set(spoolEntry.shard, failed + 1);
          logWaiting(key, spoolEntry.shard, error);
        }
      }
      return remaining;
    },
  };
}

/** The projects with spool entries on `MAX_LIST_PAGES` pages. Rejects if KV fails. */
export async function listSpooledProjects({
  KV,
}: Pick<Bindings, "KV">): Promise<readonly string[]> {
  const projects = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const listed = await KV.list({ prefix: SPOOL_ROOT, cursor });
    for (const { name } of listed.keys) projects.add(parseSpoolProject(name));
    if (listed.list_complete) break;
    cursor = listed.cursor;
  }
  return [...projects];
}

/** The counter `spooled <kind>`, which the status page shows. */
function countSpooled(entries: readonly LogEntry[]): readonly CounterDelta[] {
  const counterBatch = new CounterBatch();
  for (const { summary } of entries) counterBatch.add(["spooled", summary.kind]);
  return counterBatch.drain();
}

function logWaiting(key: string, shard: string, error: unknown): void {
  console.warn("spool: the log does not accept reports yet", { key, shard, error: String(error) });
}

function logReadFailure(key: string, error: unknown): void {
  console.warn("spool: cannot read an entry from KV", { key, error: String(error) });
}

function logUnreadable(key: string): void {
  console.warn("spool: cannot parse an entry", { key });
}

// A spool entry: the reports of one append that a shard did not accept, as one KV value. Its key
// has the time when it was stored.

/** `{"v":1,"shard":"0","entries":[…],"counters":[…]}` */
export interface SpoolEntry {
  readonly v: 1;
  /** The shard of the append. It may have stored the reports and lost the response. */
  readonly shard: string;
  /** At least one. */
  readonly entries: readonly LogEntry[];
  /** The counters of the append. Without ids, they count if the first entry is new. */
  readonly counters: readonly CounterDelta[];
}

/** A character of a line is at most three bytes: the value stays below KV's 25 MiB. */
const MAX_VALUE_CHARS = 6 * 1024 * 1024;

/** The entries of an append: one, unless its reports are very large. The first has the counters. */
export function splitIntoSpoolEntries(
  shard: string,
  entries: readonly LogEntry[],
  counters: readonly CounterDelta[],
): readonly SpoolEntry[] {
  const groups: LogEntry[][] = [];
  let chars = 0;
  for (const entry of entries) {
    chars += entry.line.length;
    const group = groups.at(-1);
    if (group === undefined || chars > MAX_VALUE_CHARS) {
      groups.push([entry]);
      chars = entry.line.length;
    } else {
      group.push(entry);
    }
  }
  return groups.map((group, n) => ({
    v: 1,
    shard,
    entries: group,
    counters: n > 0 ? [] : counters,
  }));
}

/** A spool entry from KV; null if it is invalid or of an unknown version. */
export function parseSpoolEntry(text: string): SpoolEntry | null {
  const value = asRecord(parseJsonText(text));
  if (value?.v !== 1 || typeof value.shard !== "string") return null;
  const { entries, counters } = value;
  if (!Array.isArray(entries) || !Array.isArray(counters)) return null;
  const isComplete = entries.length > 0 && entries.length <= limits.maxReportsPerAppend;
  return isComplete && entries.every(isLogEntry) && counters.every(isCounterDelta)
    ? (value as unknown as SpoolEntry)
    : null;
}

/** The key of an entry stored at `atMs`. A list returns the oldest first. */
export function createSpoolKey(project: string, atMs: number, id: string): string {
  return toSpoolKey(project, `${String(atMs).padStart(TIMESTAMP_CHARS, "0")}.${id}`);
}

/** When an entry was stored, by its key, in ms; 0 for an invalid key. */
function parseSpooledMs(project: string, key: string): number {
  const digits = key.slice(toSpoolPrefix(project).length).split(".", 1)[0] ?? "";
  return /^\d{13,15}$/.test(digits) ? Number(digits) : 0;
}

/** Enough milliseconds until the year 2286. */
const TIMESTAMP_CHARS = 13;

function isLogEntry(value: unknown): boolean {
  const entry = value as Partial<LogEntry> | null;
  return (
    typeof entry?.id === "string" &&
    typeof entry.line === "string" &&
    typeof entry.summary === "object" &&
    entry.summary !== null
  );
}

function isCounterDelta(value: unknown): boolean {
  return Array.isArray(value) && Array.isArray(value[0]) && typeof value[1] === "number";
}
