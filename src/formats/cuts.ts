/**
 * Cuts what a sender sent to the limits while a draft is made, and remembers the names of what was cut, so that the report
 * can say so. Lists are cut before their members are decoded.
 */
import { cutJson, cutText } from "../core/cut.ts";
import type { Json } from "../core/report.ts";
import { textOf } from "./decode.ts";

/** One draft's cuts. */
export interface Cuts {
  /** The text of `value`, at most `maxChars` UTF-16 units long. Undefined when it is no text. */
  text(name: string, value: unknown, maxChars: number): string | undefined;
  /** The first `max` members. */
  first<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** The last `max` members. */
  last<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** `max` members, half from either end. */
  ends<T>(name: string, list: readonly T[], max: number): readonly T[];
  /** JSON as it may be kept. Undefined when nothing is in it. */
  json(name: string, value: Readonly<Record<string, unknown>>): Json | undefined;
  /** What was cut, each name once. Undefined when nothing was. */
  names(): readonly string[] | undefined;
}

/** A fresh memory of cuts, for one draft. */
export function createCuts(): Cuts {
  const names = new Set<string>();
  const within = <T>(name: string, list: readonly T[], max: number): boolean => {
    if (list.length > max) names.add(name);
    return list.length <= max;
  };
  return {
    text(name, value, maxChars) {
      const text = textOf(value);
      if (text === undefined || text.length <= maxChars) return text;
      names.add(name);
      return cutText(text, maxChars);
    },
    first: (name, list, max) => (within(name, list, max) ? list : list.slice(0, max)),
    last: (name, list, max) => (within(name, list, max) ? list : list.slice(-max)),
    ends(name, list, max) {
      if (within(name, list, max)) return list;
      const head = Math.ceil(max / 2);
      return [...list.slice(0, head), ...list.slice(list.length - (max - head))];
    },
    json(name, value) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      if (members.length === 0) return undefined;
      const kept = cutJson(Object.fromEntries(members));
      if (kept.cut) names.add(name);
      return kept.value;
    },
    names: () => (names.size === 0 ? undefined : [...names]),
  };
}
