/** What a field may hold that forms and programs send alike. */
import type { ReportId } from "../../core/report.ts";

const TRUE_VALUES: ReadonlySet<unknown> = new Set([true, "true", "1", "on"]);

/** True for `true`, as JSON or a form writes it. */
export function isTrueValue(value: unknown): boolean {
  return TRUE_VALUES.has(value);
}

/** True for 32 lower-case hex characters: the id of a report, or of a comment. */
export function isReportId(value: unknown): value is ReportId {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** True for a text of at most `maxChars` characters, none of them a control character. */
export function isPlainText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.length <= maxChars && !/\p{Cc}/u.test(value);
}

/** What turns the text around it, or cannot be seen: a name with it passes for another one. */
const INVISIBLE_CHARACTERS = /[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** A plain text without the spaces around it, and nothing in it that disguises it; undefined for an empty one and for anything else. */
export function parseName(value: unknown, maxChars: number): string | undefined {
  const name = typeof value === "string" ? value.trim() : "";
  return name !== "" && isPlainText(name, maxChars) && !INVISIBLE_CHARACTERS.test(name)
    ? name
    : undefined;
}
