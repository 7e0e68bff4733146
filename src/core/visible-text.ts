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
  return text.replace(/\r\n/g, "\n").replace(INVISIBLE, showCharacter);
}

/** As `showInvisible`, in one line: tabs and line feeds are shown as well. */
export function showInLine(text: string): string {
  return showInvisible(text).replace(/[\t\n]/g, showCharacter);
}

/** JSON whose invisible characters are escapes of JSON, so that its value stays the same. */
export function showInJson(json: string): string {
  // Outside of strings, a carriage return is a space of JSON, which cannot be escaped.
  return json.replace(INVISIBLE, (character) =>
    character === "\r" ? character : escapeUnits(character),
  );
}

function showCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** JSON escapes UTF-16 units (RFC 8259, section 7). */
function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
