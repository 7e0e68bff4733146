/** Resolves the frames of a stack to places in the original sources. */

import { limits } from "../limits.ts";
import { MemoCache } from "../memo-cache.ts";
import { scrubTextSecrets } from "../scrubbing/scrub-text.ts";
import { REMOVED, SECRET_PATTERNS } from "../scrubbing/secret-patterns.ts";
import type { CompactMap, OriginalPlace } from "./compact-map.ts";
import {
  type FunctionTable,
  findFunctionName,
  findRunningName,
  STATIC_INITIALIZER,
} from "./names/function-table.ts";
import type {
  FrameResolution,
  MatchMarks,
  ResolvedFrame,
  ResolveRequest,
  SentFrame,
  UnmappedFrame,
} from "./resolution.ts";
import { escapeInvisible, isSourceInApp, toDisplayName } from "./source-names.ts";

/** The map of a frame's file, or why there is none. */
export type FoundMap = UploadedMap | UnmappedFrame;

interface UploadedMap extends MatchMarks {
  readonly map: CompactMap;
  /** The functions of a source; null if its text is absent or cannot be parsed. */
  readonly readFunctions: (source: number) => FunctionTable | null;
  /** The id of the upload. */
  readonly upload?: string;
}

/** One answer per frame, newest first as the frames. `maps[i]` belongs to `frames[i]`. */
export function resolveStack(
  frames: readonly SentFrame[],
  maps: readonly FoundMap[],
  {
    withoutLines,
    sourceLines = limits.maxSourceLines,
  }: Pick<ResolveRequest, "withoutLines" | "sourceLines"> = {},
): readonly FrameResolution[] {
  const places = frames.map((frame, index) => findPlace(frame, maps[index]));
  let newer: string | null = null;
  return frames.map((frame, index): FrameResolution => {
    const isClassCreation = newer === STATIC_INITIALIZER;
    newer = null;
    const found = maps[index];
    if (found === undefined) return { kind: "unmapped", reason: "not-expected" };
    if ("kind" in found) return found;
    const line = toPosition(frame.line);
    if (line === undefined) return { kind: "unmapped", reason: "no-position" };
    const place = places[index];
    if (!place) {
      const column = frame.column;
      return { kind: "unmapped", reason: "no-segment", line, column };
    }
    newer = findName(frame, found, place, isClassCreation);
    return toResolvedFrame(found, place, newer, withoutLines ? 0 : sourceLines);
  });
}

function findPlace(frame: SentFrame, found: FoundMap | undefined): OriginalPlace | null {
  const line = toPosition(frame.line);
  if (found === undefined || "kind" in found || line === undefined) return null;
  return found.map.findPlace(line, frame.column);
}

/** Engines and SDKs send these for a frame without a function. */
const UNNAMED: ReadonlySet<string> = new Set(["", "?", "<anonymous>"]);

/** A line from 1. Senders write 0 for "unknown". */
function toPosition(line: number | undefined): number | undefined {
  return line !== undefined && line >= 1 ? line : undefined;
}

/**
 * The name of the function around the frame: the innermost one of the original source, otherwise
 * what the map states for the function of the script. Null if neither is known. `isClassCreation`
 * is true if the frame creates the class that the next frame initializes.
 */
function findName(
  { line = 0, column, function: sent }: SentFrame,
  { map, readFunctions }: Exclude<FoundMap, UnmappedFrame>,
  place: OriginalPlace,
  isClassCreation: boolean,
): string | null {
  if (column === undefined) return null;
  const at = Math.max(1, column);
  const own = map.findNamingPlace(line, at);
  const functions = readFunctions((own?.place ?? place).source);
  if (functions === null) return map.findFunction(line, at);
  if (own === null) return null;
  if (!own.isDirect) {
    const isOfSource = own.inner === null || own.inner.source === own.place.source;
    return isOfSource ? findRunningName(functions, own.place, own.inner) : null;
  }
  // Engines name constructors: without a name, the frame only evaluates the head of the class.
  const isOutside = isClassCreation || sent === undefined || UNNAMED.has(sent);
  return findFunctionName(functions, own.place.line, own.place.column, isOutside);
}

function toResolvedFrame(
  { map, readFunctions: _, ...match }: UploadedMap,
  place: OriginalPlace,
  name: string | null,
  sourceLines: number,
): ResolvedFrame {
  const source = map.getSource(place.source);
  const file = toDisplayName(source.name);
  const mapSource = source.name === null ? undefined : escapeInvisible(source.name);
  return {
    kind: "resolved" as const,
    file,
    mapSource: mapSource === file ? undefined : mapSource,
    line: place.line,
    column: place.column,
    function: name === null ? undefined : escapeInvisible(name),
    inApp: isSourceInApp(source),
    ...(sourceLines === 0 ? null : readContextLines(map, place, sourceLines)),
    ...match,
  };
}

// The lines of a source around a place, without secrets.

/** A line and the lines before and after it. */
interface ContextLines {
  readonly source: string;
  readonly sourceBefore: readonly string[];
  readonly sourceAfter: readonly string[];
}

/** Secrets are removed from this much of a line: truncation could hide their beginning. */
const SCRUBBED_CHARS = 4_000;
const ELLIPSIS = "…";
/** Places of an open map whose lines are kept, with up to 5 kB each. */
const MAX_KEPT_PLACES = 200;
/** Reports of an issue fail at the same places; reading and scrubbing is half of a resolution. */
const keptLines = new WeakMap<CompactMap, MemoCache<ContextLines>>();
/** Halves of a surrogate pair at the cuts. */
const HALF_PAIRS = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/**
 * The lines around a place, each cut to `limits.maxSourceLineChars`: the line of the place around
 * its column, the others after their beginning. Null if the map has no text there.
 */
function readContextLines(
  map: CompactMap,
  place: OriginalPlace,
  sourceLines: number,
): ContextLines | null {
  // Reports repeat the default number of lines only.
  if (sourceLines !== limits.maxSourceLines) return readLines(map, place, sourceLines);
  const { source, line, column } = place;
  const key = `${source}:${line}:${column}`;
  const kept = keptLines.get(map) ?? new MemoCache(MAX_KEPT_PLACES);
  keptLines.set(map, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const lines = readLines(map, place, sourceLines);
  if (lines !== null) kept.set(key, lines);
  return lines;
}

function readLines(
  map: CompactMap,
  { source, line, column }: OriginalPlace,
  sourceLines: number,
): ContextLines | null {
  // The window begins at a multiple of half its size, so that short lines are read as a whole.
  const half = SCRUBBED_CHARS / 2;
  const from = Math.max(0, Math.floor((column - 1) / half - 0.5) * half);
  const middle = map.readLine(source, line, from + 1, SCRUBBED_CHARS);
  if (middle === null) return null;
  const before: string[] = [];
  for (let at = Math.max(1, line - sourceLines); at < line; at++)
    before.push(map.readLine(source, at, 1, SCRUBBED_CHARS) ?? "");
  const after: string[] = [];
  for (let at = line + 1; at <= line + sourceLines; at++) {
    const text = map.readLine(source, at, 1, SCRUBBED_CHARS);
    if (text === null) break;
    after.push(text);
  }
  const lines = scrubLines([...before, middle, ...after]);
  const scrubbed = lines[before.length] ?? "";
  // A removal before the column moves it.
  const shift = scrubbed === middle ? 0 : scrub(middle.slice(0, column - 1 - from)).length;
  const at = scrubbed === middle ? column - 1 - from : shift;
  return {
    source: cutAround(scrubbed, at, from > 0),
    sourceBefore: lines.slice(0, before.length).map((text) => cutAround(text, 0, false)),
    sourceAfter: lines.slice(before.length + 1).map((text) => cutAround(text, 0, false)),
  };
}

function scrub(text: string): string {
  return scrubTextSecrets(text, SECRET_PATTERNS, true);
}

/** The same number of lines without secrets, which may take several lines (a private key). */
function scrubLines(lines: readonly string[]): readonly string[] {
  const scrubbed = scrub(lines.join("\n")).split("\n");
  if (scrubbed.length === lines.length) return scrubbed;
  const start = lines.findIndex((line, at) => line !== scrubbed[at]);
  const lost = lines.length - scrubbed.length;
  let end = lines.length;
  while (end > start && lines[end - 1] === scrubbed[end - 1 - lost]) end--;
  return lines.map((line, at) => (at >= start && at < end ? REMOVED : line));
}

/** At most `limits.maxSourceLineChars` characters around an index, with "…" at each cut. */
function cutAround(text: string, index: number, isCutBefore: boolean): string {
  const max = limits.maxSourceLineChars;
  const end = Math.min(text.length, Math.max(max, index + max / 2));
  const start = Math.max(0, end - max);
  const isCut = isCutBefore || start > 0;
  const window = text.slice(start, end).replace(HALF_PAIRS, "");
  return (isCut ? ELLIPSIS : "") + escapeInvisible(window) + (end < text.length ? ELLIPSIS : "");
}
