/** The chart of the home page: errors of servers and browsers, the time before, and deploys. */
import { toProjectPath } from "../../core/accounts/project-path.ts";
import {
  type ErrorColumns,
  OVERVIEW_PERIODS,
  type OverviewPeriod,
  PERIOD_MS,
} from "../../core/overview/error-columns.ts";
import type { ProjectOverview, Span } from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import { describePeriod } from "../../core/scope.ts";
import { formatPeopleCount } from "../../core/stats/people-count.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/utc-time.ts";
import type { AxisLabel } from "../parts/chart/axis-labels.ts";
import {
  BarChart,
  type ChartSelection,
  createBars,
  describePeak,
} from "../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../parts/chart/mark-labels.ts";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { formatClockOfDay, formatDayName } from "../parts/time.tsx";
import { SPAN_FIELD, toHomeUrl } from "../urls/home-urls.ts";

const BEFORE_NAMES: Readonly<Record<OverviewPeriod, string>> = {
  "24h": "Day before",
  "7d": "Week before",
  "14d": "14 days before",
  "30d": "30 days before",
};

/**
 * The periods up to the one that covers the life of the project, which is named by that life;
 * nothing if that is the first.
 */
export function PeriodSwitch({
  period,
  columns,
}: {
  period: OverviewPeriod;
  columns: ErrorColumns;
}) {
  const { lifeMs } = columns;
  const isWhole = (one: OverviewPeriod) => lifeMs !== undefined && lifeMs < PERIOD_MS[one];
  const first = OVERVIEW_PERIODS.findIndex(isWhole);
  const shown = first < 0 ? OVERVIEW_PERIODS : OVERVIEW_PERIODS.slice(0, first + 1);
  if (shown.length < 2) return null;
  const current = shown.includes(period) ? period : shown.at(-1);
  return (
    <nav className="segments" aria-label="Period">
      {shown.map((one) => (
        <DeskLink
          key={one}
          href={toHomeUrl({ period: one })}
          id={`period-${one}`}
          aria-current={one === current ? "true" : undefined}
        >
          {isWhole(one) ? formatLife(lifeMs ?? 0) : describePeriod(one).short}
        </DeskLink>
      ))}
    </nav>
  );
}

/** `50 min`, `6 h`, `3 d`. */
function formatLife(lifeMs: number): string {
  if (lifeMs < 2 * HOUR_MS) return `${Math.max(1, Math.round(lifeMs / MINUTE_MS))} min`;
  if (lifeMs < 2 * DAY_MS) return `${Math.round(lifeMs / HOUR_MS)} h`;
  return `${Math.round(lifeMs / DAY_MS)} d`;
}

interface ErrorChartProps {
  readonly overview: ProjectOverview;
  readonly deploys: readonly DeployMoment[];
  readonly period: OverviewPeriod;
  readonly span: Span | undefined;
  readonly nowMs: number;
}

export function ErrorChart({ overview, deploys, period, span, nowMs }: ErrorChartProps) {
  const { base } = useDesk();
  const { columns, people } = overview;
  const { fromMs, toMs, stepMs, series, before, lifeMs } = columns;
  const bars = createBars(series, (n) => formatStep(fromMs + n * stepMs, stepMs, nowMs));
  const marks = listMarks(overview, deploys);
  const step = formatStepLength(stepMs);
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const time = lifeMs === undefined ? describePeriod(period).short : formatLife(lifeMs);
  const description = `${pluralize(total, "error")} in the last ${time}, ${describePeak(bars, step)}`;
  const selection: ChartSelection = {
    action: toProjectPath(base, "/"),
    field: SPAN_FIELD,
    hidden: period === "24h" ? [] : [["period", period]],
    fromMs,
    stepMs,
    ...(span && { selected: toSelected(span, columns) }),
  };
  return (
    <BarChart
      id="errors"
      size="home"
      caption={`Errors, last ${time}, UTC`}
      isCaptionHidden
      description={`${description}${describeDeploys(marks)}.`}
      bars={bars}
      unit="error"
      step={step}
      marks={marks}
      lastName={toMs > nowMs ? "now" : ""}
      axis={listAxisLabels(columns)}
      before={before && { name: BEFORE_NAMES[period], counts: before }}
      figures={people > 0 ? [["People", formatPeopleCount(people)]] : []}
      selection={selection}
    />
  );
}

function toSelected({ fromMs, toMs }: Span, columns: ErrorColumns): readonly [number, number] {
  const toIndex = (atMs: number) => Math.floor((atMs - columns.fromMs) / columns.stepMs);
  return [toIndex(fromMs), toIndex(toMs - 1)];
}

/** `15 min`, `2 h`, `1 day`. */
function formatStepLength(stepMs: number): string {
  if (stepMs < HOUR_MS) return `${stepMs / MINUTE_MS} min`;
  return stepMs < DAY_MS ? `${stepMs / HOUR_MS} h` : "1 day";
}

/** `15:15–15:30`, `Fri 14:00–16:00`, `21 Nov`. */
function formatStep(atMs: number, stepMs: number, nowMs: number): string {
  if (stepMs >= DAY_MS) return formatDayName(atMs, "date");
  const start =
    nowMs - atMs < DAY_MS / 2
      ? formatClockOfDay(atMs)
      : `${formatDayName(atMs, "weekday")} ${formatClockOfDay(atMs)}`;
  return stepMs <= MINUTE_MS ? start : `${start}–${formatClockOfDay(atMs + stepMs)}`;
}

/** The steps of labels, the least that leaves at most six of them. */
const TICKS_MS = [5, 10, 20, 30, 60, 120, 360, 1_440, 7 * 1_440].map((min) => min * MINUTE_MS);
const MAX_TICKS = 6;

/** The beginning, and round times; the chart omits those without room. */
export function listAxisLabels({ fromMs, toMs, stepMs }: ErrorColumns): readonly AxisLabel[] {
  const spanMs = toMs - fromMs;
  const tickMs = TICKS_MS.find((one) => spanMs / one <= MAX_TICKS + 1) ?? 7 * DAY_MS;
  const first = Math.ceil(fromMs / tickMs) * tickMs;
  const count = Math.max(0, Math.ceil((toMs - first) / tickMs));
  const labels = Array.from({ length: count }, (_, n) => first + n * tickMs)
    .map((atMs) => ({ atMs, position: (atMs - fromMs) / spanMs }))
    .filter(({ position }) => position > 0 && position < 1)
    .map(({ atMs, position }) => ({ position, name: formatTick(atMs, tickMs, stepMs) }));
  const isOfDays = tickMs >= DAY_MS;
  const start = isOfDays
    ? formatDayName(fromMs, "date")
    : `${formatDayName(fromMs, "weekday")} ${formatClockOfDay(fromMs)}`;
  return [{ position: 0, name: `${start}${isOfDays ? "" : " UTC"}` }, ...labels];
}

function formatTick(atMs: number, tickMs: number, stepMs: number): string {
  if (tickMs >= 7 * DAY_MS || stepMs >= DAY_MS) return formatDayName(atMs, "date");
  if (tickMs >= DAY_MS) return formatDayName(atMs, "both");
  return atMs % DAY_MS === 0
    ? `${formatDayName(atMs, "weekday")} ${formatClockOfDay(atMs)}`
    : formatClockOfDay(atMs);
}

const MAX_MARKS = 12;

/** Deploys, and releases that were first seen without one: the newest ones. */
function listMarks(
  { columns: { fromMs, toMs }, releases }: ProjectOverview,
  deploys: readonly DeployMoment[],
): readonly ChartMark[] {
  const deployed = new Set(deploys.map(({ release }) => release));
  const seen = releases
    .filter(({ name }) => !deployed.has(name))
    .filter(({ firstSeenMs }) => firstSeenMs >= fromMs && firstSeenMs <= toMs)
    .map(({ name, firstSeenMs }): ChartMark => {
      return { kind: "release", name, position: (firstSeenMs - fromMs) / (toMs - fromMs) };
    });
  return toDeployMarks(deploys, { fromMs, toMs }, true)
    .concat(seen)
    .sort((a, b) => a.position - b.position)
    .slice(-MAX_MARKS);
}
