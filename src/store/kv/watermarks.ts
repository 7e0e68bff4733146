/** How far each shard of a log is applied. */
import { type ParsedPosition, toOffset } from "./keys.ts";

/** The offset (`keys.ts`, `toOffset`) of the last applied line, by shard. */
export type Watermarks = Readonly<Record<string, number>>;

/** True for a position at or below the watermark of its shard. */
export function isBelowWatermark(
  position: ParsedPosition,
  watermarks: Watermarks | undefined,
): boolean {
  return toOffset(position) <= (watermarks?.[position.shard] ?? -1);
}
