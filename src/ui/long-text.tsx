/**
 * A reported text of any length, language and direction. What is long shows its beginning and opens on demand, without
 * scripts, so that 10,000 characters never push the rest of a page away.
 */
import { figure } from "./figure.tsx";

const ELLIPSIS = "…";

/** What a long text is made of: at most `headChars` characters (UTF-16 units) of it stand open. */
export interface LongTextProps {
  readonly text: string;
  readonly headChars: number;
}

/** `text` whole when it is short, else its head and all of it behind a summary. Block content: not for a `p` or a heading. */
export function LongText({ text, headChars }: LongTextProps) {
  return (
    <>
      <span dir="auto">{headOf(text, headChars)}</span>
      <WholeText text={text} headChars={headChars} />
    </>
  );
}

/** All of a text whose head stands elsewhere, in a heading say; nothing when the head is all. */
export function WholeText({ text, headChars }: LongTextProps) {
  if (text.length <= headChars) return null;
  return (
    <details className="whole-text">
      <summary>All {figure(text.length)} characters</summary>
      <pre dir="auto">{text}</pre>
    </details>
  );
}

/** The first `headChars` units of `text` with an ellipsis; a pair of surrogates is not torn apart. */
export function headOf(text: string, headChars: number): string {
  if (text.length <= headChars) return text;
  const last = text.charCodeAt(headChars - 1);
  const isTorn = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isTorn ? headChars - 1 : headChars).trimEnd() + ELLIPSIS;
}
