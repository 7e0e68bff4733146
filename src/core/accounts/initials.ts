/** What stands for a person where the name has no room: initials, and a tint of the name. */
import { fnv1a } from "../fnv1a.ts";
import { toComparableName } from "./names.ts";

/** The number of tints; `avatar.css` has a color for each. */
export const AVATAR_TINTS = 8;

/** Made when a name is shown: the first one of an isolate reads the tables of all locales. */
let graphemes: Intl.Segmenter | undefined;

/**
 * One or two characters in capitals: the first of the first and of the last word (`AL` for "Ada
 * Lovelace"), the first two of a single word (`BO` for "Bob"). A character is what a reader takes
 * for one, so an emoji or a letter with marks stays whole. `?` for a name without characters.
 */
export function toInitials(name: string): string {
  const words = name
    .replace(/(?:(?!\u200d|\ufe0f)[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}])+/gu, " ")
    .trim()
    .split(" ");
  const [first = "", ...others] = words;
  const last = others.at(-1);
  const [one = "", two = ""] = split(first);
  // Two characters that fill a square each, such as 山田, do not fit.
  const second = last === undefined ? two : (split(last)[0] ?? "");
  const isWide =
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;
  const initials = isWide.test(one + second) ? one : one + second;
  return initials.toUpperCase() || "?";
}

function split(word: string): readonly string[] {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...graphemes.segment(word)].map(({ segment }) => segment);
}

/** The tint of a name, from 0 to `AVATAR_TINTS - 1`: the same for spellings that look the same. */
export function toAvatarTint(name: string): number {
  return fnv1a(toComparableName(name)) % AVATAR_TINTS;
}
