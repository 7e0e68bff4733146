/**
 * A chunk: what one KV value of the record holds. Gzip of NDJSON, in the order of positions: a report, a sum or tallies a line,
 * and last the ids that sums stand for. A chunk is written once, and again only to erase from it; the same lines give the same
 * bytes, so a put that is repeated after a lost reply is harmless.
 *
 *     c/1/2026112117/0.00000012  =  gzip("{…report…}\n{…report…}")
 *     metadata  { v: 1, n: 2, t0: 1795277313733, t1: …, raw: 3210, d: [["7F3K-Q2M9", 2]] }
 */
import { type LineInfo, parseLineInfo } from "./line-info.ts";
import type { IdAtLine } from "./packed-ids.ts";
import { parseExtraIdsLine } from "./stored-json.ts";

/**
 * What stands beside a chunk in KV, so that a walk over the record knows without reading when a chunk began and whose reports
 * are in it (at most 1,024 bytes of JSON).
 */
export interface ChunkMetadata {
  readonly v: 1;
  /** Lines in the chunk. */
  readonly lineCount: number;
  /** First and last moment of receipt, ms; absent where no line is a report. */
  readonly firstMs?: number;
  readonly lastMs?: number;
  /** Bytes before compression. */
  readonly rawBytes: number;
  /** Reports per digest, the most frequent first; absent when there are too many digests to fit. */
  readonly digests?: readonly (readonly [digest: string, count: number])[];
}

/** More digests than this would not fit into KV's 1,024 bytes of metadata. */
const MAX_DIGESTS_IN_METADATA = 24;

/** The lines of a chunk in the order of their positions, and the ids that its sums stand for. */
export interface ChunkLines {
  readonly lines: readonly string[];
  readonly extraIds: readonly IdAtLine[];
}

/** What was read of a chunk, its own lines and the ids behind them apart. */
export function splitChunkLines(read: readonly string[]): ChunkLines {
  const extraIds = parseExtraIdsLine(read.at(-1) ?? "");
  return extraIds === null ? { lines: read, extraIds: [] } : { lines: read.slice(0, -1), extraIds };
}

/** A chunk's bytes for KV. */
export async function encodeChunk(lines: readonly string[]): Promise<Uint8Array> {
  const plain = new Blob([lines.join("\n")]).stream();
  return new Uint8Array(
    await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

/** A chunk's lines, in the order in which they were written. Rejects when the bytes are no gzip. */
export async function decodeChunk(bytes: ArrayBuffer): Promise<readonly string[]> {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(plain).text();
  return text === "" ? [] : text.split("\n");
}

/** The metadata of a chunk with these lines. A line that is no report of ours counts in `n` alone. `facts` are those of the lines. */
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
