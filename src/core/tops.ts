/**
 * The most frequent values of something an issue is counted by: releases, environments, browsers, pages. A bounded number of
 * names is kept; when there are more, the least frequent are added up as the rest, so that the sum stays right.
 */
import { limits } from "./limits.ts";

/** One value: how often, and when first and last, ms. */
export type Top = readonly [name: string, count: number, firstMs: number, lastMs: number];

/** The values, the most frequent first, and how many reports had others. */
export interface Tops {
  readonly values: readonly Top[];
  readonly rest: number;
}

/** The tops after `times` more reports with this value, the first at `fromMs`, the last at `untilMs`. */
export function countTop(
  tops: Tops | undefined,
  name: string,
  { times, fromMs, untilMs }: { times: number; fromMs: number; untilMs: number },
): Tops {
  const { values, rest } = tops ?? { values: [], rest: 0 };
  const [, count = 0, firstMs = fromMs, lastMs = untilMs] =
    values.find(([known]) => known === name) ?? [];
  const counted: Top = [name, count + times, Math.min(firstMs, fromMs), Math.max(lastMs, untilMs)];
  const all = [...values.filter(([known]) => known !== name), counted].sort(byCount);
  if (all.length <= limits.namesPerTop) return { values: all, rest };
  // The newcomer stays and the least frequent of the others goes: what has just begun may be what matters.
  const [leaving] = all.filter(([known]) => known !== name).slice(-1);
  return {
    values: all.filter((top) => top !== leaving),
    rest: rest + (leaving?.[1] ?? 0),
  };
}

/** Both added up. */
export function addTops(a: Tops, b: Tops): Tops {
  const added = b.values.reduce((tops: Tops, [name, times, fromMs, untilMs]) => {
    return countTop(tops, name, { times, fromMs, untilMs });
  }, a);
  return { ...added, rest: added.rest + b.rest };
}

function byCount([, a, , aLastMs]: Top, [, b, , bLastMs]: Top): number {
  return b - a || bLastMs - aLastMs;
}
