/** Adds up `session` counters (`counters.ts`) by release, environment and trust. Pure. */
import { TRUST_LEVELS, TRUST_POLICY } from "../trust/trust.ts";
import type { CounterName } from "./counters.ts";

/** Sessions by how they ended. A session may have started on an earlier day. */
export interface SessionCounts {
  readonly started: number;
  /** All sessions with errors, including the following ones. */
  readonly errored: number;
  /** An error was unhandled and the program continued. */
  readonly unhandled: number;
  readonly crashed: number;
  readonly abnormal: number;
}

/** Sessions of one release in one environment, of senders with a server key or of others. */
interface ReleaseSessionCounts {
  readonly release: string;
  readonly environment: string;
  readonly isTrusted: boolean;
  readonly counts: SessionCounts;
}

const NO_SESSIONS: SessionCounts = {
  started: 0,
  errored: 0,
  unhandled: 0,
  crashed: 0,
  abnormal: 0,
};

/**
 * The totals of the session counters per release, environment and trust, in the order in which they
 * first occur. Ignores other counters.
 */
export function countSessions(
  counters: Iterable<{ readonly name: CounterName; readonly count: number }>,
): readonly ReleaseSessionCounts[] {
  const all = new Map<string, ReleaseSessionCounts>();
  for (const { name, count } of counters) {
    const [first, trust, release = "", environment = "", status = ""] = name;
    if (first !== "session") continue;
    const level = TRUST_LEVELS.find((one) => one === trust) ?? "public";
    const isTrusted = TRUST_POLICY[level].provesSessions;
    const key = JSON.stringify([release, environment, isTrusted]);
    const { counts } = all.get(key) ?? { counts: NO_SESSIONS };
    const knownStatus = Object.hasOwn(NO_SESSIONS, status)
      ? (status as keyof SessionCounts)
      : undefined;
    const updated =
      knownStatus === undefined
        ? counts
        : { ...counts, [knownStatus]: counts[knownStatus] + count };
    all.set(key, { release, environment, isTrusted, counts: updated });
  }
  return [...all.values()];
}
