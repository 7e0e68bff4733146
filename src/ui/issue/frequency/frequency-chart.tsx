/** The occurrences of an issue over time, with its releases, and when it was resolved. */

import { listAllDays, listAllHours } from "../../../core/issue/aggregate-report.ts";
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { DayCounts, Decision, Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { selectOfApplications } from "../../../core/release/application.ts";
import { type Origin, TRUST_POLICY } from "../../../core/trust/trust.ts";
import { DAY_MS, HOUR_MS } from "../../../core/utc-time.ts";
import { BarChart, createBars, describePeak } from "../../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../../parts/chart/mark-labels.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { formatAbsoluteTime, formatClockTime } from "../../parts/time.tsx";

const RELEASE_CHARS = 12;
const MAX_DESCRIBED_RELEASES = 3;

/** The chart, up to the current hour or day. Without `activity`, the last decision is marked. */
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
  const frequency = computeFrequency(issue, nowMs);
  const { series, fromMs, stepMs, unit } = frequency;
  const marks = listMarks(issue, activity, frequency, deploys);
  const bars = createBars(series, (n) => formatStep(fromMs + n * stepMs, frequency, nowMs));
  const total = pluralize(
    bars.reduce((sum, { count }) => sum + count, 0),
    "time",
  );
  const description = `${total} in the last ${bars.length} ${unit}s, ${describePeak(bars, unit)}`;
  return (
    <BarChart
      id="frequency"
      caption={`Last ${bars.length} ${unit}s, UTC`}
      description={`${description}${describeReleases(marks)}${describeDeploys(marks)}.`}
      bars={bars}
      unit="time"
      step={`1 ${unit}`}
      size="issue"
      marks={marks}
      lastName={unit === "hour" ? "now" : "today"}
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

/** `21 Nov`; for hours `21 Nov, 17:00`, or `17:00` if it is today. */
function formatStep(atMs: number, { unit }: Frequency, nowMs: number): string {
  if (unit === "hour") return formatClockTime(atMs, nowMs).replace(" UTC", "");
  return formatAbsoluteTime(atMs).split(" ").slice(0, 2).join(" ");
}

// Occurrences over time for the chart: by hour for a new issue, by day for an older one. Pure.

const DAYS = 30;
const HOURS = 48;

/** Counts of consecutive hours or days (UTC), oldest first. The last one is the current. */
interface Frequency {
  readonly unit: "hour" | "day";
  readonly stepMs: number;
  /** Start of the first step and end of the last, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** By the origin of the reports. Without reports of servers, all are of browsers. */
  readonly series: Readonly<Record<Origin, readonly number[]>>;
}

type CountedIssue = Pick<
  Issue,
  "days" | "hours" | "lowerDays" | "lowerHours" | "trust" | "firstSeenMs"
>;

/** The last 48 hours if the issue is not older, otherwise the last 30 days. */
export function computeFrequency(issue: CountedIssue, nowMs: number): Frequency {
  const isNew = listAllHours(issue).length > 0 && issue.firstSeenMs > nowMs - (HOURS - 1) * HOUR_MS;
  const stepMs = isNew ? HOUR_MS : DAY_MS;
  const length = isNew ? HOURS : DAYS;
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const fromMs = toMs - length * stepMs;
  const toSeries = (counted: DayCounts) => {
    const counts = Array.from({ length }, () => 0);
    for (const [step, count] of counted) {
      const n = (parseStep(step) - fromMs) / stepMs;
      if (n in counts) counts[n] = count;
    }
    return counts;
  };
  const [all, own = [], lower = []] = isNew
    ? [listAllHours(issue), issue.hours, issue.lowerHours]
    : [listAllDays(issue), issue.days, issue.lowerDays];
  const isOfServers = TRUST_POLICY[issue.trust].origin === "server";
  const series = {
    server: toSeries(isOfServers ? own : []),
    browser: toSeries(isOfServers ? lower : all),
  };
  return { unit: isNew ? "hour" : "day", stepMs, fromMs, toMs, series };
}

/** The beginning of a day (`2026-11-21`) or an hour (`2026112117`), Unix ms. */
function parseStep(step: string): number {
  const [year, month, day, hour = "0"] =
    /^(\d{4})-?(\d\d)-?(\d\d)(\d\d)?$/.exec(step)?.slice(1) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour));
}

/**
 * The moments within the charted time, oldest first: releases that were first seen, deploys of
 * their applications, and when the issue was resolved or regressed. `activity` is the whole
 * history; without it, the last decision.
 */
export function listMarks(
  { releases, decision }: Pick<Issue, "releases" | "decision">,
  activity: readonly ActivityEntry[] | undefined,
  { fromMs, toMs }: Pick<Frequency, "fromMs" | "toMs">,
  deploys: readonly DeployMoment[] = [],
): readonly ChartMark[] {
  const names = (releases?.values ?? []).map(([name]) => name);
  const moments: readonly Moment[] = [
    ...(releases?.values ?? []).map(([name, , firstMs]): Moment => ["release", name, firstMs]),
    ...(activity === undefined ? listDecided(decision) : activity.flatMap(toMoment)),
  ];
  return moments
    .map(([kind, name, atMs]) => ({ kind, name, position: (atMs - fromMs) / (toMs - fromMs) }))
    .filter(({ position }) => position >= 0 && position <= 1)
    .concat(toDeployMarks(selectOfApplications(deploys, names), { fromMs, toMs }))
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
