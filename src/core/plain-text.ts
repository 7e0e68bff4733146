/** Text that people enter, without characters that a page does not show as what they are. Pure. */
import { hasExcessCombiningMarks } from "./combining-marks.ts";

/** True for text of at most `maxChars` characters without control characters. */
export function isPlainText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.length <= maxChars && !/\p{Cc}/u.test(value);
}

/**
 * Characters that are not displayed, that change the direction of text, or whose form is undefined:
 * with them, a name could imitate another. U+2800 is a Braille pattern without dots.
 */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Emoji that are joined by U+200D, with their variation selectors (UTS #51 § 1.4.9). */
const EMOJI_SEQUENCES = /\p{ExtPict}\p{EMod}?\ufe0f?(?:\u200d\p{ExtPict}\p{EMod}?\ufe0f?)*/gu;

/**
 * Returns the trimmed text; undefined if it is empty, too long, not text, or has control
 * characters, invisible characters, or more than four combining marks in a row.
 */
export function parseName(value: unknown, maxChars: number): string | undefined {
  const name = typeof value === "string" ? value.trim() : "";
  return name !== "" &&
    isPlainText(name, maxChars) &&
    !hasExcessCombiningMarks(name) &&
    !INVISIBLE_CHARACTERS.test(name.replace(EMOJI_SEQUENCES, ""))
    ? name
    : undefined;
}

/**
 * The items as a list in a sentence: `a`, `a and b`, `a, b, and c`. `Intl.ListFormat` would cost 9
 * ms of each start, because it loads the data of languages.
 */
export function joinWords(items: readonly string[], word: "and" | "or"): string {
  const last = items.at(-1) ?? "";
  if (items.length < 2) return last;
  const others = items.slice(0, -1).join(", ");
  return items.length === 2 ? `${others} ${word} ${last}` : `${others}, ${word} ${last}`;
}
