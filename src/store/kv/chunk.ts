/**
 * The format of a chunk, one KV value of the archive: gzipped NDJSON in the order of positions. A
 * line is a report, a rollup or counters; the last line has the ids that have no line. A chunk is
 * written once, and again only for an erasure. The same lines produce the same bytes, so a put can
 * be repeated.
 *
 *     chunk/1/2026112117/0.00000012  =  gzip("{…report…}\n{…report…}")
 *     metadata  { v: 1, lineCount: 2, firstMs: 1795277313733, lastMs: …, rawBytes: 3210,
 *                 digests: [["7F3K-Q2M9", 2]] }
 */
import { type LineInfo, parseLineInfo } from "./line-info.ts";
import type { IdAtLine } from "./packed-ids.ts";
import { parseExtraIdsLine } from "./stored-json.ts";

/** The KV metadata of a chunk, which a list returns: at most 1,024 bytes of JSON. */
interface ChunkMetadata {
  readonly v: 1;
  readonly lineCount: number;
  /** When the first and last report were received, ms; absent without a report. */
  readonly firstMs?: number;
  readonly lastMs?: number;
  /** Bytes before compression. */
  readonly rawBytes: number;
  /** Reports per digest, most frequent first; absent if there are too many digests. */
  readonly digests?: readonly (readonly [digest: string, count: number])[];
}

/** More would not fit into KV's 1,024 bytes of metadata. */
const MAX_DIGESTS_IN_METADATA = 24;

/** The lines of a chunk in the order of positions, and the ids that have no line. */
export interface ChunkLines {
  readonly lines: readonly string[];
  readonly extraIds: readonly IdAtLine[];
}

/** Separates the last line, if it has extra ids, from the other lines. */
export function splitChunkLines(read: readonly string[]): ChunkLines {
  const extraIds = parseExtraIdsLine(read.at(-1) ?? "");
  return extraIds === null ? { lines: read, extraIds: [] } : { lines: read.slice(0, -1), extraIds };
}

/** The lines as bytes for KV. */
export async function encodeChunk(lines: readonly string[]): Promise<Uint8Array> {
  const plain = new Blob([lines.join("\n")]).stream();
  return new Uint8Array(
    await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

/** The lines of a chunk, in order. Rejects if the bytes are not gzip. */
export async function decodeChunk(bytes: ArrayBuffer): Promise<readonly string[]> {
  const text = await inflate(bytes).text();
  return text === "" ? [] : text.split("\n");
}

/** The lines of a chunk as bytes, separated by line feeds. */
export function inflateChunk(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return inflate(bytes).arrayBuffer();
}

function inflate(bytes: ArrayBuffer): Response {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain);
}

/** The metadata of a chunk with these lines. `infos` are those of the lines. */
export function createChunkMetadata(
  lines: readonly string[],
  infos: readonly LineInfo[] = lines.map(parseLineInfo),
): ChunkMetadata {
  const times = infos.flatMap(({ receivedAtMs }) => receivedAtMs ?? []);
  const countByDigest = new Map<string, number>();
  for (const { digest, reportCount } of infos) {
    if (digest !== undefined)
      countByDigest.set(digest, (countByDigest.get(digest) ?? 0) + reportCount);
  }
  return {
    v: 1,
    lineCount: lines.length,
    ...(times.length > 0 && {
      firstMs: times.reduce((first, time) => Math.min(first, time)),
      lastMs: times.reduce((last, time) => Math.max(last, time)),
    }),
    rawBytes: new TextEncoder().encode(lines.join("\n")).byteLength,
    ...(countByDigest.size <= MAX_DIGESTS_IN_METADATA && {
      digests: [...countByDigest].sort(([, a], [, b]) => b - a),
    }),
  };
}
