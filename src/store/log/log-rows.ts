/** Reads the rows of a log: after a restart, and to find reports that are not in KV yet. */
import { limits } from "../../core/limits.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseLineInfo } from "../kv/line-info.ts";
import { type IdAtLine, packIds, unpackIdsAtLines } from "../kv/packed-ids.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import { extractTraceIds } from "../kv/trace-ids.ts";
import type { LoggedLines } from "./log-entries.ts";

/** A row as it was written: lines of a chunk, starting with line `firstLine`. */
interface LogRow extends LoggedLines {
  readonly extraIds: Iterable<IdAtLine>;
}

type IdAtPosition = { readonly id: ReportId; readonly position: LogPosition };

/** The rows in an object's storage. Synchronous. */
export class LogRows {
  readonly #sql: SqlStorage;
  readonly #shard: string;

  constructor(sql: SqlStorage, shard: string) {
    this.#sql = sql;
    this.#shard = shard;
  }

  /** The rows after `seq`, oldest first. */
  readAfter(seq: number): Iterable<LogRow> {
    return this.#queryRows("WHERE seq > ?", seq);
  }

  /** The ids of all reports in the rows. */
  *readIds(): Generator<IdAtPosition> {
    for (const row of this.readAfter(0)) yield* this.#readRowIds(row);
  }

  /** The positions of those ids that a row has. Scans the rows. */
  findByIds(ids: readonly ReportId[]): ReadonlyMap<ReportId, LogPosition> {
    const matches = ids.map(() => "instr(body, ?) > 0 OR instr(extra_ids, ?) > 0");
    const bindings = ids.flatMap((id) => [id, packIds([id])]);
    const positions = new Map<ReportId, LogPosition>();
    for (const row of this.#queryRows(`WHERE ${matches.join(" OR ")}`, ...bindings)) {
      for (const { id, position } of this.#readRowIds(row))
        if (ids.includes(id) && !positions.has(id)) positions.set(id, position);
      if (positions.size === ids.length) break;
    }
    return positions;
  }

  /**
   * The reports of a trace, Ray ID or other code, newest first; at most `limits.maxReportsPerCode`.
   * `id` is the id for their trust level. Their bodies contain `part` in lower case.
   */
  findByTrace(id: ReportId, part: string): readonly LogPosition[] {
    const found: LogPosition[] = [];
    for (const row of this.#queryRows("WHERE instr(lower(body), ?) > 0", part)) {
      for (const other of extractTraceIds(row.lines.map(parseLineInfo))) {
        if (other.id === id) found.push(this.#toPosition(row, row.firstLine + other.line));
      }
    }
    return found.reverse().slice(0, limits.maxReportsPerCode);
  }

  /** Reads one row at a time: thousands may wait, and their bodies may not fit into memory. */
  *#queryRows(where: string, ...bindings: (number | string | ArrayBuffer)[]): Generator<LogRow> {
    const rows = this.#sql.exec<{
      seq: number;
      chunk: number;
      hour: string;
      first_line: number;
      body: string;
      extra_ids: ArrayBuffer | null;
      is_imported: number;
    }>(
      `SELECT seq, chunk, hour, first_line, body, extra_ids, is_imported
       FROM log_row ${where} ORDER BY seq`,
      ...bindings,
    );
    for (const { first_line: firstLine, body, extra_ids, is_imported, ...row } of rows) {
      const extraIds = extra_ids === null ? [] : unpackIdsAtLines(extra_ids);
      const mark = is_imported === 1 ? { isImported: true as const } : {};
      yield { ...row, ...mark, firstLine, lines: body.split("\n"), extraIds };
    }
  }

  /** The ids of one row: those of its reports, then the extra ids. */
  *#readRowIds(row: LogRow): Generator<IdAtPosition> {
    for (const [i, text] of row.lines.entries()) {
      const id = parseStoredReport(text)?.id;
      if (id !== undefined) yield { id, position: this.#toPosition(row, row.firstLine + i) };
    }
    for (const { id, line } of row.extraIds) yield { id, position: this.#toPosition(row, line) };
  }

  #toPosition({ chunk, hour }: LogRow, line: number): LogPosition {
    return formatPosition({ hour, shard: this.#shard, chunk, line });
  }
}
