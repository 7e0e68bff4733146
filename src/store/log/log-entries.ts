/**
 * What a log receives and sends: entries that the Worker appends, and items that the index applies.
 * All is plain data, because calls between objects clone it.
 */
import type { AppendResult } from "../../core/ports/storage-ports.ts";
import { type ReportSummary, summarizeReport } from "../../core/report/report-summary.ts";
import { toSearchText } from "../../core/report/search-text.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { Result } from "../../core/result.ts";
import type { CounterDelta, DailyCounters } from "../../core/stats/counters.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseCounterLine, parseRollupLine, parseStoredReport } from "../kv/stored-json.ts";

/** A report to append. It is sent as its stored line, so that it is serialized only once. */
export interface LogEntry {
  readonly id: ReportId;
  /** The id that a retry may have instead. */
  readonly retryId?: ReportId;
  /** Number of attachments. */
  readonly fileCount?: number;
  /** The report as one line of JSON. */
  readonly line: string;
  /** The summary for the index; the log adds the position. */
  readonly summary: Omit<ReportSummary, "position">;
  /** When the Worker received the report, ms. */
  readonly receivedAtMs?: number;
}

/** Reports and counters of a request. With `ifNew`, the counters count only if an entry is new. */
export interface AppendPart {
  readonly entries: readonly LogEntry[];
  readonly counters: readonly CounterDelta[];
  readonly ifNew?: boolean;
}

/** One result per entry, or why the part may not be durable. */
export type AppendOutcome = Result<
  readonly AppendResult[],
  { readonly reason: "not-written"; readonly cause: string }
>;

/** A report, a rollup or counters, as the index applies them. */
export type IndexItem =
  | {
      readonly summary: ReportSummary;
      /** The text that finds its issue; only for the first report of an issue and hour. */
      readonly searchText?: string;
      /** When the Worker received the report, ms; absent for a rollup. */
      readonly receivedAtMs?: number;
      /** Set for a report of an import, which causes no alert. */
      readonly isImported?: true;
    }
  | { readonly dailyCounters: DailyCounters };

/** An item with its log row. Rows are numbered without gaps. */
export type SequencedItem = IndexItem & { readonly seq: number };

/** The answer of the index to rows of a log. */
export interface ApplyResult {
  /** The last applied row: the log continues after it. */
  readonly seq: number;
  /** The last row whose changes are stored: the log keeps later rows. */
  readonly storedSeq: number;
  /** Changes when the index restarts, which loses the changes that are not stored. */
  readonly startId: string;
  /** The common issues among the applied ones: their chunks need shorter retention. */
  readonly commonIssues: readonly Digest[];
}

/** Lines of a chunk, starting with line `firstLine`. They are the log row `seq`. */
export interface LoggedLines {
  readonly seq: number;
  readonly hour: string;
  readonly chunk: number;
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Set for imported lines, which cause no alert. */
  readonly isImported?: true;
}

/** One item per report, rollup and counter line, in order. Other lines are skipped. */
export function* toSequencedItems(
  { seq, hour, chunk, firstLine, lines, isImported }: LoggedLines,
  shard: string,
): Generator<SequencedItem> {
  // Only if it is set: the outbox tells imported items apart by it.
  const mark = isImported && { isImported };
  for (const [i, line] of lines.entries()) {
    const position = formatPosition({ hour, shard, chunk, line: firstLine + i });
    const report = parseStoredReport(line);
    if (report !== null) {
      const searchText = toSearchText(report);
      const { receivedAtMs } = report;
      yield { seq, summary: summarizeReport(report, position), searchText, receivedAtMs, ...mark };
      continue;
    }
    const rollup = parseRollupLine(line);
    if (rollup !== null) {
      const { summary, occurrences, lastAtMs } = rollup;
      yield { seq, summary: { ...summary, occurrences, lastAtMs, position }, ...mark };
      continue;
    }
    const dailyCounters = parseCounterLine(line);
    if (dailyCounters !== null) yield { seq, dailyCounters };
  }
}
