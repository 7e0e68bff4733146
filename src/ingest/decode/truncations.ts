/**
 * Cuts what a sender sent to the limits while a draft is made, and remembers the names of what was cut, so that the report
 * can say so. Lists are cut before their members are decoded.
 */

import { asText } from "../../core/decode/as-type.ts";
import type { Json } from "../../core/report.ts";
import { truncateJson, truncateText } from "../../core/truncate.ts";

/** One draft's cuts. */
export interface Truncations {
  /** The text of `value`, at most `maxChars` UTF-16 units long. Undefined when it is no text. */
  limitText(name: string, value: unknown, maxChars: number): string | undefined;
  /** The first `max` members. */
  takeFirst<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** The last `max` members. */
  takeLast<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** `max` members, half from either end. */
  takeEnds<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** JSON as it may be kept. Undefined when nothing is in it. */
  limitJson(name: string, value: Readonly<Record<string, unknown>>): Json | undefined;
  /** What was cut, each name once. Undefined when nothing was. */
  listNames(): readonly string[] | undefined;
}

/** A fresh memory of cuts, for one draft. */
export function trackTruncations(): Truncations {
  const names = new Set<string>();
  const checkLength = <T>(name: string, list: readonly T[], max: number): boolean => {
    if (list.length > max) names.add(name);
    return list.length <= max;
  };
  return {
    limitText(name, value, maxChars) {
      const text = asText(value);
      if (text === undefined || text.length <= maxChars) return text;
      names.add(name);
      return truncateText(text, maxChars);
    },
    takeFirst: (name, list, max) => (checkLength(name, list, max) ? list : list.slice(0, max)),
    takeLast: (name, list, max) => (checkLength(name, list, max) ? list : list.slice(-max)),
    takeEnds(name, list, max) {
      if (checkLength(name, list, max)) return list;
      const head = Math.ceil(max / 2);
      return [...list.slice(0, head), ...list.slice(list.length - (max - head))];
    },
    limitJson(name, value) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      if (members.length === 0) return undefined;
      const limited = truncateJson(Object.fromEntries(members));
      if (limited.isTruncated) names.add(name);
      return limited.value;
    },
    listNames: () => (names.size === 0 ? undefined : [...names]),
  };
}
