/** What the schemas of rules, preferences and destinations share, and how they refuse. Pure. */
import * as v from "valibot";
import { fail, ok, type Result } from "../result.ts";
import { list } from "../schema/stored-object.ts";
import { isTimeZone } from "../time-zone.ts";
import { alertLimits } from "./alert-limits.ts";

/** Why a rule or destination was not saved; `detail` is a sentence for the form. */
export interface AlertFailure {
  readonly reason: "invalid" | "too-many";
  readonly detail: string;
}

/** Refuses a rule or destination with a sentence for the form. */
export function refuse(detail: string) {
  return fail({ reason: "invalid" as const, detail });
}

/** The value as its schema decodes it, or the sentence of the first problem. */
export function decode<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
): Result<T, { readonly reason: "invalid"; readonly detail: string }> {
  const decoded = v.safeParse(schema, value, { abortEarly: true });
  return decoded.success ? ok(decoded.output) : refuse(decoded.issues[0].message);
}

/** A text that is not only spaces. */
export function textSchema(maxChars: number, problem?: string) {
  const isText = (text: string) => text.trim() !== "";
  return v.pipe(v.string(problem), v.maxLength(maxChars, problem), v.check(isText, problem));
}

export const idSchema = textSchema(64);

/** The ids of destinations. */
export const idListSchema = v.pipe(list(idSchema), v.maxLength(alertLimits.maxDestinations));

/** A whole number between `min` and `max`. */
export function wholeSchema(min: number, max: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
}

export const DAY_MINUTES = 1_440;

/** Minutes after midnight. */
export const minuteSchema = wholeSchema(0, DAY_MINUTES - 1);

/** An IANA name: `Europe/Berlin`. */
export const timeZoneSchema = v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone));
