/**
 * The most frequent values of a field: releases, environments, browsers, pages, levels. The number
 * of values is limited; counts of dropped values are added to `otherCount`, so that the total stays
 * correct.
 */
import { limits } from "../limits.ts";
import {
  list,
  number,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  tuple,
} from "../schema/stored-object.ts";

/** One value: its count, and when it was first and last seen, ms. */
type TopValue = StoredValue<typeof topValueSchema>;
const topValueSchema = /* @__PURE__ */ tuple([text(), number, timeMs, timeMs]);

/** The values, most frequent first, and the count of all others. */
export type TopValues = StoredValue<typeof topValuesSchema>;
export const topValuesSchema = /* @__PURE__ */ storedObject({
  values: list(topValueSchema),
  otherCount: number,
});

/** Adds `occurrences` of a value, seen between `firstMs` and `lastMs`. */
export function incrementTopValue(
  topValues: TopValues | undefined,
  name: string,
  added: { readonly occurrences: number; readonly firstMs: number; readonly lastMs: number },
): TopValues {
  const { values, otherCount } = topValues ?? { values: [], otherCount: 0 };
  const [, count = 0, firstMs = added.firstMs, lastMs = added.lastMs] =
    values.find(([known]) => known === name) ?? [];
  const updated: TopValue = [
    name,
    count + added.occurrences,
    Math.min(firstMs, added.firstMs),
    Math.max(lastMs, added.lastMs),
  ];
  const all = [...values.filter(([known]) => known !== name), updated].sort(compareByCount);
  if (all.length <= limits.topValuesPerKey) return { values: all, otherCount };
  // Drop the least frequent other value. The new value stays, because it may become frequent.
  const [evicted] = all.filter(([known]) => known !== name).slice(-1);
  return {
    values: all.filter((value) => value !== evicted),
    otherCount: otherCount + (evicted?.[1] ?? 0),
  };
}

/** The sum of both. */
export function mergeTopValues(a: TopValues, b: TopValues): TopValues {
  const added = b.values.reduce((topValues: TopValues, [name, occurrences, firstMs, lastMs]) => {
    return incrementTopValue(topValues, name, { occurrences, firstMs, lastMs });
  }, a);
  return { ...added, otherCount: added.otherCount + b.otherCount };
}

function compareByCount([aName, a, , aLastMs]: TopValue, [bName, b, , bLastMs]: TopValue): number {
  return b - a || bLastMs - aLastMs || (aName < bName ? -1 : 1);
}
