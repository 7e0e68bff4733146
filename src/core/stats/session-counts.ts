/** How sessions ended, from the tallies that count them (`tally.ts`, `session`). Pure. */
import type { CounterName } from "./counters.ts";

/** Sessions by their ends. The start of a session may have been another day's. */
export interface SessionCounts {
  readonly started: number;
  /** All that did not go well; those that follow are among them. */
  readonly errored: number;
  /** An error was not handled and the program went on. */
  readonly unhandled: number;
  readonly crashed: number;
  readonly abnormal: number;
}

/** Those of one release in one environment. */
export interface ReleaseSessionCounts {
  readonly release: string;
  readonly environment: string;
  readonly counts: SessionCounts;
}

const NO_SESSIONS: SessionCounts = {
  started: 0,
  errored: 0,
  unhandled: 0,
  crashed: 0,
  abnormal: 0,
};

/** The sessions among these numbers, added up for each release and environment; in the order in which those came first. */
export function countSessions(
  counters: Iterable<{ readonly name: CounterName; readonly count: number }>,
): readonly ReleaseSessionCounts[] {
  const all = new Map<string, ReleaseSessionCounts>();
  for (const { name, count } of counters) {
    const [first, release = "", environment = "", status = ""] = name;
    if (first !== "session") continue;
    const key = JSON.stringify([release, environment]);
    const { counts } = all.get(key) ?? { counts: NO_SESSIONS };
    const knownStatus = Object.hasOwn(NO_SESSIONS, status)
      ? (status as keyof SessionCounts)
      : undefined;
    const updated =
      knownStatus === undefined
        ? counts
        : { ...counts, [knownStatus]: counts[knownStatus] + count };
    all.set(key, { release, environment, counts: updated });
  }
  return [...all.values()];
}
