/** What the index is told of one row of the log that was read again: the same as when it was written. */
import { markOf } from "../core/mark.ts";
import { wordsOf } from "../core/words.ts";
import { positionOf } from "./keys.ts";
import type { Row } from "./log-rows.ts";
import type { Sequenced } from "./rpc.ts";
import { parseStoredReport, parseSumLine, parseTallyLine } from "./stored.ts";

/** The marks, sums and tallies of a row, in the order of its lines. A line that is none of them is left out. */
export function* sequencedOf(row: Row, shard: string): Generator<Sequenced> {
  const { seq, hour, chunk, firstLine, lines } = row;
  for (const [i, line] of lines.entries()) {
    const position = positionOf({ hour, shard, chunk, line: firstLine + i });
    const report = parseStoredReport(line);
    const sum = report === null ? parseSumLine(line) : null;
    const tallied = report === null ? parseTallyLine(line) : null;
    if (report !== null) yield { seq, mark: markOf(report, position), words: wordsOf(report) };
    if (sum !== null) {
      const { mark, times, untilMs } = sum;
      yield { seq, mark: { ...mark, times, untilMs, position } };
    }
    if (tallied !== null) yield { seq, tallied };
  }
}
