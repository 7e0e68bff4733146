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
import { present } from "../core/present.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import type { Bindings } from "../env.ts";
import { inTime } from "./in-time.ts";
import { projectOfSpill, SPILL_START, shardOf, spillPrefix } from "./keys.ts";
import { objectsOf, type StoreFacts } from "./objects.ts";
import type { Entry } from "./rpc.ts";
import { readSpilled, type Spilled, spilledAtMs, spilledKey, spilledOf } from "./spilled.ts";

/** How long KV or a shard may take for one answer. */
const PATIENCE_MS = 10_000;
/** KV takes one write a second per key, and a deletion is one. */
const PAUSE_MS = 2_000;
/** The platform ends work behind a response after 30 s: what is older is nobody's turn but the cron's. */
const OWN_TURN_MS = 60_000;
/** A run of the cron ends a minute before the next begins. */
const RUN_MS = 240_000;
/** One page of a list. On the free plan the platform ends a run earlier, after 1,000 operations; what is left is for the next. */
const MAX_VALUES_PER_RUN = 1_000;
/** Pages of a list of what waits in all projects: one, but after an outage. */
const MAX_LISTS = 10;
/** A shard that fails so often in a run is left alone until the next. Not at once: it may be a value that it cannot take. */
const MAX_FAILURES_PER_SHARD = 3;
/** A shard remembers ids of a day at hand; of what waited longer it is asked for all that it ever had. */
const REMEMBERED_MS = 20 * 3_600_000;

/** What spills, and how. */
export interface SpillFacts extends StoreFacts {
  readonly retentionDays: number;
  /** A random id. */
  readonly mintId: () => string;
  /** Lets work go on behind the response. */
  readonly after: (work: Promise<unknown>) => void;
  readonly patienceMs?: number;
  readonly pauseMs?: number;
}

/** The way beside the log. */
export interface Spill {
  /**
   * Resolves when all of a call to `shard` is durable in KV; rejects when KV refuses. `cause` is why the shard did not take it.
   */
  keep(
    shard: string,
    entries: readonly Entry[],
    tallies: readonly Tally[],
    cause: unknown,
  ): Promise<void>;
  /**
   * Feeds what waits to the log, the oldest first, and forgets what is durable there. What a shard does not take yet waits on,
   * and what cannot be read is left as it is; the Worker's log says so of both. What has just been spilled is left to the response
   that spilled it, unless `young` asks for it too. Resolves to how many waits
   * on; rejects when KV does not say.
   */
  feed(options?: { readonly young?: boolean }): Promise<number>;
}

/** The spill of one project. */
export function createSpill(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  facts: SpillFacts,
): Spill {
  const { project, shards, nowMs, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = facts;
  const { KV: kv } = bindings;
  const objects = objectsOf(bindings, facts);
  const expirationTtl = facts.retentionDays * 86_400;

  /** Asked of the shard that had the call, and of the one that the id belongs to now: `ERRATA_SHARDS` may have changed. */
  async function isInLog({ id }: Entry, asked: string, isOld: boolean): Promise<boolean> {
    const own = shardOf(id, shards);
    for (const shard of new Set([asked, own])) {
      const log = objects.shard(shard);
      // The own one looks through the whole day before it takes an id again.
      const found = isOld || shard !== own ? log.locate(id) : log.locateRecent(id);
      if ((await inTime(found, patienceMs)) !== null) return true;
    }
    return false;
  }

  async function feedOne(key: string, { shard: asked, entries, tallies }: Spilled): Promise<void> {
    const isOld = nowMs() - spilledAtMs(project, key) > REMEMBERED_MS;
    const known = await Promise.all(entries.map((entry) => isInLog(entry, asked, isOld)));
    const fresh = entries.filter((_, n) => !known[n]);
    for (const [shard, its] of Map.groupBy(fresh, ({ id }) => shardOf(id, shards))) {
      const own = its.some((entry) => entry === entries[0]) ? tallies : [];
      const append = objects.shard(shard).append(its, [...own, ...talliesOf(its)], true);
      await inTime(append, patienceMs);
    }
    await inTime(kv.delete(key), patienceMs);
    console.info("spilled reports fed", { key, reports: fresh.length });
  }

  async function feedSoon(key: string, spilled: Spilled): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await feedOne(key, spilled).catch((error) => tellWaiting(key, spilled.shard, error));
  }

  return {
    async keep(shard, entries, tallies, cause) {
      for (const spilled of spilledOf(shard, entries, tallies)) {
        const key = spilledKey(project, nowMs(), facts.mintId());
        const put = kv.put(key, JSON.stringify(spilled), { expirationTtl });
        await inTime(put, patienceMs).catch((refused) => {
          throw new AggregateError([cause, refused], "neither the log nor KV took the reports");
        });
        const reports = spilled.entries.length;
        console.warn("reports spilled", { key, shard, reports, cause: String(cause) });
        facts.after(feedSoon(key, spilled));
      }
    },

    async feed({ young = false } = {}) {
      const startedMs = nowMs();
      const failures = new Map<string, number>();
      let waiting = 0;
      const { keys } = await kv.list({ prefix: spillPrefix(project), limit: MAX_VALUES_PER_RUN });
      for (const { name: key } of keys) {
        if (nowMs() - startedMs >= RUN_MS) return Number.POSITIVE_INFINITY;
        if (!young && nowMs() - spilledAtMs(project, key) < OWN_TURN_MS) continue;
        const text = await inTime(kv.get(key), patienceMs).catch((error) => {
          tellUnread(key, error);
          return undefined;
        });
        if (text === undefined) waiting++;
        // One that is gone was fed elsewhere: a list may be a minute old.
        if (text === undefined || text === null) continue;
        const spilled = readSpilled(text);
        if (spilled === null) tellUnreadable(key);
        if (spilled === null) continue;
        const failed = failures.get(spilled.shard) ?? 0;
        if (failed >= MAX_FAILURES_PER_SHARD) {
          waiting++;
          continue;
        }
        try {
          await feedOne(key, spilled);
        } catch (error) {
          waiting++;
          failures.set(spilled.shard, failed + 1);
          tellWaiting(key, spilled.shard, error);
        }
      }
      return waiting;
    },
  };
}

/** The projects of which something waits; of very much that waits, of the first. Rejects when KV does not say. */
export async function projectsWithSpill({ KV }: Pick<Bindings, "KV">): Promise<readonly string[]> {
  const projects = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LISTS; page++) {
    const listed = await KV.list({ prefix: SPILL_START, ...present({ cursor }) });
    for (const { name } of listed.keys) projects.add(projectOfSpill(name));
    if (listed.list_complete) break;
    cursor = listed.cursor;
  }
  return [...projects];
}

/** `spilled error`: the operator sees how many came this way. */
function talliesOf(entries: readonly Entry[]): readonly Tally[] {
  const sheet = new TallySheet();
  for (const { mark } of entries) sheet.add(["spilled", mark.kind]);
  return sheet.take();
}

function tellWaiting(key: string, shard: string, error: unknown): void {
  console.warn("spilled reports wait", { key, shard, error: String(error) });
}

function tellUnread(key: string, error: unknown): void {
  console.warn("KV does not give a spilled value, which waits", { key, error: String(error) });
}

function tellUnreadable(key: string): void {
  console.warn("a spilled value cannot be read and stays", { key });
}
