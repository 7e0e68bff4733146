/**
 * What a line of an export counts without a body: sums and tallies, every member checked. They name ids, by which they are known
 * again.
 */
import { isDay } from "../core/day.ts";
import { limits } from "../core/limits.ts";
import type { ReportId } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { ScrubSettings } from "../core/scrub.ts";
import type { Sum } from "../core/sum.ts";
import { type DayTallies, type Tally, type TallyName, TallySheet } from "../core/tally.ts";
import { hexId, readMark } from "./exported-report.ts";
import {
  list,
  moment,
  object,
  oneOf,
  only,
  positive,
  type Read,
  text,
  type Unlike,
  unlike,
} from "./exported-shape.ts";

/** A thing that a line counts, and the ids by which it is known. */
export interface Known<T> {
  readonly counted: T;
  readonly ids: readonly ReportId[];
}

const someIds: Read<readonly ReportId[]> = (value) => {
  const ids = list(hexId, limits.maxIdsPerSum)(value);
  if (!ids.ok || ids.value.length > 0) return ids;
  return unlike("at least one id");
};

/** A sum: it stands for as many reports as it has ids; one id may stand for all where theirs were erased. */
export function readSum(value: unknown, scrub: ScrubSettings): Result<Known<Sum>, Unlike> {
  const read = object<Sum & { readonly ids: readonly ReportId[] }>({
    mark: (inner) => readMark(inner, scrub),
    times: positive,
    untilMs: moment,
    ids: someIds,
  })(value);
  if (!read.ok) return read;
  const { mark, times, untilMs, ids } = read.value;
  if (ids.length > 1 && ids.length !== times) return unlike("as many as times", "ids");
  if (untilMs < mark.atMs) return unlike("no earlier than mark.atMs", "untilMs");
  return ok({ counted: { mark, times, untilMs }, ids });
}

/** The first words that `core/tally.ts` knows. */
const tallied = oneOf({
  ...{ accepted: true, repeated: true, counted: true, dropped: true, invalid: true },
  ...{ session: true, spilled: true, discarded: true },
});
const MAX_NAME_WORDS = 4;

const name: Read<TallyName> = (value) => {
  const words = list(text(limits.maxTallyWordChars), MAX_NAME_WORDS + 1)(value);
  if (!words.ok) return words;
  if (words.value.length < 2 || words.value.length > MAX_NAME_WORDS) return unlike("a name");
  const first = tallied(words.value[0]);
  return first.ok ? words : first;
};

const tally: Read<Tally> = (value) => {
  const [first, second, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (more.length > 0) return unlike("a name and a count");
  const named = name(first);
  if (!named.ok) return named;
  const count = positive(second);
  return count.ok ? ok([named.value, count.value]) : count;
};

const day = only(
  (value): value is string => typeof value === "string" && isDay(value),
  "a day: 2026-11-21",
);

/** Tallies of a day. */
export function readTallies(value: unknown): Result<Known<DayTallies>, Unlike> {
  const read = object<DayTallies & { readonly ids: readonly ReportId[] }>({
    day,
    tallies: list(tally, limits.maxTalliesPerLine),
    ids: someIds,
  })(value);
  if (!read.ok) return read;
  const sheet = new TallySheet();
  sheet.addAll(read.value.tallies);
  return ok({ counted: { day: read.value.day, tallies: sheet.take() }, ids: read.value.ids });
}
