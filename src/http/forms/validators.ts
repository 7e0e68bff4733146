/** Validators for fields of forms and JSON. */
import type { ReportId } from "../../core/report.ts";

const TRUE_VALUES: ReadonlySet<unknown> = new Set([true, "true", "1", "on"]);

/** True for `true`, as JSON or a form writes it. */
export function isTrueValue(value: unknown): boolean {
  return TRUE_VALUES.has(value);
}

/** True for 32 lowercase hex characters: the id of a report or of a comment. */
export function isReportId(value: unknown): value is ReportId {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** True for text of at most `maxChars` characters without control characters. */
export function isPlainText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.length <= maxChars && !/\p{Cc}/u.test(value);
}

/** Characters that reverse text or are invisible: with them, a name could imitate another. */
const INVISIBLE_CHARACTERS = /[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/**
 * Returns the trimmed text, without control or invisible characters; undefined if it is empty, too
 * long or not text.
 */
export function parseName(value: unknown, maxChars: number): string | undefined {
  const name = typeof value === "string" ? value.trim() : "";
  return name !== "" && isPlainText(name, maxChars) && !INVISIBLE_CHARACTERS.test(name)
    ? name
    : undefined;
}
