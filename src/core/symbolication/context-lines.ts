/** The lines of a source around a place, without secrets. */
import { limits } from "../limits.ts";
import { MemoCache } from "../memo-cache.ts";
import { scrubTextSecrets } from "../scrubbing/scrub-text.ts";
import { REMOVED, SECRET_PATTERNS } from "../scrubbing/secret-patterns.ts";
import type { CompactMap, OriginalPlace } from "./compact-map.ts";
import { escapeInvisible } from "./source-names.ts";

/** A line and up to `limits.maxSourceLines` lines before and after it. */
export interface ContextLines {
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
export function readContextLines(map: CompactMap, place: OriginalPlace): ContextLines | null {
  const { source, line, column } = place;
  const key = `${source}:${line}:${column}`;
  const kept = keptLines.get(map) ?? new MemoCache(MAX_KEPT_PLACES);
  keptLines.set(map, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const lines = readLines(map, place);
  if (lines !== null) kept.set(key, lines);
  return lines;
}

function readLines(map: CompactMap, { source, line, column }: OriginalPlace): ContextLines | null {
  // The window begins at a multiple of half its size, so that short lines are read as a whole.
  const half = SCRUBBED_CHARS / 2;
  const from = Math.max(0, Math.floor((column - 1) / half - 0.5) * half);
  const middle = map.readLine(source, line, from + 1, SCRUBBED_CHARS);
  if (middle === null) return null;
  const before: string[] = [];
  for (let at = Math.max(1, line - limits.maxSourceLines); at < line; at++)
    before.push(map.readLine(source, at, 1, SCRUBBED_CHARS) ?? "");
  const after: string[] = [];
  for (let at = line + 1; at <= line + limits.maxSourceLines; at++) {
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
