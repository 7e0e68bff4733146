/** The chart of errors per hour on the home page, with its releases and deploys. */
import type { ErrorTrend } from "../../core/overview/error-trend.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { isTrusted } from "../../core/trust/trust.ts";
import { HOUR_MS } from "../../core/utc-time.ts";
import { BarChart, createBars, describePeak } from "../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../parts/chart/mark-labels.ts";
import { pluralize } from "../parts/number.tsx";
import { formatClockTime } from "../parts/time.tsx";

/** Marks of releases that only browsers named: anyone can invent names. */
const MAX_PUBLIC_MARKS = 4;

export function ErrorChart({
  trend: { series, fromMs, toMs, lastDay },
  releases,
  deploys,
  nowMs,
}: {
  trend: ErrorTrend;
  releases: readonly ReleaseSummary[];
  deploys: readonly DeployMoment[];
  nowMs: number;
}) {
  const bars = createBars(series, (n) =>
    formatClockTime(fromMs + n * HOUR_MS, nowMs).replace(" UTC", ""),
  );
  const isCharted = ({ firstSeenMs = 0 }: ReleaseSummary) =>
    firstSeenMs >= fromMs && firstSeenMs <= toMs;
  const marks = chooseMarked(releases.filter(isCharted))
    .map(({ name, firstSeenMs = 0 }): ChartMark => {
      const position = (firstSeenMs - fromMs) / (toMs - fromMs);
      return { kind: "release", name, position };
    })
    .concat(toDeployMarks(deploys, { fromMs, toMs }))
    .sort((a, b) => a.position - b.position);
  return (
    <BarChart
      id="errors"
      caption="Errors per hour, UTC"
      description={`${pluralize(lastDay, "error")} in the last 24 hours, ${describePeak(bars, "hour")}${describeDeploys(marks)}.`}
      bars={bars}
      unit="error"
      marks={marks}
      lastName="now"
    />
  );
}

/** Releases with a mark; of those that only browsers named, the ones with the most sessions. */
function chooseMarked(releases: readonly ReleaseSummary[]): readonly ReleaseSummary[] {
  const countUses = ({ sessions, issueCount }: ReleaseSummary) =>
    (sessions?.started ?? 0) + issueCount;
  const named = releases.filter(({ trust }) => !isTrusted(trust));
  return [
    ...releases.filter(({ trust }) => isTrusted(trust)),
    ...named.toSorted((a, b) => countUses(b) - countUses(a)).slice(0, MAX_PUBLIC_MARKS),
  ];
}
