/** Converts stored lines to the items that the index applies. */
import { omitUndefined } from "../../core/omit-undefined.ts";
import { summarizeReport } from "../../core/report/report-summary.ts";
import { toSearchText } from "../../core/report/search-text.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseCounterLine, parseRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { SequencedItem } from "./index-rpc.ts";

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
  const mark = omitUndefined({ isImported });
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
