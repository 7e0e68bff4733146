/** Validators for fields of forms and JSON. */
import { hasExcessCombiningMarks } from "../../core/combining-marks.ts";
import type { ReportId } from "../../core/report.ts";

const TRUE_VALUES: ReadonlySet<unknown> = new Set([true, "true", "1", "on"]);

/** True for `true`, as JSON or a form writes it. */
export function isTrueValue(value: unknown): boolean {
  return TRUE_VALUES.has(value);
}

/**
 * The text or number that was sent, as text; empty for anything else. `String` throws for an object
 * of a JSON body whose `toString` is not a function.
 */
export function toSentText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** True for 32 lowercase hex characters: the id of a report or of a comment. */
export function isReportId(value: unknown): value is ReportId {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

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
