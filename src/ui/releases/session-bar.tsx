/** How the sessions of a release ended, as a bar as small as a word. The figures stand beside it, so it is hidden from screen readers. */
import type { ReleaseSessions } from "../../core/release/release-summary.ts";

const HEIGHT = 6;

/** The parts of a whole that add up to it: whatever sent them, none is below nothing. */
export function splitSessionOutcomes({ started, errored, crashed }: ReleaseSessions) {
  const total = Math.max(1, started, errored + crashed);
  return { well: total - errored - crashed, errored, crashed, whole: total };
}

/** The bar: what went well, what had errors, what crashed. What there is of an end is at least a line of it. */
export function SessionBar({
  sessions,
  width = 64,
}: {
  readonly sessions: ReleaseSessions;
  readonly width?: number;
}) {
  const { errored, crashed, whole: total } = splitSessionOutcomes(sessions);
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
      <rect data-end="well" width={width} height={HEIGHT} />
      <rect
        data-end="errored"
        x={width - crashedWidth - erroredWidth}
        width={erroredWidth}
        height={HEIGHT}
      />
      <rect data-end="crashed" x={width - crashedWidth} width={crashedWidth} height={HEIGHT} />
    </svg>
  );
}
