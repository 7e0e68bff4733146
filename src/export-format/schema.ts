/**
 * Strict decoders for data that Errata exported and that may have been edited. A wrong type is
 * rejected with its path; long text and lists are truncated. Unknown members are dropped, the
 * others keep their order. Never throws, and quotes nothing of the value.
 */

import { asRecord } from "../core/decode/as-type.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { truncateText } from "../core/truncate.ts";
import { MAX_RFC3339_MS } from "../core/utc-time.ts";

/** The expected value and its path: `frames[0].line`. */
export interface SchemaMismatch {
  readonly reason: "mismatch";
  /** Known member names only; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
}

/** Decodes a value, or says why it does not match. */
export type Schema<T> = (value: unknown) => Result<T, SchemaMismatch>;

/** An optional member. */
interface OptionalSchema<T> {
  readonly optional: Schema<T>;
}

/** A decoder for every member of `T`. A new member of `T` does not compile until it has one. */
type ObjectSchema<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? OptionalSchema<Exclude<T[K], undefined>>
    : Schema<T[K]>;
};

/** Rejects a value, or its member at `path`. */
export function failMismatch(expected: string, path = ""): Result<never, SchemaMismatch> {
  return fail({ reason: "mismatch", path, expected });
}

/** Accepts values for which `test` is true. */
export function refine<T>(test: (value: unknown) => value is T, expected: string): Schema<T> {
  return (value) => (test(value) ? ok(value) : failMismatch(expected));
}

/** True or false. */
export const booleanSchema = refine((value) => typeof value === "boolean", "true or false");

/** True; the member is absent otherwise. */
export const trueSchema = refine((value) => value === true, "true");

export const numberSchema = refine(
  (value): value is number => typeof value === "number" && Number.isFinite(value),
  "a number",
);

/** A whole number from 0. */
export const nonNegativeInteger = refine(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "a non-negative whole number",
);

/** A whole number from 1. */
export const positiveInteger = refine(
  (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  "a positive whole number",
);

/** The end of the year 9999: later years do not sort as text. */

/** Whole milliseconds since 1970. */
export const timestampMs = refine(
  (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_RFC3339_MS,
  "a time in whole milliseconds since 1970",
);

/** Text, truncated to `maxChars` UTF-16 units. */
export function textSchema(maxChars: number): Schema<string> {
  return (value) =>
    typeof value === "string" ? ok(truncateText(value, maxChars)) : failMismatch("text");
}

/** Text that matches a pattern. */
export function patternSchema(pattern: RegExp, expected: string): Schema<string> {
  return refine(
    (value): value is string => typeof value === "string" && pattern.test(value),
    expected,
  );
}

/** One of these strings, or of the names of these members. */
export function enumSchema<T extends string>(
  values: readonly T[] | Readonly<Record<T, true>>,
): Schema<T> {
  const known: ReadonlySet<unknown> = new Set(Array.isArray(values) ? values : Object.keys(values));
  return refine((value): value is T => known.has(value), `one of ${[...known].join(", ")}`);
}

/** A list; keeps the first `max` members. */
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

/** A list of name–value pairs; keeps the first `max`. */
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
      return failMismatch("two strings");
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
    return missing === undefined ? ok(result as T) : failMismatch("a value", missing[0]);
  };
}

function prependPath(
  name: string,
  { path, expected }: SchemaMismatch,
): Result<never, SchemaMismatch> {
  return failMismatch(expected, `${name}${path === "" || path.startsWith("[") ? "" : "."}${path}`);
}
