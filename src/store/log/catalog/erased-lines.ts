/** The erased lines of chunks: KV may return a chunk's earlier value for a minute. Synchronous. */
import type { ErasedLine } from "../../kv/erase-lines.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("erased_line", ["chunk", "line"], ["is_removed", "replacement"]);

type StoredErasedLine = Pick<ErasedLine, "line" | "isRemoved" | "replacement">;

export class ErasedLines {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(chunk: number, lines: readonly StoredErasedLine[]): void {
    for (const { line, isRemoved, replacement = null } of lines)
      this.#sql.exec(SAVE, chunk, line, isRemoved ? 1 : 0, replacement);
  }

  list(chunk: number): readonly StoredErasedLine[] {
    const query = "SELECT line, is_removed, replacement FROM erased_line WHERE chunk = ?";
    return this.#sql
      .exec<{ line: number; is_removed: number; replacement: string | null }>(query, chunk)
      .toArray()
      .map(({ line, is_removed, replacement }) => ({
        line,
        isRemoved: is_removed === 1,
        replacement: replacement ?? undefined,
      }));
  }

  /** Deletes at most `maxLines` lines of chunks before `chunk`. True if there may be more. */
  deleteBefore(chunk: number, maxLines: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM erased_line WHERE (chunk, line) IN (
         SELECT chunk, line FROM erased_line WHERE chunk < ? ORDER BY chunk LIMIT ?)`,
      chunk,
      maxLines,
    );
    return rowsWritten >= maxLines;
  }
}
