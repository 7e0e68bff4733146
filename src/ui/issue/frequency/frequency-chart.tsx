/** The occurrences of an issue over time, with its releases, and when it was resolved. */
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { BarChart, createBars, describePeak } from "../../parts/chart/bar-chart.tsx";
import { describeDeploys } from "../../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../../parts/chart/mark-labels.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { formatAbsoluteTime, formatClockTime } from "../../parts/time.tsx";
import { computeFrequency, type Frequency, listMarks } from "./frequency.ts";

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
