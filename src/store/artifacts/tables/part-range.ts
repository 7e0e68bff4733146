/** Bytes that are stored in parts: rows of a table. */
import { type ByteRange, concat } from "../../../core/symbolication/codec.ts";

/** How many bytes of other parts are read before a part of a pass is freed. */
const KEPT_BYTES = 2 * 1024 * 1024;

/** Opens parts of these sizes as one range. The part that was read last stays in memory. */
export function openParts(
  sizes: readonly number[],
  readPart: (at: number) => Uint8Array,
  keptBytes = KEPT_BYTES,
): ByteRange {
  const range = openRange(sizes, readPart, null);
  return { ...range, openPass: () => openRange(sizes, readPart, keptBytes) };
}

/**
 * With `keptBytes`, for a single pass, parts are freed after they were read. Otherwise up to 64 MB
 * of them, a whole map, would wait for garbage collection.
 */
function openRange(
  sizes: readonly number[],
  readPart: (at: number) => Uint8Array,
  keptBytes: number | null,
): ByteRange {
  const starts: number[] = [];
  let length = 0;
  for (const size of sizes) {
    starts.push(length);
    length += size;
  }
  // Entries of an archive are small and in order.
  const kept = new Map<number, Uint8Array>();
  let bytesInMemory = 0;
  const readOnce = (at: number): Uint8Array => {
    const known = kept.get(at);
    if (known !== undefined) return known;
    const bytes = readPart(at);
    kept.set(at, bytes);
    bytesInMemory += bytes.length;
    return bytes;
  };
  const dropOldest = () => {
    for (const [at, bytes] of kept) {
      if (kept.size === 1 || bytesInMemory - bytes.length < (keptBytes ?? 0)) return;
      bytesInMemory -= bytes.length;
      kept.delete(at);
      if (keptBytes !== null) (bytes.buffer as ArrayBuffer).transfer(0);
    }
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
      const bytes = parts.length === 1 && only ? only : concat(parts);
      dropOldest();
      return bytes;
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
