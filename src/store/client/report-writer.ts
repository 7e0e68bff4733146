/** Serializes reports and sends each to the shard of its id. */

import { limits } from "../../core/limits.ts";
import type { AppendResult, ReportWriter } from "../../core/ports/storage-ports.ts";
import { summarizeReport } from "../../core/report/report-summary.ts";
import { serializeReport } from "../../core/report/serialize-report.ts";
import type { Report } from "../../core/report.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import { selectShard } from "../kv/keys.ts";
import type { LogEntry } from "../log/log-entries.ts";
import { connectProject, OBJECTS, type StoreOptions } from "../objects.ts";
import {
  type AppendCoalescer,
  type CoalescerOptions,
  createAppendCoalescer,
} from "./coalesce-appends.ts";
import type { Spool } from "./spool.ts";

export interface ReportWriterOptions extends StoreOptions, CoalescerOptions {
  /** Stores reports that a shard does not accept. Without a spool, `append` rejects. */
  readonly spool?: Spool;
  /** The coalescer of the isolate. By default, the writer creates one. */
  readonly coalescer?: AppendCoalescer;
}

/** The writer of a project. `append` rejects if neither a shard nor the spool accepts a report. */
export function createReportWriter(bindings: object, options: ReportWriterOptions): ReportWriter {
  const { log } = connectProject(() => bindings, options);
  const { spool, project, coalescer = createAppendCoalescer(options) } = options;

  async function appendTo(
    shard: string,
    reports: readonly Report[],
    counters: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]> {
    const entries = reports.map(toLogEntry);
    try {
      const name = OBJECTS.log.toName(project, shard);
      return await coalescer.append({ name, log: log(shard) }, { entries, counters });
    } catch (cause) {
      // Counters are not worth a KV write, and without an id they could count twice.
      if (spool === undefined || entries.length === 0) throw cause;
      await spool.store(shard, entries, counters, cause);
      return entries.map(({ id }) => ({ id, isDuplicate: false, isSpooled: true }));
    }
  }

  /**
   * Makes one call per shard. The counters go with a report. Without reports, they go to the shard
   * of the first counter with an id, or to any shard.
   */
  async function appendBatch(reports: readonly Report[], counters: readonly CounterDelta[]) {
    const byShard = Map.groupBy(reports, ({ id }) => selectShard(id, options.shards));
    const counterShard = byShard.keys().next().value ?? selectCounterShard(counters, options);
    if (counters.length > 0 && !byShard.has(counterShard)) byShard.set(counterShard, []);
    const results = await Promise.all(
      [...byShard].map(([shard, shardReports]) =>
        appendTo(shard, shardReports, shard === counterShard ? counters : []),
      ),
    );
    const byId = new Map(results.flat().map((result) => [result.id, result]));
    return reports.map(({ id }) => byId.get(id)).filter((result) => result !== undefined);
  }

  return {
    async append(reports, counters = []): Promise<readonly AppendResult[]> {
      const batches = splitIntoBatches(reports);
      const results: AppendResult[] = [];
      // Sends batches one after another, so that only the lines of one are in memory.
      for (const [n, batch] of batches.entries()) {
        // Counters go with the last batch: if an earlier one fails, nothing is counted twice.
        const isLast = n === batches.length - 1;
        results.push(...(await appendBatch(batch, isLast ? counters : [])));
      }
      return results;
    },
  };
}

/** Batches of the size of one call; one empty batch if there are no reports. */
function splitIntoBatches(reports: readonly Report[]): readonly (readonly Report[])[] {
  const batches = [reports.slice(0, limits.maxReportsPerAppend)];
  for (let at = limits.maxReportsPerAppend; at < reports.length; at += limits.maxReportsPerAppend)
    batches.push(reports.slice(at, at + limits.maxReportsPerAppend));
  return batches;
}

function selectCounterShard(
  counters: readonly CounterDelta[],
  { shards, nowMs }: StoreOptions,
): string {
  const [, , dedupeId] = counters.find(([, , id]) => id !== undefined) ?? [];
  return dedupeId === undefined ? String(nowMs() % shards) : selectShard(dedupeId, shards);
}

function toLogEntry(report: Report): LogEntry {
  const { id, retryId, attachments, receivedAtMs } = report;
  const { position: _position, ...summary } = summarizeReport(report, "");
  const fileCount = attachments?.length;
  const line = serializeReport(report);
  return { id, line, summary, receivedAtMs, retryId, fileCount };
}
