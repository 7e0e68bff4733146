/** Finds the block of a position in a directory of the compact form. */
import { POSITIONED_NUMBERS } from "./compact-format.ts";

/**
 * The index of the last entry of five numbers whose position is not after line and column, by
 * binary search; -1 if there is none.
 */
export function findBlock(places: readonly number[], line: number, column: number): number {
  let low = 0;
  let high = Math.floor(places.length / POSITIONED_NUMBERS);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * POSITIONED_NUMBERS;
    const placeLine = places[at] as number;
    const isAfter = placeLine > line || (placeLine === line && (places[at + 1] as number) > column);
    if (isAfter) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? -1 : (low - 1) * POSITIONED_NUMBERS;
}
