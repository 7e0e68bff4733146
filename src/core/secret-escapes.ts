/** Secrets behind the escapes of an address: `%22password%22%3A%22abc%22`. */

/** What an address keeps together. An escaped `&` is part of a value. */
const PIECE = /[^\s"<>&#]+/g;
const ESCAPE = /%[0-7][\dA-Fa-f]/;
/** An address up to the parameter's value: what has no escape needs none. */
const HEAD = /^.*[?=]/s;
const ESCAPES = new RegExp(ESCAPE, "g");

/** True where a part of the text may say something else than it spells. */
function hasEscapes(text: string): boolean {
  return ESCAPE.test(text);
}

/**
 * The text, with `scrub` applied to what its escaped parts say. A part that changes is written again with the escapes that
 * it had; ASCII alone is read, so that no escape is wrong.
 */
export function withoutEscaped(text: string, scrub: (said: string) => string): string {
  if (!hasEscapes(text)) return text;
  return text.replace(PIECE, (piece) => {
    const firstAt = piece.search(ESCAPE);
    if (firstAt < 0) return piece;
    const head = HEAD.exec(piece.slice(0, firstAt))?.[0] ?? "";
    return head + scrubPiece(piece.slice(head.length), scrub);
  });
}

function scrubPiece(piece: string, scrub: (said: string) => string): string {
  const escapes = new Map<string, string>();
  const said = piece.replace(ESCAPES, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    escapes.set(character, written);
    return character;
  });
  const scrubbed = scrub(said);
  if (scrubbed === said) return piece;
  return Array.from(scrubbed, (character) => escapes.get(character) ?? character).join("");
}
