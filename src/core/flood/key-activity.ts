/**
 * How many new issues a key causes: in parts of the last hour, and in the hours of the last week. A
 * flood begins when the last hour has far more than the usual one, and ends with it. Reports that
 * would have begun an issue count too. Pure, and bounded in size.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { defineStored } from "../schema/stored.ts";
import {
  code,
  list,
  number,
  type StoredValue,
  storedObject,
  timeMs,
  tuple,
  version1,
} from "../schema/stored-object.ts";
import { mergeNetworkSketches } from "../stats/network-sketch.ts";
import { HOUR_MS } from "../utc-time.ts";
import type { Flood } from "./flood.ts";

/** How often the activity of a key is stored: a restart loses the attempts since then. */
export const SAVE_INTERVAL_MS = 60_000;
const PART_MS = HOUR_MS / 12;
const MAX_HOURS = 7 * 24;
/** A key that is younger than a day has no usual hour yet. */
const MIN_HOURS = 24;
const MAX_ENDED = 10;
/** As long as most issues are kept. */
const ENDED_HOURS = 90 * 24;

const counts = /* @__PURE__ */ list(tuple([number, number]));

/** Stored (version 1): fields may be added, never renamed. */
export type KeyActivity = StoredValue<typeof activitySchema>;
const activitySchema = /* @__PURE__ */ storedObject({
  v: version1,
  /** New issues of the last hour, in parts by the time of the first one of each, ms. */
  parts: counts,
  /** New issues of earlier hours, without floods: hours since 1970. */
  hours: counts,
  /** The first known hour. */
  firstHour: number,
  /** The flood, and what it counts besides issues. */
  flood: v.optional(
    storedObject({
      sinceMs: timeMs,
      otherReports: number,
      networkSketch: v.optional(code("networkSketch")),
    }),
  ),
  /** Floods that ended, oldest first, from and until, ms: what they folded may still spread. */
  ended: v.optional(counts),
  lastMs: timeMs,
});

/** The activity of a key. */
export const KEY_ACTIVITY = /* @__PURE__ */ defineStored<KeyActivity>({
  name: "the activity of a key",
  version: 1,
  schema: activitySchema,
});

/** A report that begins an issue, or would have. */
export interface NewIssueAttempt {
  readonly nowMs: number;
  readonly networkSketch: string | undefined;
  /** The reports that it stands for. */
  readonly reports: number;
  /** Above a limit of new issues, it counts in the issue "Other anonymous reports". */
  readonly isCollapsed: boolean;
}

/** The activity after an attempt. */
export function addAttempt(
  activity: KeyActivity | undefined,
  { nowMs, networkSketch, reports, isCollapsed }: NewIssueAttempt,
): KeyActivity {
  const before = forgetOldParts(activity ?? startActivity(nowMs), nowMs);
  const last = before.parts.at(-1);
  const isSamePart = last !== undefined && nowMs - last[0] < PART_MS;
  const parts = isSamePart
    ? [...before.parts.slice(0, -1), [last[0], last[1] + 1] as const]
    : [...before.parts, [nowMs, 1] as const];
  const added = { ...before, parts, lastMs: Math.max(before.lastMs, nowMs) };
  if (!isFlooding(added, nowMs)) return endFlood(added, before.lastMs);
  const flood = before.flood ?? { sinceMs: findStart(added), otherReports: 0 };
  return {
    ...added,
    flood: {
      sinceMs: flood.sinceMs,
      otherReports: flood.otherReports + (isCollapsed ? reports : 0),
      networkSketch: mergeNetworkSketches(flood.networkSketch, networkSketch),
    },
  };
}

/** The flood of a key at `nowMs`; undefined if there is none. */
export function findFlood(key: string, activity: KeyActivity, nowMs: number): Flood | undefined {
  const { flood, lastMs } = activity;
  return flood !== undefined && isFlooding(forgetOldParts(activity, nowMs), nowMs)
    ? { key, lastMs, ...flood }
    : undefined;
}

/** True if a flood of the key was going on at `atMs`, which may have ended since. */
export function wasFlooding({ ended = [], flood, lastMs }: KeyActivity, atMs: number): boolean {
  const all = flood === undefined ? ended : [...ended, [flood.sinceMs, lastMs] as const];
  return all.some(([sinceMs, untilMs]) => sinceMs <= atMs && atMs <= untilMs + SAVE_INTERVAL_MS);
}

/** True if nothing of the activity is still of use. */
export function isForgotten({ lastMs, flood, ended }: KeyActivity, nowMs: number): boolean {
  const hours = (flood ?? ended) === undefined ? MAX_HOURS + 1 : ENDED_HOURS;
  return lastMs < nowMs - hours * HOUR_MS;
}

function startActivity(nowMs: number): KeyActivity {
  return { v: 1, parts: [], hours: [], firstHour: toHour(nowMs), lastMs: nowMs };
}

/** Moves the parts before the last hour to their hours, unless they belong to a flood. */
function forgetOldParts(activity: KeyActivity, nowMs: number): KeyActivity {
  const { parts, flood } = activity;
  const old = parts.filter(([firstMs]) => firstMs <= nowMs - HOUR_MS);
  if (old.length === 0) return activity;
  const hours = new Map(activity.hours);
  for (const [firstMs, count] of old) {
    const isOfFlood = flood !== undefined && firstMs >= flood.sinceMs;
    if (!isOfFlood) hours.set(toHour(firstMs), (hours.get(toHour(firstMs)) ?? 0) + count);
  }
  const oldest = toHour(nowMs) - MAX_HOURS;
  return {
    ...activity,
    parts: parts.slice(old.length),
    hours: [...hours].filter(([hour]) => hour >= oldest),
  };
}

function isFlooding({ parts, hours, firstHour }: KeyActivity, nowMs: number): boolean {
  const ofLastHour = sum(parts);
  const known = Math.min(Math.max(toHour(nowMs) - firstHour, MIN_HOURS), MAX_HOURS);
  const usual = sum(hours) / known;
  return ofLastHour >= limits.minFloodIssues && ofLastHour > limits.floodFactor * usual;
}

/** The first part with more new issues than the smallest flood has on average. */
function findStart({ parts, lastMs }: Pick<KeyActivity, "parts" | "lastMs">): number {
  const average = (limits.minFloodIssues * PART_MS) / HOUR_MS;
  const [firstMs = lastMs] = parts.find(([, count]) => count > average) ?? [];
  return firstMs;
}

/** `lastMs`: of the last attempt in the flood. */
function endFlood({ flood, ...activity }: KeyActivity, lastMs: number): KeyActivity {
  if (flood === undefined) return activity;
  const ended = [...(activity.ended ?? []), [flood.sinceMs, lastMs] as const];
  const [first, second, ...others] = ended;
  const isFull = ended.length > MAX_ENDED && first !== undefined && second !== undefined;
  // The two oldest become one, so that the issues of none are forgotten.
  return { ...activity, ended: isFull ? [[first[0], second[1]], ...others] : ended };
}

function sum(counts: readonly (readonly [number, number])[]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}

function toHour(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}
