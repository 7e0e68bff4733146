/**
 * The Worker's side of the log: reports are written as lines here, once, and sent to the shard that their id belongs to.
 */
import { limits } from "../core/limits.ts";
import { markOf } from "../core/mark.ts";
import type { Appended, Log } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { Report } from "../core/report.ts";
import type { Tally } from "../core/tally.ts";
import type { Bindings } from "../env.ts";
import { inTime } from "./in-time.ts";
import { shardName, shardOf } from "./keys.ts";
import type { Entry } from "./rpc.ts";

/** A sender that waits longer has gone; it may send again, because an id counts once. */
const APPEND_PATIENCE_MS = 10_000;

/** The log of one project over `shards` objects. `append` rejects when any of them cannot promise durability. */
export function createLog(
  bindings: Pick<Bindings, "REPORT_LOG">,
  settings: { readonly project: string; readonly shards: number; readonly nowMs: () => number },
): Log {
  /** One call to each shard of these reports; the tallies go where a report goes, else to any shard. */
  async function appendBatch(reports: readonly Report[], tallies: readonly Tally[]) {
    const perShard = Map.groupBy(reports, ({ id }) => shardOf(id, settings.shards));
    const tallied = perShard.keys().next().value ?? anyShard(settings);
    if (tallies.length > 0 && !perShard.has(tallied)) perShard.set(tallied, []);
    const answers = await Promise.all(
      [...perShard].map(([shard, its]) => {
        const object = bindings.REPORT_LOG.getByName(shardName(settings.project, shard));
        const appended = object.append(its.map(entryOf), shard === tallied ? tallies : []);
        return inTime(appended, APPEND_PATIENCE_MS);
      }),
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

function anyShard({ shards, nowMs }: { shards: number; nowMs: () => number }): string {
  return String(nowMs() % shards);
}

function entryOf({ retryId, ...report }: Report): Entry {
  const { position: _position, ...mark } = markOf(report, "");
  const files = report.attachments?.length;
  return { id: report.id, line: JSON.stringify(report), mark, ...present({ retryId, files }) };
}
