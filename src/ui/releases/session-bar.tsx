/** How the sessions of a release ended, as a bar as small as a word. The figures stand beside it, so it is hidden from screen readers. */
import type { ReleaseSessions } from "../../core/release-summary.ts";

const HEIGHT = 6;

/** The parts of a whole that add up to it: whatever sent them, none is below nothing. */
export function endsOf({ started, errored, crashed }: ReleaseSessions) {
  const whole = Math.max(1, started, errored + crashed);
  return { well: whole - errored - crashed, errored, crashed, whole };
}

/** The bar: what went well, what had errors, what crashed. What there is of an end is at least a line of it. */
export function SessionBar({
  sessions,
  width = 64,
}: {
  readonly sessions: ReleaseSessions;
  readonly width?: number;
}) {
  const { errored, crashed, whole } = endsOf(sessions);
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(1.5, (width * count) / whole));
  const [bad, worst] = [lengthOf(errored), lengthOf(crashed)];
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
      <rect data-end="errored" x={width - worst - bad} width={bad} height={HEIGHT} />
      <rect data-end="crashed" x={width - worst} width={worst} height={HEIGHT} />
    </svg>
  );
}
