/** How sessions ended, from the tallies that count them (`tally.ts`, `session`). Pure. */
import type { TallyName } from "./tally.ts";

/** Sessions by their ends. The start of a session may have been another day's. */
export interface SessionEnds {
  readonly started: number;
  /** All that did not go well; those that follow are among them. */
  readonly errored: number;
  /** An error was not handled and the program went on. */
  readonly unhandled: number;
  readonly crashed: number;
  readonly abnormal: number;
}

/** Those of one release in one environment. */
export interface EndsOfRelease {
  readonly release: string;
  readonly environment: string;
  readonly ends: SessionEnds;
}

const NONE: SessionEnds = { started: 0, errored: 0, unhandled: 0, crashed: 0, abnormal: 0 };

/** The sessions among these numbers, added up for each release and environment; in the order in which those came first. */
export function sessionEnds(
  numbers: Iterable<{ readonly name: TallyName; readonly count: number }>,
): readonly EndsOfRelease[] {
  const all = new Map<string, EndsOfRelease>();
  for (const { name, count } of numbers) {
    const [first, release = "", environment = "", end = ""] = name;
    if (first !== "session") continue;
    const key = JSON.stringify([release, environment]);
    const { ends } = all.get(key) ?? { ends: NONE };
    const known = Object.hasOwn(NONE, end) ? (end as keyof SessionEnds) : undefined;
    const more = known === undefined ? ends : { ...ends, [known]: ends[known] + count };
    all.set(key, { release, environment, ends: more });
  }
  return [...all.values()];
}
