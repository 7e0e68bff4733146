/**
 * Exact decoders for what Errata itself wrote once and somebody may have edited since: a value of another type is refused, with
 * the member that it stands in, and what is too long is cut. Members that are not named are left out, the others keep their
 * order. Never throws, and says nothing of the value.
 */
import { cutText } from "../core/cut.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { recordOf } from "./decode.ts";

/** What was expected instead, and where: `frames[0].line`. */
export interface Unlike {
  readonly reason: "unlike";
  /** Members by the names that they have here, never by others; empty for the value itself. */
  readonly at: string;
  readonly expected: string;
}

/** A value of this type, or why it is none. */
export type Read<T> = (value: unknown) => Result<T, Unlike>;

/** A member that may be missing. */
export interface Optional<T> {
  readonly optional: Read<T>;
}

/** A decoder for every member of `T`, so that one which is added to a type cannot be forgotten here. */
export type Shape<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? Optional<Exclude<T[K], undefined>>
    : Read<T[K]>;
};

/** Refuses a value, or the member `at` of it. */
export function unlike(expected: string, at = ""): Result<never, Unlike> {
  return fail({ reason: "unlike", at, expected });
}

/** What `test` holds for. */
export function only<T>(test: (value: unknown) => value is T, expected: string): Read<T> {
  return (value) => (test(value) ? ok(value) : unlike(expected));
}

/** True or false. */
export const flag = only((value) => typeof value === "boolean", "true or false");

/** True: what is not so has no such member. */
export const yes = only((value) => value === true, "true");

/** A number, none of the three that JSON cannot write. */
export const number = only(
  (value): value is number => typeof value === "number" && Number.isFinite(value),
  "a number",
);

/** A whole number from 0. */
export const whole = only(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "a whole number from 0",
);

/** A whole number from 1. */
export const positive = only(
  (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  "a whole number from 1",
);

/** The end of the year 9999: what is later has no day that sorts. */
const LAST_MS = 253_402_300_799_999;

/** A moment, whole milliseconds since 1970. */
export const moment = only(
  (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LAST_MS,
  "a time in whole milliseconds since 1970",
);

/** A text, cut to `maxChars` UTF-16 units. */
export function text(maxChars: number): Read<string> {
  return (value) => (typeof value === "string" ? ok(cutText(value, maxChars)) : unlike("a text"));
}

/** A text of a form. */
export function matching(pattern: RegExp, expected: string): Read<string> {
  return only(
    (value): value is string => typeof value === "string" && pattern.test(value),
    expected,
  );
}

/** One of these words. */
export function oneOf<T extends string>(words: Readonly<Record<T, true>>): Read<T> {
  const known: ReadonlySet<unknown> = new Set(Object.keys(words));
  return only((value): value is T => known.has(value), `one of ${[...known].join(", ")}`);
}

/** A list, of which the first `max` members are kept. */
export function list<T>(read: Read<T>, max: number): Read<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return unlike("a list");
    const kept: T[] = [];
    for (const [n, member] of value.slice(0, max).entries()) {
      const one = read(member);
      if (!one.ok) return within(`[${n}]`, one);
      kept.push(one.value);
    }
    return ok(kept);
  };
}

/** A list of a name and a value each, of which the first `max` are kept. */
export function pairs(maxChars: number, max: number): Read<readonly (readonly [string, string])[]> {
  const read = list(text(maxChars), Number.POSITIVE_INFINITY);
  return list((value) => {
    const pair = read(value);
    if (!pair.ok) return pair;
    const [name, said, ...more] = pair.value;
    if (name === undefined || said === undefined || more.length > 0) return unlike("two texts");
    return ok([name, said] as const);
  }, max);
}

/** An object with these members. */
export function object<T extends object>(shape: Shape<T>): Read<T> {
  const members = new Map(Object.entries<Read<unknown> | Optional<unknown>>(shape));
  const needed = [...members].filter(([, member]) => typeof member === "function");
  return (value) => {
    const fields = recordOf(value);
    if (fields === undefined) return unlike("an object");
    const kept: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const member = members.get(name);
      if (member === undefined) continue;
      const one = (typeof member === "function" ? member : member.optional)(field);
      if (!one.ok) return within(name, one);
      kept[name] = one.value;
    }
    const missing = needed.find(([name]) => !Object.hasOwn(kept, name));
    return missing === undefined ? ok(kept as T) : unlike("there", missing[0]);
  };
}

function within(name: string, { at, expected }: Unlike): Result<never, Unlike> {
  return unlike(expected, `${name}${at === "" || at.startsWith("[") ? "" : "."}${at}`);
}
