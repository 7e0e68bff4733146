/** Finds the end of a quoted value, also in JSON inside a JSON string. */

const BACKSLASHES_OR_END = /\\+|["'\r\n]/g;

/**
 * The end of a quoted value that begins at `from`. Its quote is `quote` after `escapes` backslashes
 * (0; in a JSON string 1; in a string within that 3). A quote after more backslashes belongs to the
 * value. An unclosed value ends with its line. Reads no character after the end.
 */
export function findClosingQuote(
  text: string,
  from: number,
  quote: string,
  escapes: number,
): number {
  let backslashes = 0;
  let at = from;
  BACKSLASHES_OR_END.lastIndex = from;
  for (
    let match = BACKSLASHES_OR_END.exec(text);
    match !== null;
    match = BACKSLASHES_OR_END.exec(text)
  ) {
    const [found] = match;
    if (match.index > at) backslashes = 0;
    at = match.index + found.length;
    if (found === "\n" || found === "\r") return match.index;
    if (found.startsWith("\\")) backslashes = found.length;
    else if (found !== quote) backslashes = 0;
    else {
      // Fewer backslashes: the quote closes an enclosing string. Each backslash of the value is
      // written as two at its level.
      if (backslashes < escapes) return match.index - backslashes;
      if (backslashes % (2 * (escapes + 1)) === escapes) return match.index - escapes;
      backslashes = 0;
    }
  }
  return text.length;
}
