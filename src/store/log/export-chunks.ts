/**
 * Exports the chunks of one shard, in order, as lines of an export. Reads each chunk when the
 * reader of the stream needs it: from the rows if they are not deleted yet, otherwise from KV.
 */

import { hash } from "node:crypto";
import { inflateChunk } from "../kv/chunk.ts";
import { readChunkBytes } from "../kv/chunk-store.ts";
import { type ChunkRef, toChunkKey } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import {
  parseCounterLine,
  parseExtraIdsLine,
  parseRollupLine,
  parseStoredReport,
  REPORT_START,
} from "../kv/stored-json.ts";
import type { LogTable } from "./log-table.ts";

/** Later than every hour and day. */
const LAST_HOUR = "9999999999";
/** Chunks that are read from KV at a time. They stay compressed until they are sent. */
const READ_AHEAD = 4;

/** The chunks of an export: those after the number `after`, of one day or until a day. */
export interface ExportRange {
  readonly after: number;
  /** The most chunks in one part. */
  readonly maxChunks: number;
  /** Only chunks of this day: `20261121`. */
  readonly day?: string;
  /** Excludes chunks of later days. */
  readonly untilDay?: string;
}

/** Some chunks as lines of an export. */
export interface ExportedPart {
  /** UTF-8; each line ends with a line feed. Read it to the end, or cancel it. */
  readonly bytes: ReadableStream<Uint8Array>;
  /** The last chunk of the part, or `after` if it has none. */
  readonly lastChunk: number;
  /** The hour of the next chunk; null if there is none. */
  readonly nextHour: string | null;
}

interface ExportDeps {
  readonly project: string;
  readonly shard: string;
  readonly table: {
    readonly catalog: Pick<LogTable["catalog"], "listRange">;
    readonly localChunks: Pick<LogTable["localChunks"], "list" | "readLines" | "readExtraIds">;
  };
  readonly kv: () => KVNamespace;
  readonly nowMs: () => number;
}

/** The next chunks of a range, at most `maxChunks`. The stream fails if KV does. */
export function exportChunks(deps: ExportDeps, range: ExportRange): ExportedPart {
  const { after, maxChunks, untilDay = LAST_HOUR } = range;
  // One more than the part may have, for the hour of the next part.
  const listed = listChunks(deps, range, maxChunks + 1);
  const end = listed.findIndex(({ hour }, n) => n === maxChunks || hour.slice(0, 8) > untilDay);
  const chunks = end < 0 ? listed : listed.slice(0, end);
  return {
    bytes: toByteStream(readPieces(deps, chunks)),
    lastChunk: chunks.at(-1)?.chunk ?? after,
    nextHour: listed[chunks.length]?.hour ?? null,
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

/** The exported lines of each chunk that has any. */
async function* readPieces(deps: ExportDeps, chunks: readonly ChunkRef[]) {
  const reads: Promise<() => Promise<Uint8Array>>[] = [];
  for (const [n] of chunks.entries()) {
    while (reads.length < READ_AHEAD && n + reads.length < chunks.length) {
      const read = readStoredLines(deps, chunks[n + reads.length] as ChunkRef);
      // The promise rejects where it is awaited, unless the reader stops before.
      read.catch(() => undefined);
      reads.push(read);
    }
    const toLines = await reads.shift();
    const lines = await toLines?.();
    if (lines !== undefined && lines.length > 0) yield lines;
  }
}

/** Reads a chunk. The result inflates it and returns its lines as export lines. */
async function readStoredLines(deps: ExportDeps, { chunk, hour }: ChunkRef) {
  const { project, shard, table, kv } = deps;
  const key = toChunkKey(project, { hour, shard, chunk });
  const rows = table.localChunks.readLines(chunk);
  if (rows.length > 0) {
    const extraIds = table.localChunks.readExtraIds(chunk);
    const bytes = new TextEncoder().encode(rows.join("\n"));
    return async () => toExportLines(key, bytes, extraIds);
  }
  const stored = await readChunkBytes(kv(), key);
  // KV may cache a miss: without the chunk the export would be incomplete.
  if (stored === null) throw new Error("KV does not return an uploaded chunk yet");
  return async () => {
    const inflated = await inflateChunk(stored);
    const lines = toExportLines(key, new Uint8Array(inflated));
    for (const buffer of [stored, inflated]) free(buffer);
    return lines;
  };
}

/** V8 would free the memory of large buffers late, and an export would take 100 MB more. */
function free(buffer: ArrayBuffer): void {
  buffer.transfer(0);
}

/** A byte stream of non-empty pieces. Each is created when the one before is read. */
function toByteStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

// The lines of a chunk as lines of an export. Pure. Works on bytes, because nearly all lines are
// reports, which are copied.

const LINE_FEED = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const REPORT_BYTES = encoder.encode(REPORT_START);

/**
 * The lines of a chunk that an import accepts, each with a line feed. Rollups and counters get the
 * ids that deduplicate them. `stored`: the lines, separated by line feeds. `extraIds`: by default
 * those in the last line.
 */
export function toExportLines(
  key: string,
  stored: Uint8Array,
  extraIds: readonly IdAtLine[] = readExtraIds(stored),
): Uint8Array {
  const idsOfLine = Map.groupBy(extraIds, ({ line }) => line);
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let line = 0;
  for (let start = 0; start < stored.length; line++) {
    const end = findLineEnd(stored, start);
    if (!isReport(stored, start)) {
      const text = decoder.decode(stored.subarray(start, end));
      const exported = toExportLine(text, `${key}:${line}`, idsOfLine.get(line));
      pieces.push(stored.subarray(copied, start), encoder.encode(exported));
      copied = end + 1;
    }
    start = end + 1;
  }
  pieces.push(stored.subarray(copied));
  if (copied < stored.length && stored.at(-1) !== LINE_FEED) pieces.push(Uint8Array.of(LINE_FEED));
  return concatenate(pieces);
}

function readExtraIds(stored: Uint8Array): readonly IdAtLine[] {
  const last = stored.subarray(stored.lastIndexOf(LINE_FEED) + 1);
  return parseExtraIdsLine(decoder.decode(last)) ?? [];
}

/** A line that does not begin as a report, with a line feed; "" if an import does not need it. */
function toExportLine(text: string, place: string, ids: readonly IdAtLine[] | undefined): string {
  if (parseStoredReport(text) !== null) return `${text}\n`;
  const rollup = parseRollupLine(text);
  const fields = rollup === null ? toCounterFields(text) : { rollup: 1, ...rollup };
  if (fields === null) return "";
  // A line of counters gets one id, even if some of its counters have ids.
  const lineIds = rollup === null ? undefined : ids?.map(({ id }) => id);
  return `${JSON.stringify({ ...fields, ids: lineIds ?? [hashLine(place, text)] })}\n`;
}

function toCounterFields(line: string): object | null {
  const dailyCounters = parseCounterLine(line);
  return dailyCounters === null ? null : { daily: 1, ...dailyCounters };
}

/** An id for a line without one: equal in every export while the line is unchanged. */
function hashLine(place: string, line: string): string {
  return hash("sha256", `${place}\n${line}`).slice(0, 32);
}

function findLineEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end < 0 ? bytes.length : end;
}

function isReport(bytes: Uint8Array, start: number): boolean {
  return REPORT_BYTES.every((byte, n) => bytes[start + n] === byte);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
