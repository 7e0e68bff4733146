/** The bytes of an upload, read from its chunks. */
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import type { ChunkTable } from "../tables/chunk-table.ts";
import { concat } from "../tables/map-table.ts";

/** The chunks one after another. Throws if one of them is not stored. */
export function openChunks(table: ChunkTable, sha1s: readonly string[]): ByteRange {
  const starts: number[] = [];
  let length = 0;
  for (const sha1 of sha1s) {
    const size = table.getSize(sha1);
    if (size === undefined) throw new Error("a chunk of an upload is missing");
    starts.push(length);
    length += size;
  }
  // Entries of an archive are small and follow each other.
  let last: { readonly at: number; readonly bytes: Uint8Array } | undefined;
  const readChunk = (at: number): Uint8Array => {
    if (last?.at !== at) last = { at, bytes: table.read(sha1s[at] ?? "") };
    return last.bytes;
  };
  return {
    length,
    read(offset, count) {
      const end = Math.min(offset + count, length);
      const parts: Uint8Array[] = [];
      for (let at = findChunk(starts, offset); at < starts.length; at++) {
        const start = starts[at] ?? 0;
        if (start >= end) break;
        const bytes = readChunk(at);
        parts.push(bytes.subarray(Math.max(0, offset - start), end - start));
      }
      const [only] = parts;
      return parts.length === 1 && only ? only : concat(parts);
    },
  };
}

/** The last chunk that begins at or before `offset`. */
function findChunk(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
