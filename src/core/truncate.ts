/**
 * Truncates untrusted values to the limits. Never throws, whatever reading the value does: getters
 * and proxies may throw, references may be circular.
 */
import { limitCombiningMarks } from "./combining-marks.ts";
import { limits } from "./limits.ts";
import { readProperty } from "./read-property.ts";
import type { Json } from "./report.ts";

const ELLIPSIS = "…";
const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Keys that change an object's prototype when they are assigned. They are never stored. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Limits of a JSON value. Characters are UTF-16 code units. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxMembers: number;
  readonly maxStringChars: number;
  readonly maxValues: number;
}

/**
 * `text`, or its beginning and "…" if it is longer than `maxChars`. Never longer than `maxChars`
 * UTF-16 code units, and never split inside a surrogate pair.
 */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  const end = maxChars - 1;
  return text.slice(0, splitsSurrogatePair(text, end) ? end - 1 : end) + ELLIPSIS;
}

/**
 * `text` as one line of at most `maxChars`: control characters become spaces, and combining marks
 * are limited. Reports and uploads name releases by it, so that they match.
 */
export function truncateOneLine(text: string, maxChars: number): string;
export function truncateOneLine(text: string | undefined, maxChars: number): string | undefined;
export function truncateOneLine(text: string | undefined, maxChars: number): string | undefined {
  if (text === undefined) return undefined;
  return truncateText(limitCombiningMarks(toOneLine(text)), maxChars);
}

/** `text` with a space for each control character. */
export function toOneLine(text: string): string {
  // Searching is cheaper than replacing, and few texts have a control character.
  return CONTROL_CHARACTER.test(text) ? text.replace(CONTROL_CHARACTERS, " ") : text;
}

/**
 * `value` as JSON within `jsonLimits`. `isTruncated` is true when part of it is missing: "…"
 * replaces values below `maxDepth` and references to an ancestor, long strings end in "…", and
 * members beyond `maxMembers` and `maxValues`, members that cannot be read and the keys
 * `__proto__`, `constructor` and `prototype` are omitted. As with `JSON.stringify`, functions,
 * symbols and undefined are omitted and NaN and Infinity become null; this does not count as
 * truncation.
 */
export function truncateJson(
  value: unknown,
  jsonLimits: JsonLimits = limits,
): { value: Json; isTruncated: boolean } {
  const state: TruncateState = {
    limits: jsonLimits,
    ancestors: new Set(),
    values: 0,
    isTruncated: false,
  };
  return { value: truncateValue(value, state) ?? null, isTruncated: state.isTruncated };
}

interface TruncateState {
  readonly limits: JsonLimits;
  readonly ancestors: Set<object>;
  /** Values visited so far. A small graph of shared references can expand to a very large tree. */
  values: number;
  isTruncated: boolean;
}

function truncateValue(value: unknown, state: TruncateState): Json | undefined {
  state.values++;
  switch (typeof value) {
    case "string":
      return truncateString(value, state);
    case "number":
      return Number.isFinite(value) ? value : null;
    case "boolean":
      return value;
    case "bigint":
      return truncateString(value.toString(), state);
    case "object":
      return value === null ? null : truncateObject(value, state);
    default:
      return undefined;
  }
}

function truncateString(text: string, state: TruncateState): string {
  if (text.length > state.limits.maxStringChars) state.isTruncated = true;
  return truncateText(text, state.limits.maxStringChars);
}

function truncateObject(value: object, state: TruncateState): Json {
  if (
    state.ancestors.size >= state.limits.maxDepth ||
    state.ancestors.has(value) ||
    // Bytes are not JSON, and listing the keys of a large buffer costs as much as the buffer.
    ArrayBuffer.isView(value)
  ) {
    state.isTruncated = true;
    return ELLIPSIS;
  }
  state.ancestors.add(value);
  const result = isArray(value) ? truncateArray(value, state) : truncateRecord(value, state);
  state.ancestors.delete(value);
  return result;
}

function truncateArray(array: object, state: TruncateState): readonly Json[] {
  const length = readProperty(array, "length");
  const result: Json[] = [];
  for (let index = 0; typeof length === "number" && index < length; index++) {
    if (isFull(result.length, state)) break;
    result.push(truncateValue(readProperty(array, index), state) ?? null);
  }
  return result;
}

function truncateRecord(record: object, state: TruncateState): Readonly<Record<string, Json>> {
  const result: Record<string, Json> = {};
  let members = 0;
  for (const key of listKeys(record, state)) {
    if (isFull(members, state)) break;
    const member = FORBIDDEN_KEYS.has(key) ? UNREADABLE : readMember(record, key);
    if (!member.isReadable) state.isTruncated = true;
    const value = truncateValue(member.value, state);
    if (value !== undefined) {
      result[truncateString(key, state)] = value;
      members++;
    }
  }
  return result;
}

function isFull(members: number, state: TruncateState): boolean {
  const isOver = members >= state.limits.maxMembers || state.values >= state.limits.maxValues;
  if (isOver) state.isTruncated = true;
  return isOver;
}

const UNREADABLE = { isReadable: false, value: undefined };

function readMember(record: object, key: string): { isReadable: boolean; value: unknown } {
  try {
    return { isReadable: true, value: (record as Readonly<Record<string, unknown>>)[key] };
  } catch {
    return UNREADABLE;
  }
}

function listKeys(record: object, state: TruncateState): readonly string[] {
  try {
    return Object.keys(record);
  } catch {
    state.isTruncated = true;
    return [];
  }
}

/** `Array.isArray` throws for a revoked proxy. */
function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function splitsSurrogatePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
