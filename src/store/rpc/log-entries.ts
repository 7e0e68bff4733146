/** What the index is told of one row of the log that was read again: the same as when it was written. */
import { summarizeReport } from "../../core/report/report-summary.ts";
import { toSearchText } from "../../core/report/search-text.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseCounterLine, parseRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { LogRow } from "../log/log-rows.ts";
import type { SequencedItem } from "./rpc.ts";

/** The marks, sums and tallies of a row, in the order of its lines. A line that is none of them is left out. */
export function* toSequencedItems(row: LogRow, shard: string): Generator<SequencedItem> {
  const { seq, hour, chunk, firstLine, lines } = row;
  for (const [i, line] of lines.entries()) {
    const position = formatPosition({ hour, shard, chunk, line: firstLine + i });
    const report = parseStoredReport(line);
    const rollup = report === null ? parseRollupLine(line) : null;
    const dailyCounters = report === null ? parseCounterLine(line) : null;
    if (report !== null)
      yield { seq, summary: summarizeReport(report, position), searchText: toSearchText(report) };
    if (rollup !== null) {
      const { summary, occurrences, lastAtMs } = rollup;
      yield { seq, summary: { ...summary, occurrences, lastAtMs, position } };
    }
    if (dailyCounters !== null) yield { seq, dailyCounters };
  }
}
