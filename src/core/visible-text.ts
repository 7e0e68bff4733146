/**
 * Text in which every character can be seen. Terminals and models act on characters that people do
 * not see: escapes of ANSI, marks of direction, tags of Unicode. Pure.
 */

/**
 * Everything but tabs and line feeds that has no form of its own: controls, formats (bidirectional
 * and zero-width), surrogates alone, private use, what Unicode ignores (tags, variation selectors),
 * line and paragraph separators, and a Braille pattern without dots.
 */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** The text with `\u{1b}` in place of an invisible character. Line ends become line feeds. */
export function showInvisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
