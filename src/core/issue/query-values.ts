/**
 * The values of a filter: `shop@*`, `production,"pre prod"`, `>10`, `<1h`. Every place that tests
 * values uses these functions. Pure.
 */
import { DAY_MS, HOUR_MS, isUtcDay, MINUTE_MS } from "../utc-time.ts";

/** One of the values of a filter, of which one must match. */
export interface FilterValue {
  readonly text: string;
  /** Equals the value. */
  readonly isExact: boolean;
  /** `*` in the text stands for any text, and the rest is the whole value. */
  readonly isPattern: boolean;
}

/** A filter's value as it is written, and whether all of it was in quotes. */
interface WrittenValue {
  readonly value: string;
  readonly isExact: boolean;
}

/** The values between commas. Commas in quotes are part of a value. */
export function listFilterValues({ value, isExact }: WrittenValue): readonly FilterValue[] {
  if (isExact) return [{ text: value, isExact: true, isPattern: false }];
  return (value.match(ITEMS) ?? []).flatMap((item): readonly FilterValue[] => {
    const isQuoted = item.startsWith('"');
    const text = isQuoted ? unquote(item) : item;
    return text === ""
      ? []
      : [{ text, isExact: isQuoted, isPattern: !isQuoted && item.includes("*") }];
  });
}

const QUOTED = '"(?:[^"]|"")*"?';
const ITEMS = new RegExp(`${QUOTED}(?=,|$)|[^,]+`, "g");
const ITEM = new RegExp(`${QUOTED}|[^\\s,]*`, "y");

/** Where the values of a filter end that begin at `at`: before a space, or after a quote. */
export function findValuesEnd(text: string, at: number): number {
  let end = at - 1;
  do {
    ITEM.lastIndex = end + 1;
    end += 1 + (ITEM.exec(text)?.[0].length ?? 0);
  } while (text[end] === ",");
  return end;
}

/** True for one value in quotes. */
export function isQuotedValue(value: string): boolean {
  return ONE_QUOTED.test(value);
}

const ONE_QUOTED = new RegExp(`^${QUOTED}$`);

/** The value with its last quote, which may be missing at the end of a query. */
export function closeQuote(value: string): string {
  const last = value.match(ITEMS)?.at(-1) ?? "";
  const isOpen = last.startsWith('"') && !/^"(?:[^"]|"")*"$/.test(last);
  return isOpen ? `${value}"` : value;
}

/** The text within quotes, in which a quote is doubled. */
export function unquote(item: string): string {
  return item.replace(/^"|"$/g, "").replaceAll('""', '"');
}

/** Lower-cases only ASCII letters, as SQLite's `lower` does. */
export function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A test of values: true for those that one value of the filter describes. */
export function createValueTest(written: WrittenValue): (actual: string) => boolean {
  const tests = listFilterValues(written).map(toTest);
  return (actual) => tests.some((test) => test(actual));
}

function toTest({ text, isExact, isPattern }: FilterValue): (actual: string) => boolean {
  if (isExact) return (actual) => actual === text;
  const lower = toAsciiLowerCase(text);
  if (!isPattern) return (actual) => toAsciiLowerCase(actual).includes(lower);
  const parts = lower.split("*");
  return (actual) => matchesParts(toAsciiLowerCase(actual), parts);
}

/** Linear: each part is found once, at its first place after the part before it. */
function matchesParts(actual: string, parts: readonly string[]): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const end = actual.length - last.length;
  if (!actual.startsWith(first) || !actual.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = actual.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

// Numbers and times.

/** The keys whose values are compared, and what they are. */
export const COMPARED_KEYS = {
  count: "number",
  users: "number",
  last: "time",
  first: "time",
} as const;

export type ComparedKey = keyof typeof COMPARED_KEYS;

export function isComparedKey(key: string): key is ComparedKey {
  return Object.hasOwn(COMPARED_KEYS, key);
}

/** The smallest and the largest value that match; undefined without a bound. */
export interface ValueRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

const COMPARISON = /^(>=|<=|[<>=≥≤])?(.+)$/;
const AGE = /^(\d{1,6})(m|min|h|d|w)$/;
const AGE_UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)Z?)?$/;

/** True if a value begins like a comparison. */
export function isComparison(value: string): boolean {
  return /^[<>≥≤]/.test(value);
}

/**
 * The range of `>10`, `<1h`, `>=2026-11-20` or `2026-11-20T15:30` at `nowMs`; undefined if the
 * value is none. An age is the time since then, so a smaller age is a later time. A day is a whole
 * day, UTC: later than it is on the next day.
 */
export function parseRange(key: ComparedKey, value: string, nowMs: number): ValueRange | undefined {
  const [, sign = "=", operand = ""] = COMPARISON.exec(value) ?? [];
  const operator = sign.replace("≥", ">=").replace("≤", "<=");
  if (COMPARED_KEYS[key] === "number") {
    if (!/^\d{1,12}$/.test(operand)) return undefined;
    return toRange(operator, Number(operand), Number(operand));
  }
  const [, amount, unit = ""] = AGE.exec(operand) ?? [];
  if (amount !== undefined) {
    const atMs = nowMs - Number(amount) * (AGE_UNITS_MS[unit] ?? 0);
    return operator.startsWith(">") ? { max: atMs } : { min: atMs };
  }
  const [, day = "", hour, minute] = MOMENT.exec(operand) ?? [];
  if (!isUtcDay(day)) return undefined;
  const startMs = Date.parse(`${day}T${hour ?? "00"}:${minute ?? "00"}Z`);
  return toRange(operator, startMs, startMs + (hour === undefined ? DAY_MS : MINUTE_MS) - 1);
}

/** The range for a value that lasts from `first` to `last`. */
function toRange(operator: string, first: number, last: number): ValueRange {
  switch (operator) {
    case ">":
      return { min: last + 1 };
    case ">=":
      return { min: first };
    case "<":
      return { max: first - 1 };
    case "<=":
      return { max: last };
    default:
      return { min: first, max: last };
  }
}

/** True if the number is in the range. */
export function isInRange({ min, max }: ValueRange, actual: number): boolean {
  return (min === undefined || actual >= min) && (max === undefined || actual <= max);
}
