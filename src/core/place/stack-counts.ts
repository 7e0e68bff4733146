/**
 * Counts the reports of an issue by sent stack, with the place of each stack in the original
 * source. Counting needs no source map: each stack is resolved once, for reports before and after
 * the upload. The number of stacks is limited; `otherCount` counts the reports of dropped ones.
 * Pure.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { cutSentStack } from "../report/sent-stack.ts";
import type { ReportId } from "../report.ts";
import {
  list,
  number,
  type StoredValue,
  storedObject,
  text,
  timeMs,
} from "../schema/stored-object.ts";
import { getPageHost } from "../scripts/script-address.ts";
import {
  type CountedPlace,
  type IssuePlace,
  placedReportSchema,
  placeSchema,
  toPlaceKey,
} from "./issue-place.ts";

/** The reports with one sent stack. */
type StackCount = StoredValue<typeof stackCountSchema>;
const stackCountSchema = /* @__PURE__ */ storedObject({
  /**
   * The text that `toSentStack` creates. Once it is resolved, only the frames down to that of the
   * place.
   */
  stack: text(),
  release: v.optional(text()),
  dist: v.optional(text()),
  /** The host of the page (`getPageHost`), if the first report names one. */
  pageHost: v.optional(text()),
  count: number,
  firstMs: timeMs,
  lastMs: timeMs,
  /**
   * The reports that were stored with their bodies, newest first, at most `limits.reportsPerStack`.
   */
  reports: v.optional(list(placedReportSchema)),
  place: v.optional(placeSchema),
  /** Without a place: the newest upload at the last attempt. */
  triedUpload: v.optional(number),
});

/** A sent stack and its build: in another build, the same column has other code. */
export type StackKey = Pick<StackCount, "stack" | "release" | "dist">;

/** A sent stack with the page and the time of its first report, which decide between uploads. */
export type UnresolvedStack = StackKey & Partial<Pick<StackCount, "pageHost" | "firstMs">>;

/** The stacks, most frequent first, and the reports with other ones. */
export type StackCounts = StoredValue<typeof stackCountsSchema>;
export const stackCountsSchema = /* @__PURE__ */ storedObject({
  values: list(stackCountSchema),
  otherCount: number,
});

/** The answer of the maps about a stack. */
export interface StackResolution extends StackKey {
  readonly place?: IssuePlace;
  /** The number of frames down to that of the place. */
  readonly frames: number;
}

type CountedReport = Pick<ReportSummary, "sentStack" | "release" | "dist" | "atMs"> &
  Partial<Pick<ReportSummary, "id" | "url" | "lastAtMs" | "occurrences">>;

/** The counts after `occurrences` more reports; the same counts if these have no stack. */
export function countStack(
  counts: StackCounts | undefined,
  report: CountedReport,
  occurrences: number,
): StackCounts | undefined {
  const key = toStackKey(report);
  if (key === undefined) return counts;
  const isStored = report.occurrences === undefined && report.id !== undefined;
  return addCount(counts ?? NO_STACKS, {
    ...key,
    count: occurrences,
    pageHost: getPageHost(report.url),
    firstMs: report.atMs,
    lastMs: report.lastAtMs ?? report.atMs,
    ...(isStored && { reports: [[report.id, report.atMs]] }),
  });
}

/** The sums of both. */
export function mergeStackCounts(
  a: StackCounts | undefined,
  b: StackCounts | undefined,
): StackCounts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const { values, otherCount } = b.values.reduce(addCount, a);
  return { values, otherCount: otherCount + b.otherCount };
}

/** The place of a report, if its stack is resolved. */
export function findPlace(
  counts: StackCounts | undefined,
  report: CountedReport,
): IssuePlace | undefined {
  const key = toStackKey(report);
  return key && counts?.values.find((value) => isSameStack(value, key))?.place;
}

/** True if the stack of a report is counted by itself. */
export function hasStack(counts: StackCounts | undefined, report: CountedReport): boolean {
  const key = toStackKey(report);
  return key !== undefined && counts?.values.some((value) => isSameStack(value, key)) === true;
}

/** The most frequent place of a release; of all releases if it has none. */
export function selectPlace(
  counts: StackCounts | undefined,
  release: string | undefined,
): IssuePlace | undefined {
  const places = listPlaces(counts);
  return toPlace(places.find((place) => place.release === release) ?? places[0]);
}

/** The places of each release, most frequent first. */
export function listPlaces(counts: StackCounts | undefined): readonly CountedPlace[] {
  const places = new Map<string, CountedPlace>();
  for (const { place, release, ...stack } of counts?.values ?? []) {
    if (place === undefined) continue;
    const key = JSON.stringify([release, toPlaceKey(place)]);
    const known = places.get(key);
    places.set(key, { ...place, release, ...addSpans(known, stack) });
  }
  return [...places.values()].sort((a, b) => b.count - a.count);
}

/** The place with this key in all releases; undefined if none has it. */
export function findPlaceByKey(
  counts: StackCounts | undefined,
  key: string,
): CountedPlace | undefined {
  const places = listPlaces(counts).filter((place) => toPlaceKey(place) === key);
  const [first] = places;
  if (first === undefined) return undefined;
  const { file, line, function: name } = first;
  const sum = places.reduce<Span | undefined>(addSpans, undefined) as Required<Span>;
  return { file, line, function: name, ...sum };
}

/** The reports with a stack that has no place. */
export function countUnplaced(counts: StackCounts | undefined): number {
  const { values, otherCount } = counts ?? NO_STACKS;
  return values.reduce((sum, { place, count }) => sum + (place ? 0 : count), otherCount);
}

/** The counts without the id of a report that was erased. */
export function forgetReport(counts: StackCounts, id: ReportId): StackCounts {
  const values = counts.values.map((value) => {
    const { reports, ...others } = value;
    if (reports?.some(([one]) => one === id) !== true) return value;
    const kept = reports.filter(([one]) => one !== id);
    // The host of the page may be that of an erased report.
    const { pageHost: _, ...anonymous } = others;
    return kept.length === 0 ? anonymous : { ...others, reports: kept };
  });
  return { ...counts, values };
}

/** The stacks without a place that were not tried since the newest upload. */
export function listUnresolved(
  counts: StackCounts | undefined,
  newestUpload: number | null,
): readonly UnresolvedStack[] {
  return (counts?.values ?? []).filter(
    ({ place, triedUpload }) => place === undefined && triedUpload !== newestUpload,
  );
}

/**
 * The counts with the answers of the maps after the newest upload. Stacks that begin with the same
 * frames become one.
 */
export function applyStackResolutions(
  counts: StackCounts,
  answers: readonly StackResolution[],
  newestUpload: number,
): StackCounts {
  const answered = counts.values.map((value): StackCount => {
    const answer = answers.find((one) => one.stack === value.stack && isSameBuild(one, value));
    if (answer === undefined || value.place !== undefined) return value;
    const { triedUpload: _, ...known } = value;
    if (answer.place === undefined) return { ...known, triedUpload: newestUpload };
    return { ...known, stack: cutSentStack(known.stack, answer.frames), place: answer.place };
  });
  // Stacks with a place come first: the others may begin with their frames.
  const sorted = answered.toSorted((a, b) => Number(!a.place) - Number(!b.place));
  return sorted.reduce(addCount, { values: [], otherCount: counts.otherCount });
}

const NO_STACKS: StackCounts = { values: [], otherCount: 0 };

/** Occurrences within a time. */
type Span = Pick<StackCount, "count" | "firstMs" | "lastMs" | "reports">;

function addSpans(known: Span | undefined, added: Span): Required<Span> {
  const reports = new Map([...(known?.reports ?? []), ...(added.reports ?? [])]);
  const newest = [...reports].sort((a, b) => b[1] - a[1]).slice(0, limits.reportsPerStack);
  return {
    count: added.count + (known?.count ?? 0),
    firstMs: Math.min(added.firstMs, known?.firstMs ?? added.firstMs),
    lastMs: Math.max(added.lastMs, known?.lastMs ?? 0),
    reports: newest,
  };
}

function addCount(counts: StackCounts, added: StackCount): StackCounts {
  const known = counts.values.find((value) => isSameStack(value, added));
  const { reports, ...span } = addSpans(known, added);
  const sum: StackCount = { ...(known ?? added), ...span, ...(reports.length > 0 && { reports }) };
  const others = counts.values.filter((value) => value !== known);
  const values = [...others, sum].sort(compareByCount);
  if (values.length <= limits.stacksPerIssue) return { values, otherCount: counts.otherCount };
  // The new stack stays, because it may become frequent.
  const evicted = others.toSorted(compareByCount).at(-1);
  return {
    values: values.filter((value) => value !== evicted),
    otherCount: counts.otherCount + (evicted?.count ?? 0),
  };
}

function toStackKey({ sentStack, release, dist }: CountedReport): StackKey | undefined {
  if (sentStack === undefined) return undefined;
  return { stack: sentStack, release, dist };
}

function isSameBuild(a: StackKey, b: StackKey): boolean {
  return a.release === b.release && a.dist === b.dist;
}

/** Frames below that of the place are ignored. */
function isSameStack(known: StackCount, key: StackKey): boolean {
  if (!isSameBuild(known, key)) return false;
  if (known.stack === key.stack) return true;
  return known.place !== undefined && key.stack.startsWith(`${known.stack}\n`);
}

function toPlace(counted: CountedPlace | undefined): IssuePlace | undefined {
  if (counted === undefined) return undefined;
  const { file, line, function: name } = counted;
  return { file, line, function: name };
}

function compareByCount(a: StackCount, b: StackCount): number {
  return b.count - a.count || b.lastMs - a.lastMs || (a.stack < b.stack ? -1 : 1);
}
