/** The bytes of an upload, read from its chunks. */
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import type { ChunkTable } from "../tables/chunk-table.ts";
import { openParts } from "../tables/part-range.ts";

/** The chunks one after another. Throws if one of them is not stored. */
export function openChunks(table: ChunkTable, sha1s: readonly string[]): ByteRange {
  const sizes = sha1s.map((sha1) => {
    const size = table.getSize(sha1);
    if (size === undefined) throw new Error("a chunk of an upload is missing");
    return size;
  });
  return openParts(sizes, (at) => table.read(sha1s[at] ?? ""));
}
