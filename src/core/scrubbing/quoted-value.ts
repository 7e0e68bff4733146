/** Where a quoted value ends, also in JSON that stands in a string of JSON. */

const BACKSLASHES_OR_END = /\\+|["'\r\n]/g;

/**
 * The place behind the last character of a value that begins at `from`, up to which everything belongs to it. Its quote is
 * `sign` behind so many backslashes (`escapes`: 0, in a string 1, in a string of that 3); one behind more of them is part of
 * the value. A value that is not closed ends with its line. Looks at no character behind the end.
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
      // Fewer belong to a string around it. Each backslash of the value itself is written as two of its level.
      if (backslashes < escapes) return match.index - backslashes;
      if (backslashes % (2 * (escapes + 1)) === escapes) return match.index - escapes;
      backslashes = 0;
    }
  }
  return text.length;
}
