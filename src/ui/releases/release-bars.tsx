/**
 * The bars of a release: the outcomes of its sessions, and its new issues. Hidden from screen
 * readers, because the numbers are next to them.
 */

import type { ReleaseSessions } from "../../core/release/release-summary.ts";

const HEIGHT = 6;

/** Sessions by outcome. The parts add up to `total` and none is negative, for any input. */
export function splitSessionOutcomes({ started, errored, crashed }: Omit<ReleaseSessions, "days">) {
  const total = Math.max(1, started, errored + crashed);
  return { healthy: total - errored - crashed, errored, crashed, total };
}

/** The bar: healthy, errored, crashed. Each outcome has at least a visible line, if it occurred. */
export function SessionBar({
  sessions,
  width = 64,
}: {
  sessions: ReleaseSessions;
  width?: number;
}) {
  const { errored, crashed, total } = splitSessionOutcomes(sessions);
  const toLength = (count: number) => (count === 0 ? 0 : Math.max(1.5, (width * count) / total));
  const [erroredWidth, crashedWidth] = [toLength(errored), toLength(crashed)];
  return (
    <svg
      className="session-bar"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect data-outcome="healthy" width={width} height={HEIGHT} />
      <rect
        data-outcome="errored"
        x={width - crashedWidth - erroredWidth}
        width={erroredWidth}
        height={HEIGHT}
      />
      <rect data-outcome="crashed" x={width - crashedWidth} width={crashedWidth} height={HEIGHT} />
    </svg>
  );
}

const LEGEND = [
  ["healthy", "Healthy"],
  ["errored", "With errors"],
  ["crashed", "Crashed"],
] as const;

/** The meaning of the colors of the bars. */
export function SessionLegend() {
  return (
    <ul className="session-legend" aria-label="Sessions by outcome, 30 days">
      {LEGEND.map(([outcome, label]) => (
        <li key={outcome}>
          <svg width="10" height="10" className="session-bar" aria-hidden="true">
            <rect data-outcome={outcome} width="10" height="10" />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

const NEW_ISSUES_WIDTH = 72;

/** The new issues of a release; `maxCount`, at least 1, is the whole width of a table's bars. */
export function NewIssuesBar({ count, maxCount }: { count: number; maxCount: number }) {
  const width = count === 0 ? 0 : Math.max(2, (NEW_ISSUES_WIDTH * count) / maxCount);
  return (
    <svg className="new-issues-bar" width={NEW_ISSUES_WIDTH} height={HEIGHT} aria-hidden="true">
      <rect data-part="scale" width={NEW_ISSUES_WIDTH} height={HEIGHT} />
      <rect width={width} height={HEIGHT} />
    </svg>
  );
}
