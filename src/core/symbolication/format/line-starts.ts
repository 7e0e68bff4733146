/** The lines of a text, counted as bundlers, parsers and engines count them. Pure. */

/** ECMA-262 § 12.3, as all bundlers count lines. */
const LINE_ENDS = /\r\n|[\n\r\u2028\u2029]/g;

/** The index of each line of a text. */
export function createLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(LINE_ENDS)) starts.push(match.index + match[0].length);
  return starts;
}
