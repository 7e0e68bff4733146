/**
 * The source lines around the one that threw. Long lines are truncated around the column, because a
 * minified line may have 2,000 characters. Pure.
 */
import { findLanguage } from "../../../core/code/language.ts";
import { type Token, tokenize } from "../../../core/code/tokenize.ts";
import type { Frame } from "../../../core/report.ts";

const LINE_CHARS = 320;
const BEFORE_COLUMN_CHARS = 120;
const ELLIPSIS = "…";

/** One line of source in tokens. `number` is 1-based, absent if the report has none. */
interface SourceLine {
  readonly number?: number;
  readonly tokens: readonly Token[];
  readonly isThrowing: boolean;
}

/** The frame's lines in order; empty if the report has no source. */
export function toSourceLines(frame: Frame): readonly SourceLine[] {
  if (frame.source === undefined) return [];
  const before = frame.sourceBefore ?? [];
  const firstNumber = frame.line === undefined ? undefined : frame.line - before.length;
  const texts = [
    ...before.map((text) => truncateLine(text, 1)),
    truncateLine(frame.source, frame.column ?? 1),
    ...(frame.sourceAfter ?? []).map((text) => truncateLine(text, 1)),
  ];
  return tokenize(texts, findLanguage(frame.file)).map((tokens, index) => ({
    number: firstNumber === undefined ? undefined : firstNumber + index,
    tokens,
    isThrowing: index === before.length,
  }));
}

/** `text` if short, otherwise the part around `column` (1-based), with ellipses at the cuts. */
function truncateLine(text: string, column: number): string {
  if (text.length <= LINE_CHARS) return text;
  const latestStart = text.length - LINE_CHARS;
  const start = Math.min(latestStart, Math.max(0, column - BEFORE_COLUMN_CHARS));
  const end = start + LINE_CHARS;
  return (start > 0 ? ELLIPSIS : "") + text.slice(start, end) + (end < text.length ? ELLIPSIS : "");
}
