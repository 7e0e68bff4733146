/** Finds secrets in percent-encoded text: `%22password%22%3A%22abc%22`. */

/** A part of a URL without separators. An escaped `&` is part of a value. */
const URL_PIECE = /[^\s"<>&#]+/g;
const PERCENT_ESCAPE = /%[0-7][\dA-Fa-f]/;
/** The part of a URL before a parameter's value, which has no escapes. */
const BEFORE_VALUE = /^.*[?=]/s;
const ALL_PERCENT_ESCAPES = new RegExp(PERCENT_ESCAPE, "g");

/**
 * The text with `scrub` applied to its decoded parts. A changed part is encoded again with the
 * escapes that it had. Only ASCII is decoded, so that no escape is invalid.
 */
export function scrubEscapedParts(text: string, scrub: (decoded: string) => string): string {
  if (!PERCENT_ESCAPE.test(text)) return text;
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
