/**
 * Exact decoders for what Errata itself wrote once and somebody may have edited since: a value of another type is refused, with
 * the member that it stands in, and what is too long is cut. Members that are not named are left out, the others keep their
 * order. Never throws, and says nothing of the value.
 */

import { asRecord } from "../core/decode/as-type.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { truncateText } from "../core/truncate.ts";

/** What was expected instead, and where: `frames[0].line`. */
export interface SchemaMismatch {
  readonly reason: "mismatch";
  /** Members by the names that they have here, never by others; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
}

/** A value of this type, or why it is none. */
export type Schema<T> = (value: unknown) => Result<T, SchemaMismatch>;

/** A member that may be missing. */
export interface OptionalSchema<T> {
  readonly optional: Schema<T>;
}

/** A decoder for every member of `T`, so that one which is added to a type cannot be forgotten here. */
export type ObjectSchema<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? OptionalSchema<Exclude<T[K], undefined>>
    : Schema<T[K]>;
};

/** Refuses a value, or the member `at` of it. */
export function failMismatch(expected: string, path = ""): Result<never, SchemaMismatch> {
  return fail({ reason: "mismatch", path, expected });
}

/** What `test` holds for. */
export function refine<T>(test: (value: unknown) => value is T, expected: string): Schema<T> {
  return (value) => (test(value) ? ok(value) : failMismatch(expected));
}

/** True or false. */
export const booleanSchema = refine((value) => typeof value === "boolean", "true or false");

/** True: what is not so has no such member. */
export const trueSchema = refine((value) => value === true, "true");

/** A number, none of the three that JSON cannot write. */
export const numberSchema = refine(
  (value): value is number => typeof value === "number" && Number.isFinite(value),
  "a number",
);

/** A whole number from 0. */
export const nonNegativeInteger = refine(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "a whole number from 0",
);

/** A whole number from 1. */
export const positiveInteger = refine(
  (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  "a whole number from 1",
);

/** The end of the year 9999: what is later has no day that sorts. */
const MAX_TIMESTAMP_MS = 253_402_300_799_999;

/** A moment, whole milliseconds since 1970. */
export const timestampMs = refine(
  (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIMESTAMP_MS,
  "a time in whole milliseconds since 1970",
);

/** A text, cut to `maxChars` UTF-16 units. */
export function textSchema(maxChars: number): Schema<string> {
  return (value) =>
    typeof value === "string" ? ok(truncateText(value, maxChars)) : failMismatch("a text");
}

/** A text of a form. */
export function patternSchema(pattern: RegExp, expected: string): Schema<string> {
  return refine(
    (value): value is string => typeof value === "string" && pattern.test(value),
    expected,
  );
}

/** One of these words. */
export function enumSchema<T extends string>(values: Readonly<Record<T, true>>): Schema<T> {
  const known: ReadonlySet<unknown> = new Set(Object.keys(values));
  return refine((value): value is T => known.has(value), `one of ${[...known].join(", ")}`);
}

/** A list, of which the first `max` members are kept. */
export function listSchema<T>(parse: Schema<T>, max: number): Schema<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return failMismatch("a list");
    const result: T[] = [];
    for (const [n, member] of value.slice(0, max).entries()) {
      const parsed = parse(member);
      if (!parsed.ok) return prependPath(`[${n}]`, parsed);
      result.push(parsed.value);
    }
    return ok(result);
  };
}

/** A list of a name and a value each, of which the first `max` are kept. */
export function pairsSchema(
  maxChars: number,
  max: number,
): Schema<readonly (readonly [string, string])[]> {
  const parse = listSchema(textSchema(maxChars), Number.POSITIVE_INFINITY);
  return listSchema((value) => {
    const pair = parse(value);
    if (!pair.ok) return pair;
    const [name, second, ...more] = pair.value;
    if (name === undefined || second === undefined || more.length > 0)
      return failMismatch("two texts");
    return ok([name, second] as const);
  }, max);
}

/** An object with these members. */
export function objectSchema<T extends object>(shape: ObjectSchema<T>): Schema<T> {
  const members = new Map(Object.entries<Schema<unknown> | OptionalSchema<unknown>>(shape));
  const required = [...members].filter(([, member]) => typeof member === "function");
  return (value) => {
    const fields = asRecord(value);
    if (fields === undefined) return failMismatch("an object");
    const result: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const member = members.get(name);
      if (member === undefined) continue;
      const parsed = (typeof member === "function" ? member : member.optional)(field);
      if (!parsed.ok) return prependPath(name, parsed);
      result[name] = parsed.value;
    }
    const missing = required.find(([name]) => !Object.hasOwn(result, name));
    return missing === undefined ? ok(result as T) : failMismatch("there", missing[0]);
  };
}

function prependPath(
  name: string,
  { path, expected }: SchemaMismatch,
): Result<never, SchemaMismatch> {
  return failMismatch(expected, `${name}${path === "" || path.startsWith("[") ? "" : "."}${path}`);
}
