/** The chart of errors per hour on the home page, with its releases and deploys. */
import type { listErrorTrends } from "../../core/overview/error-trend.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { type Trust, toTrustRank } from "../../core/trust/trust.ts";
import { HOUR_MS } from "../../core/utc-time.ts";
import { BarChart, createBars, describePeak } from "../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../parts/chart/mark-labels.ts";
import { pluralize } from "../parts/number.tsx";
import { formatClockTime } from "../parts/time.tsx";

/** The trend of each level with errors, the highest first. */
export type ErrorTrends = ReturnType<typeof listErrorTrends>;

/** The names of levels, which are counted separately. */
export const LEVEL_NAMES: Readonly<Record<Trust, string>> = {
  server: "Server errors",
  page: "Errors of signed pages",
  public: "Public errors",
};

export function ErrorChart({
  trends: [{ trust, counts, fromMs, toMs, lastDay }, ...lowerTrends],
  releases,
  deploys,
  nowMs,
}: {
  trends: ErrorTrends;
  releases: readonly ReleaseSummary[];
  deploys: readonly DeployMoment[];
  nowMs: number;
}) {
  const bars = createBars(counts, (n) =>
    formatClockTime(fromMs + n * HOUR_MS, nowMs).replace(" UTC", ""),
  );
  const marks = releases
    .filter((release) => toTrustRank(release.trust) >= toTrustRank(trust))
    .map(({ name, firstSeenMs = 0 }): ChartMark => {
      const position = (firstSeenMs - fromMs) / (toMs - fromMs);
      return { kind: "release", name, position };
    })
    .filter(({ position }) => position >= 0 && position <= 1)
    .concat(toDeployMarks(deploys, { fromMs, toMs }))
    .sort((a, b) => a.position - b.position);
  return (
    <BarChart
      id="errors"
      caption={`${lowerTrends.length === 0 ? "Errors" : LEVEL_NAMES[trust]} per hour, UTC`}
      description={`${pluralize(lastDay, "error")} in the last 24 hours, ${describePeak(bars, "hour")}${describeDeploys(marks)}.`}
      bars={bars}
      unit="error"
      marks={marks}
      lastName="now"
    />
  );
}
