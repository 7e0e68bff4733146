/**
 * Tolerant decoders: an unknown value in, a typed value or undefined out. They accept the variants
 * of real senders (a number in quotes, tags as pairs), never throw and never truncate.
 */
import { limits } from "../limits.ts";
import { MAX_DATE_MS } from "../utc-time.ts";

/** A decoded JSON object. Readers use only known members. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Non-empty text; a finite number or a boolean becomes text. Undefined for everything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value === "boolean" || Number.isFinite(value)) return String(value);
  return undefined;
}

/** A finite number, also from decimal text (`"12"`, as some old browsers write line numbers). */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A count, at most `limits.maxCount`; 0 for everything else. */
export function asCount(value: unknown): number {
  const count = asNumber(value) ?? 0;
  return Number.isSafeInteger(count) && count > 0 ? Math.min(count, limits.maxCount) : 0;
}

/** A 1-based line or column: a whole number from 1. Senders write 0 for "unknown". */
export function asLineNumber(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** True or false. Undefined for everything else. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** An object that is not an array. Undefined for everything else. */
export function asRecord(value: unknown): JsonFields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonFields)
    : undefined;
}

/** An array. Undefined for everything else. */
export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A list, sent either bare or as `{"values": […]}`; empty for everything else. */
export function asList(value: unknown): readonly unknown[] {
  return asArray(value) ?? asArray(asRecord(value)?.values) ?? [];
}

/** The members of a list that are objects. */
export function filterRecords(list: readonly unknown[]): readonly JsonFields[] {
  return list.map(asRecord).filter((record) => record !== undefined);
}

/** Name–text pairs, sent as an object or as a list of pairs; skips other members. */
export function asTextPairs(value: unknown): readonly (readonly [name: string, value: string])[] {
  const entries = asArray(value) ?? Object.entries(asRecord(value) ?? {});
  const pairs: (readonly [string, string])[] = [];
  for (const entry of entries) {
    const [name, text] = (asArray(entry) ?? []).map(asText);
    if (name !== undefined && text !== undefined) pairs.push([name, text]);
  }
  return pairs;
}

/**
 * 32 lower-case hex characters, from a UUID with or without dashes. Undefined for everything else,
 * including the nil UUID.
 */
export function parseHexId(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 40) return undefined;
  const id = value.trim().replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** As milliseconds before 1973, as seconds after the year 5000. Lower numbers are seconds. */
const MIN_MILLISECONDS = 100_000_000_000;
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Whole milliseconds since 1970, from seconds (with a fraction), milliseconds, either as text, or
 * ISO 8601. A time without a zone is UTC, as in Sentry. Undefined before 1970 and for everything
 * else.
 */
export function parseTimeMs(value: unknown): number | undefined {
  const number = asNumber(value);
  if (number !== undefined) {
    const ms = Math.round(number < MIN_MILLISECONDS ? number * 1000 : number);
    return ms >= 0 && ms <= MAX_DATE_MS ? ms : undefined;
  }
  const [, date, time, zone] = typeof value === "string" ? (ISO_TIME.exec(value.trim()) ?? []) : [];
  if (date === undefined || time === undefined) return undefined;
  const ms = Date.parse(`${date}T${time}${zone?.toUpperCase() ?? "Z"}`);
  return ms >= 0 ? ms : undefined;
}
