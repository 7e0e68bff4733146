/**
 * Truncates the values of a parsed report to the limits and records the names of truncated fields.
 * Lists are truncated before their members are decoded.
 */

import { asText } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Json } from "../../core/report.ts";
import { type JsonLimits, truncateJson, truncateText } from "../../core/truncate.ts";
import { toShownText } from "./shown-text.ts";

/** The truncations of one report. */
export interface Truncations {
  /** `value` as text of at most `maxChars` UTF-16 units. Undefined if it is not text. */
  limitText(name: string, value: unknown, maxChars: number): string | undefined;
  /** Like `limitText`, but an object or a list becomes short JSON. Undefined if it is empty. */
  limitShown(name: string, value: unknown, maxChars: number): string | undefined;
  /** `value` as text within `limits.maxStringChars`. Undefined if it is not text. */
  limitString(name: string, value: unknown): string | undefined;
  /** The first `max` members. */
  takeFirst<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** The last `max` members. */
  takeLast<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** `max` members, half from each end. */
  takeEnds<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** JSON within the limits. Undefined if it is empty. */
  limitJson(
    name: string,
    value: Readonly<Record<string, unknown>>,
    jsonLimits?: JsonLimits,
  ): Json | undefined;
  /** JSON within the limits, of any type. */
  limitAnyJson(name: string, value: unknown, jsonLimits?: JsonLimits): Json;
  /** Adds the name of a field that the sender or a caller truncated. */
  add(name: string): void;
  /** Names of truncated fields, without duplicates. Undefined if nothing was truncated. */
  listNames(): readonly string[] | undefined;
}

/**
 * Functions that truncate the values of one report and record the names of the truncated fields.
 */
export function trackTruncations(): Truncations {
  return new TruncationTracker();
}

/** A class is cheaper than closures for each report. */
class TruncationTracker implements Truncations {
  readonly #names = new Set<string>();

  limitText(name: string, value: unknown, maxChars: number): string | undefined {
    const text = asText(value);
    if (text === undefined || text.length <= maxChars) return text;
    this.#names.add(name);
    return truncateText(text, maxChars);
  }

  limitShown(name: string, value: unknown, maxChars: number): string | undefined {
    if (typeof value !== "object" || value === null) return this.limitText(name, value, maxChars);
    if (Object.keys(value).length === 0) return undefined;
    const { text, isTruncated } = toShownText(value, maxChars);
    if (isTruncated) this.add(name);
    return text;
  }

  limitString(name: string, value: unknown): string | undefined {
    return this.limitText(name, value, limits.maxStringChars);
  }

  takeFirst<T>(name: string, list: readonly T[], max: number): readonly T[] {
    return this.#isWithin(name, list, max) ? list : list.slice(0, max);
  }

  takeLast<T>(name: string, list: readonly T[], max: number): readonly T[] {
    return this.#isWithin(name, list, max) ? list : list.slice(-max);
  }

  takeEnds<T>(name: string, list: readonly T[], max: number): readonly T[] {
    if (this.#isWithin(name, list, max)) return list;
    const head = Math.ceil(max / 2);
    return [...list.slice(0, head), ...list.slice(list.length - (max - head))];
  }

  limitJson(
    name: string,
    value: Readonly<Record<string, unknown>>,
    jsonLimits?: JsonLimits,
  ): Json | undefined {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.length === 0) return undefined;
    return this.limitAnyJson(name, Object.fromEntries(members), jsonLimits);
  }

  limitAnyJson(name: string, value: unknown, jsonLimits?: JsonLimits): Json {
    const limited = truncateJson(value, jsonLimits);
    if (limited.isTruncated) this.add(name);
    return limited.value;
  }

  add(name: string): void {
    this.#names.add(name);
  }

  listNames(): readonly string[] | undefined {
    return this.#names.size === 0 ? undefined : [...this.#names];
  }

  /** Adds the name if the list is too long. */
  #isWithin(name: string, list: readonly unknown[], max: number): boolean {
    if (list.length > max) this.#names.add(name);
    return list.length <= max;
  }
}
