/**
 * Exports the chunks of one shard, in order, as lines of an export. Reads each chunk from the rows
 * that are not deleted yet, otherwise from KV.
 */
import { hash } from "node:crypto";
import { type ChunkLines, splitChunkLines } from "../kv/chunk.ts";
import { readChunk } from "../kv/chunk-store.ts";
import { chunkKey } from "../kv/keys.ts";
import { parseCounterLine, parseRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { ChunkRef, ExportedPart, ExportRange } from "../rpc/rpc.ts";
import type { LogTable } from "./log-table.ts";

/** A part takes no more chunks then: one chunk can have 18 MB, and one RPC takes 32 MiB. */
const MIN_FULL_CHARS = 4 * 1024 * 1024;
/** Later than every hour and day. */
const LAST_HOUR = "9999999999";
/** Chunks that are in memory at a time. */
const READ_AHEAD = 4;

interface ExportDeps {
  readonly project: string;
  readonly shard: string;
  readonly table: LogTable;
  readonly kv: () => KVNamespace;
  readonly nowMs: () => number;
}

/** The next chunks of a range, as far as they fit into one part. Rejects if KV fails. */
export async function exportChunks(deps: ExportDeps, range: ExportRange): Promise<ExportedPart> {
  const { after, maxChunks, untilDay = LAST_HOUR } = range;
  // One more than the part may have: its hour is that of the next part.
  const chunks = listChunks(deps, range, maxChunks + 1);
  const isInPart = ({ hour }: ChunkRef, n: number) => n < maxChunks && hour.slice(0, 8) <= untilDay;
  const texts: string[] = [];
  let chars = 0;
  let lineCount = 0;
  let count = 0;
  let read: readonly Promise<string[]>[] = [];
  for (const [n, chunk] of chunks.entries()) {
    if (chars >= MIN_FULL_CHARS || !isInPart(chunk, n)) break;
    if (n % READ_AHEAD === 0) {
      read = chunks.slice(n, n + READ_AHEAD).map((one) => readExportLines(deps, one));
      await Promise.allSettled(read);
    }
    const lines = (await read[n % READ_AHEAD]) ?? [];
    const text = lines.map((line) => `${line}\n`).join("");
    texts.push(text);
    chars += text.length;
    lineCount += lines.length;
    count = n + 1;
  }
  return {
    bytes: new TextEncoder().encode(texts.join("")),
    lineCount,
    lastChunk: chunks[count - 1]?.chunk ?? after,
    nextHour: chunks[count]?.hour ?? null,
  };
}

/** The next unexpired chunks, in order: those in KV, and those with rows here. */
function listChunks(
  { table, nowMs }: ExportDeps,
  { after, day }: ExportRange,
  count: number,
): readonly ChunkRef[] {
  const hours =
    day === undefined
      ? { fromHour: "", beforeHour: LAST_HOUR }
      : { fromHour: `${day}00`, beforeHour: `${day}24` };
  const uploaded = table.catalog.listRange({ after, ...hours }, count, nowMs());
  const local = table.localChunks
    .list()
    .filter(
      ({ chunk, hour }) => chunk > after && hour >= hours.fromHour && hour < hours.beforeHour,
    );
  const byChunk = new Map<number, ChunkRef>();
  for (const { chunk, hour } of [...local, ...uploaded]) byChunk.set(chunk, { chunk, hour });
  return [...byChunk.values()].sort((a, b) => a.chunk - b.chunk).slice(0, count);
}

async function readExportLines(deps: ExportDeps, { chunk, hour }: ChunkRef): Promise<string[]> {
  const { project, shard, table, kv } = deps;
  const key = chunkKey(project, { hour, shard, chunk });
  const lines = table.readLines(chunk);
  if (lines.length > 0) return toExportLines(key, { lines, extraIds: table.readExtraIds(chunk) });
  const stored = await readChunk(kv(), key);
  // KV may cache a miss: without the chunk the export would be incomplete.
  if (stored === null) throw new Error("KV does not return an uploaded chunk yet");
  return toExportLines(key, splitChunkLines(stored));
}

/** The lines of a chunk for an export. Rollups and counters get the ids that deduplicate them. */
function toExportLines(key: string, { lines, extraIds }: ChunkLines): string[] {
  const idsOfLine = Map.groupBy(extraIds, ({ line }) => line);
  return lines.flatMap((line, n) => {
    if (parseStoredReport(line) !== null) return line;
    const rollup = parseRollupLine(line);
    const fields = rollup === null ? toCounterFields(line) : { rollup: 1, ...rollup };
    if (fields === null) return [];
    // Counters get one id of their own, even if some have ids that count once.
    const lineIds = rollup === null ? undefined : idsOfLine.get(n)?.map(({ id }) => id);
    return JSON.stringify({ ...fields, ids: lineIds ?? [hashLine(`${key}:${n}`, line)] });
  });
}

function toCounterFields(line: string): object | null {
  const dailyCounters = parseCounterLine(line);
  return dailyCounters === null ? null : { daily: 1, ...dailyCounters };
}

/** An id for a line without one: the same in every export while the line is unchanged. */
function hashLine(place: string, line: string): string {
  return hash("sha256", `${place}\n${line}`).slice(0, 32);
}
