/**
 * The catalogue of what one shard of the log has copied into KV, in the storage of its object: a row a chunk, with the ids of
 * its lines, 16 bytes each in their order, in `placed` the ids of reports that a sum stands for and of what counts once, in `traces` what else names them
 * (`traced.ts`); and a row for each line that was erased. Every method is synchronous.
 */
import type { Position } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import type { ReportId } from "../core/report.ts";
import type { ErasedLine } from "./erase-lines.ts";
import { positionOf } from "./keys.ts";
import {
  NO_ID,
  type PlacedId,
  packIds,
  packPlaced,
  unpackIds,
  unpackPlaced,
} from "./packed-ids.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class Catalogue {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS chunk(
        chunk INTEGER PRIMARY KEY, hour TEXT NOT NULL, n INTEGER NOT NULL, sealed_ms INTEGER NOT NULL,
        until_ms INTEGER NOT NULL, ids BLOB NOT NULL, placed BLOB, traces BLOB);
      CREATE INDEX IF NOT EXISTS chunk_copied ON chunk(sealed_ms);
      CREATE INDEX IF NOT EXISTS chunk_expiry ON chunk(until_ms);
      CREATE TABLE IF NOT EXISTS erased(
        chunk INTEGER NOT NULL, line INTEGER NOT NULL, gone INTEGER NOT NULL, PRIMARY KEY(chunk, line)) WITHOUT ROWID;`);
  }

  /** Notes that a chunk is in KV. */
  add(done: {
    chunk: number;
    hour: string;
    ids: readonly ReportId[];
    placed?: readonly PlacedId[];
    traces?: readonly PlacedId[];
    copiedMs: number;
    /** Until when KV keeps it. */
    untilMs: number;
  }): void {
    const { placed = [], traces = [] } = done;
    this.#sql.exec(
      `INSERT OR REPLACE INTO chunk(chunk, hour, n, sealed_ms, ids, placed, traces, until_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      done.chunk,
      done.hour,
      done.ids.length,
      done.copiedMs,
      packIds(done.ids),
      placed.length > 0 ? packPlaced(placed) : null,
      traces.length > 0 ? packPlaced(traces) : null,
      done.untilMs,
    );
  }

  /** When a chunk was copied and until when KV keeps it, ms; undefined when it was not copied. */
  copyOf(chunk: number): { readonly copiedMs: number; readonly untilMs: number } | undefined {
    const [row] = this.#sql.exec<{ copiedMs: number; untilMs: number }>(
      "SELECT sealed_ms AS copiedMs, until_ms AS untilMs FROM chunk WHERE chunk = ?",
      chunk,
    );
    return row;
  }

  /** How many chunks are in KV, and how many lines in them. */
  size(): { readonly chunks: number; readonly lines: number } {
    const query = "SELECT count(*) AS chunks, coalesce(sum(n), 0) AS lines FROM chunk";
    return this.#sql.exec<{ chunks: number; lines: number }>(query).one();
  }

  /** The chunks that were copied since a moment. */
  copiedSince(sinceMs: number): readonly { chunk: number; hour: string; copiedMs: number }[] {
    return this.#sql
      .exec<{ chunk: number; hour: string; copiedMs: number }>(
        "SELECT chunk, hour, sealed_ms AS copiedMs FROM chunk WHERE sealed_ms >= ?",
        sinceMs,
      )
      .toArray();
  }

  /** Forgets chunks that KV has let expire before `nowMs`, and what was erased before the first chunk. */
  forget(nowMs: number): void {
    this.#sql.exec("DELETE FROM chunk WHERE until_ms < ?", nowMs);
    this.#sql.exec("DELETE FROM erased WHERE chunk < (SELECT min(chunk) FROM chunk)");
  }

  /** Notes lines that were erased: KV may for a minute show the chunk as it was before. */
  addErased(chunk: number, lines: readonly Pick<ErasedLine, "line" | "gone">[]): void {
    for (const { line, gone } of lines) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO erased(chunk, line, gone) VALUES (?, ?, ?)",
        chunk,
        line,
        gone ? 1 : 0,
      );
    }
  }

  /** The lines of a chunk that were erased. */
  erasedOf(chunk: number): readonly Pick<ErasedLine, "line" | "gone">[] {
    return this.#sql
      .exec<{ line: number; gone: number }>("SELECT line, gone FROM erased WHERE chunk = ?", chunk)
      .toArray()
      .map(({ line, gone }) => ({ line, gone: gone === 1 }));
  }

  /** The ids of every chunk that was copied since a moment, packed and placed, oldest first. */
  *idsSince(
    sinceMs: number,
  ): Generator<{ ids: ArrayBuffer; placed: Iterable<PlacedId>; copiedMs: number }> {
    const rows = this.#sql.exec<{
      ids: ArrayBuffer;
      placed: ArrayBuffer | null;
      sealed_ms: number;
    }>("SELECT ids, placed, sealed_ms FROM chunk WHERE sealed_ms >= ? ORDER BY sealed_ms", sinceMs);
    for (const { ids, placed, sealed_ms } of rows) {
      yield { ids, placed: placed === null ? [] : unpackPlaced(placed), copiedMs: sealed_ms };
    }
  }

  /** The newest ids of lines that were copied since a moment, with their places; at most about `maxIds`. */
  *newest(
    sinceMs: number,
    shard: string,
    maxIds: number,
  ): Generator<{ id: ReportId; position: Position }> {
    const newest = this.#sql.exec<{ chunk: number; hour: string; n: number }>(
      "SELECT chunk, hour, n FROM chunk WHERE sealed_ms >= ? ORDER BY sealed_ms DESC",
      sinceMs,
    );
    let room = maxIds;
    for (const { chunk, hour, n } of newest.toArray()) {
      if (room <= 0) return;
      room -= n;
      const { ids } = this.#sql
        .exec<{ ids: ArrayBuffer }>("SELECT ids FROM chunk WHERE chunk = ?", chunk)
        .one();
      for (const [line, id] of unpackIds(ids).entries()) {
        if (id !== NO_ID) yield { id, position: positionOf({ hour, shard, chunk, line }) };
      }
    }
  }

  /** Where copied reports are that this trace or Ray ID names, the newest first; at most `limits.maxTracedReports`. */
  traced(id: ReportId, shard: string): readonly Position[] {
    const found = this.#sql.exec<{ chunk: number; hour: string; traces: ArrayBuffer }>(
      "SELECT chunk, hour, traces FROM chunk WHERE instr(traces, ?) > 0 ORDER BY chunk DESC LIMIT ?",
      packIds([id]),
      limits.maxTracedReports,
    );
    return found
      .toArray()
      .flatMap(({ chunk, hour, traces }) =>
        [...unpackPlaced(traces)]
          .filter((other) => other.id === id)
          .map(({ line }) => positionOf({ hour, shard, chunk, line }))
          .reverse(),
      )
      .slice(0, limits.maxTracedReports);
  }

  /**
   * Where a copied report is, however old; null when this shard never had it. Reads the whole catalogue: for people and for
   * doubts.
   */
  find(id: ReportId, shard: string): Position | null {
    const bytes = packIds([id]);
    const found = this.#sql.exec<{
      chunk: number;
      hour: string;
      ids: ArrayBuffer;
      placed: ArrayBuffer | null;
    }>(
      `SELECT chunk, hour, ids, placed FROM chunk
       WHERE instr(ids, ?1) > 0 OR instr(placed, ?1) > 0 ORDER BY chunk DESC`,
      bytes,
    );
    for (const { chunk, hour, ids, placed } of found) {
      // `instr` may also match across two ids; only a whole one counts.
      const line = unpackIds(ids).indexOf(id);
      if (line >= 0) return positionOf({ hour, shard, chunk, line });
      for (const other of placed === null ? [] : unpackPlaced(placed)) {
        if (other.id === id) return positionOf({ hour, shard, chunk, line: other.line });
      }
    }
    return null;
  }
}
