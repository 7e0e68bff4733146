/**
 * A reported text of any length, language and direction. What is long shows its beginning and opens on demand, without
 * scripts, so that 10,000 characters never push the rest of a page away.
 */
import { formatNumber } from "./number.tsx";

const ELLIPSIS = "…";

/** What a long text is made of: at most `headChars` characters (UTF-16 units) of it stand open. */
export interface LongTextProps {
  readonly text: string;
  readonly maxChars: number;
}

/** `text` whole when it is short, else its head and all of it behind a summary. Block content: not for a `p` or a heading. */
export function LongText({ text, maxChars }: LongTextProps) {
  return (
    <>
      <span dir="auto">{abbreviate(text, maxChars)}</span>
      <FullText text={text} maxChars={maxChars} />
    </>
  );
}

/** All of a text whose head stands elsewhere, in a heading say; nothing when the head is all. */
export function FullText({ text, maxChars }: LongTextProps) {
  if (text.length <= maxChars) return null;
  return (
    <details className="full-text">
      <summary>All {formatNumber(text.length)} characters</summary>
      <pre dir="auto">{text}</pre>
    </details>
  );
}

/** The first `headChars` units of `text` with an ellipsis; a pair of surrogates is not torn apart. */
export function abbreviate(text: string, headChars: number): string {
  if (text.length <= headChars) return text;
  const last = text.charCodeAt(headChars - 1);
  const splitsSurrogatePair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsSurrogatePair ? headChars - 1 : headChars).trimEnd() + ELLIPSIS;
}
