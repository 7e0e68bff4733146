/** Validators for fields of forms and JSON. */

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
