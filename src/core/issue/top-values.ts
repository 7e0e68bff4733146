/**
 * The most frequent values of something an issue is counted by: releases, environments, browsers, pages. A bounded number of
 * names is kept; when there are more, the least frequent are added up as the rest, so that the sum stays right.
 */
import { limits } from "../limits.ts";

/** One value: how often, and when first and last, ms. */
export type TopValue = readonly [name: string, count: number, firstMs: number, lastMs: number];

/** The values, the most frequent first, and how many reports had others. */
export interface TopValues {
  readonly values: readonly TopValue[];
  readonly otherCount: number;
}

/** The tops after `times` more reports with this value, the first at `fromMs`, the last at `untilMs`. */
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
  // The new value stays and the least frequent other one goes: the newest may matter most.
  const [evicted] = all.filter(([known]) => known !== name).slice(-1);
  return {
    values: all.filter((value) => value !== evicted),
    otherCount: otherCount + (evicted?.[1] ?? 0),
  };
}

/** Both added up. */
export function mergeTopValues(a: TopValues, b: TopValues): TopValues {
  const added = b.values.reduce((topValues: TopValues, [name, occurrences, firstMs, lastMs]) => {
    return incrementTopValue(topValues, name, { occurrences, firstMs, lastMs });
  }, a);
  return { ...added, otherCount: added.otherCount + b.otherCount };
}

function compareByCount([, a, , aLastMs]: TopValue, [, b, , bLastMs]: TopValue): number {
  return b - a || bLastMs - aLastMs;
}
