/** Bytes that are stored in parts: rows of a table. */
import { type ByteRange, concat } from "../../../core/symbolication/codec.ts";

/** Parts of these sizes one after another. The last part that was read stays in memory. */
export function openParts(
  sizes: readonly number[],
  readPart: (at: number) => Uint8Array,
): ByteRange {
  const starts: number[] = [];
  let length = 0;
  for (const size of sizes) {
    starts.push(length);
    length += size;
  }
  // Entries of an archive are small and follow each other.
  let last: { readonly at: number; readonly bytes: Uint8Array } | undefined;
  const readOnce = (at: number): Uint8Array => {
    if (last?.at !== at) last = { at, bytes: readPart(at) };
    return last.bytes;
  };
  return {
    length,
    read(offset, count) {
      const end = Math.min(offset + count, length);
      const parts: Uint8Array[] = [];
      for (let at = findPart(starts, offset); at < starts.length; at++) {
        const start = starts[at] ?? 0;
        if (start >= end) break;
        const bytes = readOnce(at);
        parts.push(bytes.subarray(Math.max(0, offset - start), end - start));
      }
      const [only] = parts;
      return parts.length === 1 && only ? only : concat(parts);
    },
  };
}

/** The last part that begins at or before `offset`. */
function findPart(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
