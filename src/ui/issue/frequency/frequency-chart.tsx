/** The occurrences of an issue over time, with its releases, and when it was resolved. */

import { listAllDays, listAllHours } from "../../../core/issue/aggregate-report.ts";
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { DayCounts, Decision, Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { selectOfApplications } from "../../../core/release/application.ts";
import { describePeriod, ISSUE_PERIOD, PERIOD_NAMES, type Period } from "../../../core/scope.ts";
import { type Origin, TRUST_POLICY } from "../../../core/trust/trust.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../core/utc-time.ts";
import { BarChart, createBars, describePeak } from "../../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../../parts/chart/mark-labels.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { useScope } from "../../parts/scope-switch.tsx";
import { formatAbsoluteTime, formatClockTime } from "../../parts/time.tsx";

const RELEASE_CHARS = 12;
const MAX_DESCRIBED_RELEASES = 3;

/**
 * The chart of the period, up to the current hour or day. Without `activity`, the last decision is
 * marked.
 */
export function FrequencyChart({
  issue,
  activity,
  deploys,
  nowMs,
}: {
  issue: Issue;
  activity?: readonly ActivityEntry[] | undefined;
  deploys?: readonly DeployMoment[] | undefined;
  nowMs: number;
}) {
  const { period } = useScope();
  const frequency = findOccurring(issue, nowMs, findBeginning(issue, deploys), period);
  const { series, fromMs, stepMs, unit } = frequency;
  const marks = listMarks(issue, activity, frequency, deploys);
  const bars = createBars(series, (n) => formatStep(fromMs + n * stepMs, frequency, nowMs));
  const total = pluralize(
    bars.reduce((sum, { count }) => sum + count, 0),
    "time",
  );
  const time = `last ${pluralize(bars.length, unit)}`;
  const description = `${total} in the ${time}, ${describePeak(bars, unit)}`;
  const none = frequency.period === period ? "" : `; none in ${describePeriod(period).label}`;
  return (
    <BarChart
      id="frequency"
      caption={`Reports per ${unit}, ${time}${none}`}
      description={`${description}${describeReleases(marks)}${describeDeploys(marks)}.`}
      bars={bars}
      unit="time"
      step={`1 ${unit}`}
      size="issue"
      marks={marks}
      lastName={unit === "day" ? "today" : "now"}
    />
  );
}

function describeReleases(marks: readonly ChartMark[]): string {
  const names = marks
    .filter(({ kind }) => kind === "release")
    .slice(-MAX_DESCRIBED_RELEASES)
    .map(({ name }) => abbreviate(name, RELEASE_CHARS));
  return names.length > 0 ? `. Releases first seen: ${names.join(", ")}` : "";
}

/** `21 Nov`; for hours and minutes `21 Nov, 17:00`, or `17:00` if it is today. */
function formatStep(atMs: number, { unit }: Frequency, nowMs: number): string {
  if (unit !== "day") return formatClockTime(atMs, nowMs).replace(" UTC", "");
  return formatAbsoluteTime(atMs).split(" ").slice(0, 2).join(" ");
}

// Occurrences over time for the chart, on an axis of the issue's life. Pure.

const MIN_DAYS = 14;
const MAX_HOURS = 48;
const MIN_HOURS = 12;
const MAX_MINUTES = 90;
const MIN_MINUTES = 20;

/** Counts of consecutive minutes, hours or days (UTC), oldest first. The last is the current. */
interface Frequency {
  readonly unit: "minute" | "hour" | "day";
  readonly stepMs: number;
  /** Start of the first step and end of the last, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** By the origin of the reports. Without reports of servers, all are of browsers. */
  readonly series: Readonly<Record<Origin, readonly number[]>>;
}

type CountedIssue = Pick<
  Issue,
  | "days"
  | "hours"
  | "lowerDays"
  | "lowerHours"
  | "trust"
  | "firstSeenMs"
  | "count"
  | "latestReports"
>;

/** The chosen period, or the next longer one in which the issue occurred. */
function findOccurring(
  issue: CountedIssue,
  nowMs: number,
  beginMs: number,
  chosen: Period,
): Frequency & { readonly period: Period } {
  const compute = (period: Period) => ({
    ...computeFrequency(issue, nowMs, beginMs, period),
    period,
  });
  const hasOccurred = ({ series }: Frequency) =>
    Object.values(series).some((counts) => counts.some((count) => count > 0));
  const periods = PERIOD_NAMES.slice(PERIOD_NAMES.indexOf(chosen));
  return periods.map(compute).find(hasOccurred) ?? compute(chosen);
}

/**
 * The life of the issue, by minutes in its first hour, by hours in its first two days, and otherwise
 * by days; at most a period, by hours if it is a day. Minutes are not counted: they are known while
 * the times of all reports are. The axis begins at `beginMs`, by default with the first report.
 */
export function computeFrequency(
  issue: CountedIssue,
  nowMs: number,
  beginMs = issue.firstSeenMs,
  period: Period = ISSUE_PERIOD,
): Frequency {
  const lifeMs = nowMs - beginMs;
  const times = listTimes(issue);
  if (times !== undefined && lifeMs < (MAX_MINUTES - 1) * MINUTE_MS) {
    const axis = createAxis("minute", MINUTE_MS, { lifeMs, nowMs, min: MIN_MINUTES });
    return { ...axis, series: countTimes(times, axis) };
  }
  const { steps, stepMs: periodStepMs } = describePeriod(period);
  const isOfHours = periodStepMs === HOUR_MS;
  const isShort = isOfHours || lifeMs < (MAX_HOURS - 1) * HOUR_MS;
  const hasHours = isShort && listAllHours(issue).length > 0;
  const axis = hasHours
    ? createAxis("hour", HOUR_MS, {
        ...{ lifeMs, nowMs, min: MIN_HOURS },
        ...(isOfHours && { max: steps }),
      })
    : createAxis("day", DAY_MS, {
        ...{ lifeMs, nowMs, min: MIN_DAYS },
        max: isOfHours ? MIN_DAYS : steps,
      });
  const { fromMs, stepMs, length } = axis;
  const toSeries = (counted: DayCounts) => {
    const counts = Array.from({ length }, () => 0);
    for (const [step, count] of counted) {
      const n = (parseStep(step) - fromMs) / stepMs;
      if (n in counts) counts[n] = count;
    }
    return counts;
  };
  const [all, own = [], lower = []] = hasHours
    ? [listAllHours(issue), issue.hours, issue.lowerHours]
    : [listAllDays(issue), issue.days, issue.lowerDays];
  const isOfServers = TRUST_POLICY[issue.trust].origin === "server";
  const series = {
    server: toSeries(isOfServers ? own : []),
    browser: toSeries(isOfServers ? lower : all),
  };
  return { ...axis, series };
}

/** The deploy of its first release, if the issue began within a day after it: it may be the cause. */
function findBeginning(
  { firstRelease, firstSeenMs }: Pick<Issue, "firstRelease" | "firstSeenMs">,
  deploys: readonly DeployMoment[] = [],
): number {
  const before = deploys.filter(
    ({ release, atMs }) =>
      release === firstRelease && atMs <= firstSeenMs && atMs > firstSeenMs - DAY_MS,
  );
  return before.length === 0 ? firstSeenMs : Math.max(...before.map(({ atMs }) => atMs));
}

type Axis = Omit<Frequency, "series"> & { readonly length: number };

/** Steps that begin one before the first report, so that what came just before it is visible. */
function createAxis(
  unit: Frequency["unit"],
  stepMs: number,
  {
    lifeMs,
    nowMs,
    min,
    max = Number.POSITIVE_INFINITY,
  }: { lifeMs: number; nowMs: number; min: number; max?: number },
): Axis {
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const first = Math.floor((nowMs - lifeMs) / stepMs) * stepMs;
  const length = Math.min(max, Math.max(min, Math.round((toMs - first) / stepMs) + 1));
  return { unit, stepMs, fromMs: toMs - length * stepMs, toMs, length };
}

/** The times and origins of all occurrences; undefined if some were counted without being kept. */
function listTimes({ count, latestReports }: CountedIssue) {
  const kept = latestReports.filter(({ isLinked }) => !isLinked);
  return kept.length === count ? kept : undefined;
}

function countTimes(
  reports: CountedIssue["latestReports"],
  { fromMs, stepMs, length }: Axis,
): Frequency["series"] {
  const count = (origin: Origin) => {
    const counts = Array.from({ length }, () => 0);
    for (const { atMs, trust } of reports) {
      const n = Math.floor((atMs - fromMs) / stepMs);
      if (TRUST_POLICY[trust].origin === origin && n in counts) counts[n] = (counts[n] ?? 0) + 1;
    }
    return counts;
  };
  return { server: count("server"), browser: count("browser") };
}

/** The beginning of a day (`2026-11-21`) or an hour (`2026112117`), Unix ms. */
function parseStep(step: string): number {
  const [year, month, day, hour = "0"] =
    /^(\d{4})-?(\d\d)-?(\d\d)(\d\d)?$/.exec(step)?.slice(1) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour));
}

/**
 * The moments within the charted time, oldest first: releases that were first seen, deploys of this
 * application, and when the issue was resolved or regressed. A release that was deployed has one
 * mark. `activity` is the whole history; without it, the last decision.
 */
export function listMarks(
  { releases, decision }: Pick<Issue, "releases" | "decision">,
  activity: readonly ActivityEntry[] | undefined,
  { fromMs, toMs }: Pick<Frequency, "fromMs" | "toMs">,
  deploys: readonly DeployMoment[] = [],
): readonly ChartMark[] {
  const own = releases?.values ?? [];
  const names = own.map(([name]) => name);
  const ofApplication = selectOfApplications(deploys, names);
  const deployed = toDeployMarks(ofApplication, { fromMs, toMs }, true);
  const named = new Set(ofApplication.map(({ release }) => release));
  const moments: readonly Moment[] = [
    ...own.flatMap(([name, , firstMs]): readonly Moment[] =>
      named.has(name) ? [] : [["release", name, firstMs]],
    ),
    ...(activity === undefined ? listDecided(decision) : activity.flatMap(toMoment)),
  ];
  return moments
    .map(([kind, name, atMs]) => ({ kind, name, position: (atMs - fromMs) / (toMs - fromMs) }))
    .filter(({ position }) => position >= 0 && position <= 1)
    .concat(deployed)
    .sort((a, b) => a.position - b.position);
}

type Moment = readonly [kind: ChartMark["kind"], name: string, atMs: number];

function toMoment({ action, atMs }: ActivityEntry): readonly Moment[] {
  if (action === "resolved") return [["resolved", "resolved", atMs]];
  return action === "regressed" ? [["regressed", "regressed", atMs]] : [];
}

function listDecided(decision: Decision | undefined): readonly Moment[] {
  if (decision === undefined) return [];
  const { state, atMs, regressedAtMs } = decision;
  if (regressedAtMs !== undefined) return [["regressed", "regressed", regressedAtMs]];
  return state === "resolved" ? [["resolved", "resolved", atMs]] : [];
}
