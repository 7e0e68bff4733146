/** Validators for fields of forms and JSON. */
import type { ReportId } from "../../core/report.ts";

export { isPlainText, parseName } from "../../core/plain-text.ts";

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
