/**
 * A reported text of any length, language and direction. A long text is abbreviated and can be
 * expanded without scripts.
 */
import { limitCombiningMarks } from "../../core/combining-marks.ts";
import { formatNumber } from "./number.tsx";

const ELLIPSIS = "…";

/** A text, of which at most `maxChars` UTF-16 units are shown before expanding. */
interface LongTextProps {
  readonly text: string;
  readonly maxChars: number;
}

/**
 * `text`, or its beginning with the full text in a `details`. Block content: not for a `p` or a
 * heading.
 */
export function LongText({ text, maxChars }: LongTextProps) {
  return (
    <>
      <span dir="auto">{abbreviate(text, maxChars)}</span>
      <FullText text={text} maxChars={maxChars} />
    </>
  );
}

/** The full text of an abbreviated one in a `details`; nothing if `text` is short. */
export function FullText({ text, maxChars }: LongTextProps) {
  if (text.length <= maxChars) return null;
  return (
    <details className="full-text">
      <summary>All {formatNumber(text.length)} characters</summary>
      <pre dir="auto">{text}</pre>
    </details>
  );
}

/**
 * The first `headChars` units of `text` with an ellipsis. Never splits a surrogate pair. Combining
 * marks are limited.
 */
export function abbreviate(reportedText: string, headChars: number): string {
  const text = limitCombiningMarks(reportedText);
  if (text.length <= headChars) return text;
  const last = text.charCodeAt(headChars - 1);
  const splitsSurrogatePair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsSurrogatePair ? headChars - 1 : headChars).trimEnd() + ELLIPSIS;
}
