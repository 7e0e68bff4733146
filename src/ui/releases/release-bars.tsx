/**
 * The bar of a release: the outcomes of its sessions. Hidden from screen readers, because the
 * numbers are next to it.
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
