/** Marks the words of a search in a text. */
import { Fragment } from "react";

const MIN_WORD_CHARS = 3;
const MAX_WORDS = 10;
/** Syntax characters of a pattern (ECMA-262). */
const SPECIAL_CHARACTERS = /[\\^$.*+?()[\]{}|/]/g;

/** The text with each occurrence of `words`, together or alone, in `mark`; case-insensitive. */
export function Highlight({ text, words }: { text: string; words: string | undefined }) {
  const pattern = toPattern(words);
  if (pattern === undefined) return text;
  return text.split(pattern).map((part, index) => (
    // Every second part is a match. The parts have no ids; their order never changes.
    <Fragment key={index}>{index % 2 === 1 ? <mark>{part}</mark> : part}</Fragment>
  ));
}

/** Longer words first: a word may contain another one. */
function toPattern(words = ""): RegExp | undefined {
  const sources = [words.trim(), ...words.split(/\s+/)]
    .filter((word) => word.length >= MIN_WORD_CHARS)
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(SPECIAL_CHARACTERS, "\\$&"));
  return sources.length === 0 ? undefined : new RegExp(`(${sources.join("|")})`, "iu");
}
