/** A chunk of the record as it was read: its own lines, and the ids that stand in the line behind them. */
import type { PlacedId } from "./packed-ids.ts";
import { parsePlacedLine } from "./stored.ts";

/** The lines of a chunk in the order of their positions, and the ids that its sums stand for. */
export interface ChunkLines {
  readonly lines: readonly string[];
  readonly placed: readonly PlacedId[];
}

/** What was read, taken apart. */
export function chunkLinesOf(read: readonly string[]): ChunkLines {
  const placed = parsePlacedLine(read.at(-1) ?? "");
  return placed === null ? { lines: read, placed: [] } : { lines: read.slice(0, -1), placed };
}
