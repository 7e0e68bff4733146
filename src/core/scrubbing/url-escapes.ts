/** Secrets behind the escapes of an address: `%22password%22%3A%22abc%22`. */

/** What an address keeps together. An escaped `&` is part of a value. */
const URL_PIECE = /[^\s"<>&#]+/g;
const PERCENT_ESCAPE = /%[0-7][\dA-Fa-f]/;
/** An address up to the parameter's value: what has no escape needs none. */
const BEFORE_VALUE = /^.*[?=]/s;
const ALL_PERCENT_ESCAPES = new RegExp(PERCENT_ESCAPE, "g");

/** True where a part of the text may say something else than it spells. */
function hasEscapes(text: string): boolean {
  return PERCENT_ESCAPE.test(text);
}

/**
 * The text, with `scrub` applied to what its escaped parts say. A part that changes is written again with the escapes that
 * it had; ASCII alone is read, so that no escape is wrong.
 */
export function scrubEscapedParts(text: string, scrub: (decoded: string) => string): string {
  if (!hasEscapes(text)) return text;
  return text.replace(URL_PIECE, (piece) => {
    const firstAt = piece.search(PERCENT_ESCAPE);
    if (firstAt < 0) return piece;
    const head = BEFORE_VALUE.exec(piece.slice(0, firstAt))?.[0] ?? "";
    return head + scrubPiece(piece.slice(head.length), scrub);
  });
}

function scrubPiece(piece: string, scrub: (decoded: string) => string): string {
  const escapes = new Map<string, string>();
  const decoded = piece.replace(ALL_PERCENT_ESCAPES, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    escapes.set(character, encoded);
    return character;
  });
  const scrubbed = scrub(decoded);
  if (scrubbed === decoded) return piece;
  return Array.from(scrubbed, (character) => escapes.get(character) ?? character).join("");
}
