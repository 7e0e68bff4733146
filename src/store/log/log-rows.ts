/** The rows of a log, read again: after a restart, and for whoever asks for a report that waits in one of them. */

import { limits } from "../../core/limits.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseLineInfo } from "../kv/line-info.ts";
import { type IdAtLine, packIds, unpackIdsAtLines } from "../kv/packed-ids.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import { extractTraceIds } from "../kv/trace-ids.ts";

/** A row as it was written: lines of a chunk, from `firstLine` on. */
export interface LogRow {
  readonly seq: number;
  readonly chunk: number;
  readonly hour: string;
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly extraIds: Iterable<IdAtLine>;
}

/** The rows in the storage of the object that owns them. Every method is synchronous. */
export class LogRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The rows behind this one, oldest first. */
  readAfter(seq: number): Iterable<LogRow> {
    return this.#queryRows("WHERE seq > ?", seq);
  }

  /** The ids of every report that waits here, with their places. */
  *readIds(shard: string): Generator<{ id: ReportId; position: LogPosition }> {
    for (const row of this.#queryRows("WHERE seq > ?", 0)) yield* readRowIds(row, shard);
  }

  /** Where a report is that waits here; null when none has this id. Reads every row that may have it: for people and for doubts. */
  findById(id: ReportId, shard: string): LogPosition | null {
    const rows = this.#queryRows(
      "WHERE instr(body, ?1) > 0 OR instr(extra_ids, ?2) > 0",
      id,
      packIds([id]),
    );
    for (const row of rows) {
      for (const found of readRowIds(row, shard)) if (found.id === id) return found.position;
    }
    return null;
  }

  /** Where reports are that wait here and that this trace or Ray ID names, the newest first; at most `limits.maxTracedReports`. */
  findByTrace(id: ReportId, shard: string): readonly LogPosition[] {
    const found: LogPosition[] = [];
    // A Ray ID is shorter than a trace, and stands here as it was sent.
    for (const { chunk, hour, firstLine, lines } of this.#queryRows(
      "WHERE instr(body, ?) > 0",
      id.replace(/^0{16}/, ""),
    )) {
      for (const other of extractTraceIds(lines.map(parseLineInfo))) {
        if (other.id !== id) continue;
        found.push(formatPosition({ hour, shard, chunk, line: firstLine + other.line }));
      }
    }
    return found.reverse().slice(0, limits.maxReportsPerTrace);
  }

  /** Row by row: thousands may be waiting, and their bodies do not all fit into memory. */
  *#queryRows(where: string, ...bindings: (number | string | ArrayBuffer)[]): Generator<LogRow> {
    const rows = this.#sql.exec<{
      seq: number;
      chunk: number;
      hour: string;
      first_line: number;
      body: string;
      extra_ids: ArrayBuffer | null;
    }>(
      `SELECT seq, chunk, hour, body, extra_ids,
         (SELECT coalesce(sum(line_count), 0) FROM log_row AS before
          WHERE before.chunk = log_row.chunk AND before.seq < log_row.seq) AS first_line
       FROM log_row ${where} ORDER BY seq`,
      ...bindings,
    );
    for (const { first_line, body, extra_ids: extraIds, ...row } of rows) {
      const ids = extraIds === null ? [] : unpackIdsAtLines(extraIds);
      yield { ...row, firstLine: first_line, lines: body.split("\n"), extraIds: ids };
    }
  }
}

/** The ids of one row: of its reports, and of those that its sums stand for. */
function* readRowIds(
  { chunk, hour, firstLine, lines, extraIds }: LogRow,
  shard: string,
): Generator<{ id: ReportId; position: LogPosition }> {
  for (const [i, text] of lines.entries()) {
    const id = parseStoredReport(text)?.id;
    const line = firstLine + i;
    if (id !== undefined) yield { id, position: formatPosition({ hour, shard, chunk, line }) };
  }
  for (const { id, line } of extraIds)
    yield { id, position: formatPosition({ hour, shard, chunk, line }) };
}
