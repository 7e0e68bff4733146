/**
 * The lines of a chunk as lines of an export. Pure. Works on bytes, because nearly all lines are
 * reports, which are copied.
 */
import { hash } from "node:crypto";
import type { IdAtLine } from "../kv/packed-ids.ts";
import {
  parseCounterLine,
  parseExtraIdsLine,
  parseRollupLine,
  parseStoredReport,
  REPORT_START,
} from "../kv/stored-json.ts";

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
