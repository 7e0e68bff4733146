/**
 * The spill: what a shard does not take, because it is overloaded or cannot be reached, is written into KV at once, acknowledged,
 * and fed to the log when the shard is back: two seconds later behind the same response, then every five minutes, and
 * before a whole project is exported, erased or rebuilt.
 *
 * A spill is one write of KV a call, from what the day's budget leaves: on the free plan 50 of 1,000 (`env.ts`). When those are
 * used up KV refuses, the reports are not acknowledged, and the sender is told when to come again (503, `Retry-After`). A look
 * for what waits is one list for all projects, 288 of the free plan's 1,000 a day, and one more for each of which something waits.
 *
 * No report is counted twice. What may have been written, by a call without an answer or by an earlier feeding, is asked for by
 * its id first; a shard that hears such a call even later knows the id then. Most tallies have no id: they count in one write with the
 * first report of their call, when that is new. So it is harmless that two may feed one value at a time: the response that spilled,
 * the cron, and whoever exports, erases or rebuilds.
 */

import type { Bindings } from "../../config.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { CounterBatch, type CounterDelta } from "../../core/stats/counters.ts";
import { parseSpoolProject, SPOOL_ROOT, selectShard, spoolPrefix } from "../kv/keys.ts";
import type { LogEntry } from "../rpc/rpc.ts";
import { createStubs, type StoreOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";
import {
  createSpoolKey,
  parseSpoolEntry,
  parseSpooledMs,
  type SpoolEntry,
  splitIntoSpoolEntries,
} from "./spool-entry.ts";

/** How long KV or a shard may take for one answer. */
const SPOOL_TIMEOUT_MS = 10_000;
/** KV takes one write a second per key, and a deletion is one. */
const DRAIN_DELAY_MS = 2_000;
/** The platform ends work behind a response after 30 s: what is older is nobody's turn but the cron's. */
const OWNER_DRAIN_MS = 60_000;
/** A run of the cron ends a minute before the next begins. */
const MAX_RUN_MS = 240_000;
/** One page of a list. On the free plan the platform ends a run earlier, after 1,000 operations; what is left is for the next. */
const MAX_VALUES_PER_RUN = 1_000;
/** Pages of a list of what waits in all projects: one, but after an outage. */
const MAX_LIST_PAGES = 10;
/** A shard that fails so often in a run is left alone until the next. Not at once: it may be a value that it cannot take. */
const MAX_FAILURES_PER_SHARD = 3;
/** A shard remembers ids of a day at hand; of what waited longer it is asked for all that it ever had. */
const RECENT_IDS_MS = 20 * 3_600_000;

/** What spills, and how. */
export interface SpoolOptions extends StoreOptions {
  readonly retentionDays: number;
  /** A random id. */
  readonly newId: () => string;
  /** Lets work go on behind the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly timeoutMs?: number;
  readonly drainDelayMs?: number;
}

/** The way beside the log. */
export interface Spool {
  /**
   * Resolves when all of a call to `shard` is durable in KV; rejects when KV refuses. `cause` is why the shard did not take it.
   */
  store(
    shard: string,
    entries: readonly LogEntry[],
    counters: readonly CounterDelta[],
    cause: unknown,
  ): Promise<void>;
  /**
   * Feeds what waits to the log, the oldest first, and forgets what is durable there. What a shard does not take yet waits on,
   * and what cannot be read is left as it is; the Worker's log says so of both. What has just been spilled is left to the response
   that spilled it, unless `young` asks for it too. Resolves to how many waits
   * on; rejects when KV does not say.
   */
  drain(options?: { readonly young?: boolean }): Promise<number>;
}

/** The spill of one project. */
export function createSpool(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  facts: SpoolOptions,
): Spool {
  const {
    project,
    shards,
    nowMs,
    timeoutMs = SPOOL_TIMEOUT_MS,
    drainDelayMs = DRAIN_DELAY_MS,
  } = facts;
  const { KV: kv } = bindings;
  const stubs = createStubs(bindings, facts);
  const expirationTtl = facts.retentionDays * 86_400;

  /** Asked of the shard that had the call, and of the one that the id belongs to now: `ERRATA_SHARDS` may have changed. */
  async function isInLog(
    { id }: LogEntry,
    requestedShard: string,
    isOld: boolean,
  ): Promise<boolean> {
    const ownShard = selectShard(id, shards);
    for (const shard of new Set([requestedShard, ownShard])) {
      const log = stubs.log(shard);
      // The own one looks through the whole day before it takes an id again.
      const found = isOld || shard !== ownShard ? log.locate(id) : log.locateRecent(id);
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
      const ownShard = shardEntries.some((entry) => entry === entries[0]) ? counters : [];
      const append = stubs
        .log(shard)
        .append(shardEntries, [...ownShard, ...countSpooled(shardEntries)], true);
      await withTimeout(append, timeoutMs);
    }
    await withTimeout(kv.delete(key), timeoutMs);
    console.info("spooled reports stored", { key, reports: missing.length });
  }

  async function drainSoon(key: string, spoolEntry: SpoolEntry): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
    await drainOne(key, spoolEntry).catch((error) => logWaiting(key, spoolEntry.shard, error));
  }

  return {
    async store(shard, entries, counters, cause) {
      for (const spoolEntry of splitIntoSpoolEntries(shard, entries, counters)) {
        const key = createSpoolKey(project, nowMs(), facts.newId());
        const put = kv.put(key, JSON.stringify(spoolEntry), { expirationTtl });
        await withTimeout(put, timeoutMs).catch((putError) => {
          throw new AggregateError([cause, putError], "neither the log nor KV took the reports");
        });
        const reports = spoolEntry.entries.length;
        console.warn("reports spooled", { key, shard, reports, cause: String(cause) });
        facts.waitUntil(drainSoon(key, spoolEntry));
      }
    },

    async drain({ young: includeRecent = false } = {}) {
      const startedMs = nowMs();
      const failures = new Map<string, number>();
      let remaining = 0;
      const { keys } = await kv.list({ prefix: spoolPrefix(project), limit: MAX_VALUES_PER_RUN });
      for (const { name: key } of keys) {
        if (nowMs() - startedMs >= MAX_RUN_MS) return Number.POSITIVE_INFINITY;
        if (!includeRecent && nowMs() - parseSpooledMs(project, key) < OWNER_DRAIN_MS) continue;
        const text = await withTimeout(kv.get(key), timeoutMs).catch((error) => {
          logReadFailure(key, error);
          return undefined;
        });
        if (text === undefined) remaining++;
        // One that is gone was fed elsewhere: a list may be a minute old.
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

/** The projects of which something waits; of very much that waits, of the first. Rejects when KV does not say. */
export async function listSpooledProjects({
  KV,
}: Pick<Bindings, "KV">): Promise<readonly string[]> {
  const projects = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const listed = await KV.list({ prefix: SPOOL_ROOT, ...omitUndefined({ cursor }) });
    for (const { name } of listed.keys) projects.add(parseSpoolProject(name));
    if (listed.list_complete) break;
    cursor = listed.cursor;
  }
  return [...projects];
}

/** `spilled error`: the operator sees how many came this way. */
function countSpooled(entries: readonly LogEntry[]): readonly CounterDelta[] {
  const counterBatch = new CounterBatch();
  for (const { summary } of entries) counterBatch.add(["spooled", summary.kind]);
  return counterBatch.drain();
}

function logWaiting(key: string, shard: string, error: unknown): void {
  console.warn("spooled reports still waiting", { key, shard, error: String(error) });
}

function logReadFailure(key: string, error: unknown): void {
  console.warn("KV failed to read a spool entry", { key, error: String(error) });
}

function logUnreadable(key: string): void {
  console.warn("spool entry cannot be parsed", { key });
}
