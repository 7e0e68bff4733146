/**
 * Cutting what came from outside down to the limits, so that everything behind this point is small. Never throws,
 * whatever the value does when it is read: getters and proxies may throw, references may be circular.
 */
import { limits } from "./limits.ts";
import { readProperty } from "./read-property.ts";
import type { Json } from "./report.ts";

const ELLIPSIS = "…";

/** Keys that change what an object is when they are assigned. They are never kept. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** How much of a JSON value is kept. Characters are UTF-16 code units. */
export interface JsonCaps {
  readonly maxDepth: number;
  readonly maxMembers: number;
  readonly maxStringChars: number;
  readonly maxValues: number;
}

/**
 * `text`, or its beginning and "…" where it is longer than `maxChars`. Never longer than `maxChars` UTF-16 code
 * units, and never cut inside a surrogate pair.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  const end = maxChars - 1;
  return text.slice(0, splitsPair(text, end) ? end - 1 : end) + ELLIPSIS;
}

/**
 * `value` as JSON within `caps`. `cut` is true when anything of it is missing: below `maxDepth` and at a reference to
 * an ancestor stands "…", behind `maxMembers` and `maxValues` nothing, long strings end in "…", a member that cannot
 * be read and the keys `__proto__`, `constructor` and `prototype` are left out. Functions, symbols and undefined are
 * left out, and numbers that JSON does not know become null, as `JSON.stringify` does it; that alone is no cut.
 */
export function cutJson(value: unknown, caps: JsonCaps = limits): { value: Json; cut: boolean } {
  const state: CutState = { caps, ancestors: new Set(), values: 0, cut: false };
  return { value: cutValue(value, state) ?? null, cut: state.cut };
}

interface CutState {
  readonly caps: JsonCaps;
  readonly ancestors: Set<object>;
  /** How many values were visited: a small graph of shared references can stand for an enormous tree. */
  values: number;
  cut: boolean;
}

function cutValue(value: unknown, state: CutState): Json | undefined {
  state.values++;
  switch (typeof value) {
    case "string":
      return cutString(value, state);
    case "number":
      return Number.isFinite(value) ? value : null;
    case "boolean":
      return value;
    case "bigint":
      return cutString(value.toString(), state);
    case "object":
      return value === null ? null : cutObject(value, state);
    default:
      return undefined;
  }
}

function cutString(text: string, state: CutState): string {
  if (text.length > state.caps.maxStringChars) state.cut = true;
  return cutText(text, state.caps.maxStringChars);
}

function cutObject(value: object, state: CutState): Json {
  if (
    state.ancestors.size >= state.caps.maxDepth ||
    state.ancestors.has(value) ||
    // Bytes are no JSON, and to list the keys of a large buffer costs as much as the buffer.
    ArrayBuffer.isView(value)
  ) {
    state.cut = true;
    return ELLIPSIS;
  }
  state.ancestors.add(value);
  const kept = isArray(value) ? cutArray(value, state) : cutRecord(value, state);
  state.ancestors.delete(value);
  return kept;
}

function cutArray(array: object, state: CutState): readonly Json[] {
  const length = readProperty(array, "length");
  const kept: Json[] = [];
  for (let index = 0; typeof length === "number" && index < length; index++) {
    if (isFull(kept.length, state)) break;
    kept.push(cutValue(readProperty(array, index), state) ?? null);
  }
  return kept;
}

function cutRecord(record: object, state: CutState): Readonly<Record<string, Json>> {
  const kept: Record<string, Json> = {};
  let members = 0;
  for (const key of keysOf(record, state)) {
    if (isFull(members, state)) break;
    const member = FORBIDDEN_KEYS.has(key) ? UNREADABLE : readMember(record, key);
    if (!member.readable) state.cut = true;
    const value = cutValue(member.value, state);
    if (value !== undefined) {
      kept[cutString(key, state)] = value;
      members++;
    }
  }
  return kept;
}

function isFull(members: number, state: CutState): boolean {
  const full = members >= state.caps.maxMembers || state.values >= state.caps.maxValues;
  if (full) state.cut = true;
  return full;
}

const UNREADABLE = { readable: false, value: undefined };

function readMember(record: object, key: string): { readable: boolean; value: unknown } {
  try {
    return { readable: true, value: (record as Readonly<Record<string, unknown>>)[key] };
  } catch {
    return UNREADABLE;
  }
}

function keysOf(record: object, state: CutState): readonly string[] {
  try {
    return Object.keys(record);
  } catch {
    state.cut = true;
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

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
