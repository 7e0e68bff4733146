/**
 * The Worker's side of the log: reports are written as lines here, once, and sent to the shard that their id belongs to.
 */
import { limits } from "../core/limits.ts";
import { lineOf } from "../core/line.ts";
import { markOf } from "../core/mark.ts";
import type { Appended, Log } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { Report } from "../core/report.ts";
import type { Tally } from "../core/tally.ts";
import type { Bindings } from "../env.ts";
import { inTime } from "./in-time.ts";
import { shardOf } from "./keys.ts";
import { objectsOf, type StoreFacts } from "./objects.ts";
import type { Entry } from "./rpc.ts";
import type { Spill } from "./spill.ts";

/** A sender that waits longer has gone; it may send again, because an id counts once. */
const APPEND_PATIENCE_MS = 10_000;

/** How a Worker appends. */
export interface LogFacts extends StoreFacts {
  /** Where reports go that a shard does not take; without it they are refused. */
  readonly spill?: Spill;
  /** How long a shard may take to answer. */
  readonly patienceMs?: number;
}

/**
 * The log of one project over `shards` objects. What one of them does not take is spilled; `append` rejects when that cannot
 * promise durability either.
 */
export function createLog(
  bindings: Pick<Bindings, "REPORT_LOG" | "PROJECT_INDEX">,
  settings: LogFacts,
): Log {
  const objects = objectsOf(bindings, settings);
  const { spill, patienceMs = APPEND_PATIENCE_MS } = settings;

  async function appendTo(
    shard: string,
    reports: readonly Report[],
    tallies: readonly Tally[],
  ): Promise<readonly Appended[]> {
    const entries = reports.map(entryOf);
    try {
      return await inTime(objects.shard(shard).append(entries, tallies), patienceMs);
    } catch (cause) {
      // Tallies alone are not worth one of the day's writes, and have no id by which to count once.
      if (spill === undefined || entries.length === 0) throw cause;
      await spill.keep(shard, entries, tallies, cause);
      return entries.map(({ id }) => ({ id, repeated: false, spilled: true }));
    }
  }

  /**
   * One call to each shard of these reports; the tallies go where a report goes, else to the shard of the first that counts once, else to
   * any: a shard that is away keeps none of what another has taken from being acknowledged.
   */
  async function appendBatch(reports: readonly Report[], tallies: readonly Tally[]) {
    const perShard = Map.groupBy(reports, ({ id }) => shardOf(id, settings.shards));
    const tallied = perShard.keys().next().value ?? shardOfTallies(tallies, settings);
    if (tallies.length > 0 && !perShard.has(tallied)) perShard.set(tallied, []);
    const answers = await Promise.all(
      [...perShard].map(([shard, its]) => appendTo(shard, its, shard === tallied ? tallies : [])),
    );
    const byId = new Map(answers.flat().map((answer) => [answer.id, answer]));
    return reports.map(({ id }) => byId.get(id)).filter((answer) => answer !== undefined);
  }

  return {
    async append(reports, tallies = []): Promise<readonly Appended[]> {
      const batches = batchesOf(reports);
      const answers: Appended[] = [];
      // One after another: the lines of one call only are in memory together.
      for (const [n, batch] of batches.entries()) {
        // With the last of them: a sender that must send again has counted nothing yet.
        const isLast = n === batches.length - 1;
        answers.push(...(await appendBatch(batch, isLast ? tallies : [])));
      }
      return answers;
    },
  };
}

/** As many as one call takes; one empty batch where there are none. */
function batchesOf(reports: readonly Report[]): readonly (readonly Report[])[] {
  const batches = [reports.slice(0, limits.maxReportsPerAppend)];
  for (let at = limits.maxReportsPerAppend; at < reports.length; at += limits.maxReportsPerAppend) {
    batches.push(reports.slice(at, at + limits.maxReportsPerAppend));
  }
  return batches;
}

function shardOfTallies(tallies: readonly Tally[], { shards, nowMs }: StoreFacts): string {
  const [, , once] = tallies.find(([, , id]) => id !== undefined) ?? [];
  return once === undefined ? String(nowMs() % shards) : shardOf(once, shards);
}

function entryOf(report: Report): Entry {
  const { id, retryId, attachments } = report;
  const { position: _position, ...mark } = markOf(report, "");
  const files = attachments?.length;
  return { id, line: lineOf(report), mark, ...present({ retryId, files }) };
}
