/** The rows of a log, read again: after a restart, and for whoever asks for a report that waits in one of them. */
import type { Position } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import type { ReportId } from "../core/report.ts";
import { positionOf } from "./keys.ts";
import { factsOf } from "./line-facts.ts";
import { type PlacedId, packIds, unpackPlaced } from "./packed-ids.ts";
import { parseStoredReport } from "./stored.ts";
import { tracesOf } from "./traced.ts";

/** A row as it was written: lines of a chunk, from `firstLine` on. */
export interface Row {
  readonly seq: number;
  readonly chunk: number;
  readonly hour: string;
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly placed: Iterable<PlacedId>;
}

/** The rows in the storage of the object that owns them. Every method is synchronous. */
export class LogRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The rows behind this one, oldest first. */
  behind(seq: number): Iterable<Row> {
    return this.#rows("WHERE seq > ?", seq);
  }

  /** The ids of every report that waits here, with their places. */
  *ids(shard: string): Generator<{ id: ReportId; position: Position }> {
    for (const row of this.#rows("WHERE seq > ?", 0)) yield* idsOf(row, shard);
  }

  /** Where a report is that waits here; null when none has this id. Reads every row that may have it: for people and for doubts. */
  find(id: ReportId, shard: string): Position | null {
    const rows = this.#rows(
      "WHERE instr(body, ?1) > 0 OR instr(placed, ?2) > 0",
      id,
      packIds([id]),
    );
    for (const row of rows) {
      for (const found of idsOf(row, shard)) if (found.id === id) return found.position;
    }
    return null;
  }

  /** Where reports are that wait here and that this trace or Ray ID names, the newest first; at most `limits.maxTracedReports`. */
  traced(id: ReportId, shard: string): readonly Position[] {
    const found: Position[] = [];
    // A Ray ID is shorter than a trace, and stands here as it was sent.
    for (const { chunk, hour, firstLine, lines } of this.#rows(
      "WHERE instr(body, ?) > 0",
      id.replace(/^0{16}/, ""),
    )) {
      for (const other of tracesOf(lines.map(factsOf))) {
        if (other.id !== id) continue;
        found.push(positionOf({ hour, shard, chunk, line: firstLine + other.line }));
      }
    }
    return found.reverse().slice(0, limits.maxTracedReports);
  }

  /** Row by row: thousands may be waiting, and their bodies do not all fit into memory. */
  *#rows(where: string, ...bounds: (number | string | ArrayBuffer)[]): Generator<Row> {
    const rows = this.#sql.exec<{
      seq: number;
      chunk: number;
      hour: string;
      first_line: number;
      body: string;
      placed: ArrayBuffer | null;
    }>(
      `SELECT seq, chunk, hour, body, placed,
         (SELECT coalesce(sum(n), 0) FROM row AS before
          WHERE before.chunk = row.chunk AND before.seq < row.seq) AS first_line
       FROM row ${where} ORDER BY seq`,
      ...bounds,
    );
    for (const { first_line, body, placed, ...row } of rows) {
      const ids = placed === null ? [] : unpackPlaced(placed);
      yield { ...row, firstLine: first_line, lines: body.split("\n"), placed: ids };
    }
  }
}

/** The ids of one row: of its reports, and of those that its sums stand for. */
function* idsOf(
  { chunk, hour, firstLine, lines, placed }: Row,
  shard: string,
): Generator<{ id: ReportId; position: Position }> {
  for (const [i, text] of lines.entries()) {
    const id = parseStoredReport(text)?.id;
    const line = firstLine + i;
    if (id !== undefined) yield { id, position: positionOf({ hour, shard, chunk, line }) };
  }
  for (const { id, line } of placed)
    yield { id, position: positionOf({ hour, shard, chunk, line }) };
}
