/**
 * The Worker's side of the log: reports are written as lines here, once, and sent to the shard that their id belongs to.
 */

import type { Bindings } from "../../config.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { AppendResult, ReportWriter } from "../../core/ports/storage-ports.ts";
import { summarizeReport } from "../../core/report/report-summary.ts";
import { serializeReport } from "../../core/report/serialize-report.ts";
import type { Report } from "../../core/report.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import { selectShard } from "../kv/keys.ts";
import type { LogEntry } from "../rpc/rpc.ts";
import { createStubs, type StoreOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Spool } from "./spool.ts";

/** A sender that waits longer has gone; it may send again, because an id counts once. */
const APPEND_TIMEOUT_MS = 10_000;

/** How a Worker appends. */
export interface ReportWriterOptions extends StoreOptions {
  /** Where reports go that a shard does not take; without it they are refused. */
  readonly spool?: Spool;
  /** How long a shard may take to answer. */
  readonly timeoutMs?: number;
}

/**
 * The log of one project over `shards` objects. What one of them does not take is spilled; `append` rejects when that cannot
 * promise durability either.
 */
export function createReportWriter(
  bindings: Pick<Bindings, "REPORT_LOG" | "PROJECT_INDEX">,
  options: ReportWriterOptions,
): ReportWriter {
  const stubs = createStubs(bindings, options);
  const { spool, timeoutMs = APPEND_TIMEOUT_MS } = options;

  async function appendTo(
    shard: string,
    reports: readonly Report[],
    counters: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]> {
    const entries = reports.map(toLogEntry);
    try {
      return await withTimeout(stubs.log(shard).append(entries, counters), timeoutMs);
    } catch (cause) {
      // Tallies alone are not worth one of the day's writes, and have no id by which to count once.
      if (spool === undefined || entries.length === 0) throw cause;
      await spool.store(shard, entries, counters, cause);
      return entries.map(({ id }) => ({ id, isDuplicate: false, isSpooled: true }));
    }
  }

  /**
   * One call to each shard of these reports; the tallies go where a report goes, else to the shard of the first that counts once, else to
   * any: a shard that is away keeps none of what another has taken from being acknowledged.
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
      // One after another: the lines of one call only are in memory together.
      for (const [n, batch] of batches.entries()) {
        // With the last of them: a sender that must send again has counted nothing yet.
        const isLast = n === batches.length - 1;
        results.push(...(await appendBatch(batch, isLast ? counters : [])));
      }
      return results;
    },
  };
}

/** As many as one call takes; one empty batch where there are none. */
function splitIntoBatches(reports: readonly Report[]): readonly (readonly Report[])[] {
  const batches = [reports.slice(0, limits.maxReportsPerAppend)];
  for (let at = limits.maxReportsPerAppend; at < reports.length; at += limits.maxReportsPerAppend) {
    batches.push(reports.slice(at, at + limits.maxReportsPerAppend));
  }
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
  const { id, retryId, attachments } = report;
  const { position: _position, ...summary } = summarizeReport(report, "");
  const fileCount = attachments?.length;
  return { id, line: serializeReport(report), summary, ...omitUndefined({ retryId, fileCount }) };
}
