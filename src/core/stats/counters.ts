/**
 * Counters count items without storing a report. A counter has a name and a count. Counters go
 * through the log and into the archive with the reports, and the index adds each exactly once.
 *
 *     [["dropped", "invention", "not-stored"], 1]
 *     [["session", "server", "web@2.0.0", "production", "crashed"], 3]
 */

import { limits } from "../limits.ts";
import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import type { ReportId } from "../report.ts";
import { toOneLine, truncateText } from "../truncate.ts";
import { TRUST_LEVELS, type Trust } from "../trust/trust.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The name of a counter. The first part decides what the others mean:
 *
 *     accepted  <kind> <noise rule or ""> <hour> <trust>
 *                                              a report stored and counted in its issue; of errors
 *                                              with the hour when it happened, `2026112117`, and
 *                                              their level; `attachment`: an attachment of one
 *     duplicate <kind>                         a report that was stored before;
 *                                              `attachment`: an attachment of one
 *     counted   <item> <noise rule or ""> <hour> <trust>
 *                                              an item counted without its body; of sampled reports
 *                                              the kind, and the rest as above
 *     dropped   <item> <reason>                an item that Errata does not store
 *     invalid   <item> <reason>                an item, or a whole body, that could not be parsed
 *     session   <trust> <release> <environment> <end>
 *                                              sessions: `started`; `errored`, all with errors;
 *                                              of these `unhandled`, `crashed`, `abnormal`
 *     collapsed                                public reports counted in the issue "Other anonymous
 *                                              reports"; they are also accepted or counted
 *     spooled   <kind>                         stored reports that waited in KV because a shard
 *                                              was unavailable
 *     discarded <category> <reason>            reports that SDKs discarded themselves
 */
export type CounterName = readonly string[];

/** The trust level of a counter that senders caused: only sessions are counted by level. */
export function getCounterTrust([first, level]: CounterName): Trust {
  return (first === "session" && TRUST_LEVELS.find((one) => one === level)) || "server";
}

/** A count to add. With the id `once` it is skipped if that id was counted within a day. */
export type CounterDelta = readonly [name: CounterName, count: number, once?: ReportId];

/** Counters of one UTC day, `2026-11-21`, as the log sends them to the index. */
export interface DailyCounters {
  readonly day: string;
  /** When the log wrote them, ms; absent for counters that the log does not write. */
  readonly atMs?: number;
  readonly counters: readonly CounterDelta[];
}

/** One counter of one day, as the index returns it. */
export interface DailyCounter {
  readonly day: string;
  readonly name: CounterName;
  readonly count: number;
}

/**
 * Adds up counters in memory, in the order in which names first occur. Above `maxNames`, new names
 * count as "other".
 */
export class CounterBatch {
  readonly #counts = new Map<string, { name: CounterName; count: number }>();
  readonly #maxNames: number;

  constructor(maxNames = Number.POSITIVE_INFINITY) {
    this.#maxNames = maxNames;
  }

  /** Adds `count` to the counter with this name, after truncating the name. */
  add(name: CounterName, count = 1): void {
    const truncated = truncateCounterName(name);
    const isNew = !this.#counts.has(JSON.stringify(truncated));
    const stored =
      isNew && this.#counts.size >= this.#maxNames ? toOverflowName(truncated) : truncated;
    const key = JSON.stringify(stored);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { name: stored, count });
    else known.count += count;
  }

  addAll(counters: readonly CounterDelta[]): void {
    for (const [name, count] of counters) this.add(name, count);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Returns the counters added since the last call and clears them. */
  drain(): readonly CounterDelta[] {
    const counters = [...this.#counts.values()].map(
      ({ name, count }): CounterDelta => [name, count],
    );
    this.#counts.clear();
    return counters;
  }
}

/**
 * The name with its parts truncated to `limits.maxCounterPartChars` and without control characters.
 */
export function truncateCounterName(name: CounterName): CounterName {
  return name.map(truncatePart);
}

/** JSON writes a control character as six characters. */
function truncatePart(word: string): string {
  return truncateText(toOneLine(word), limits.maxCounterPartChars);
}

/**
 * The name used when the limit of names is reached: `counted other`, `session public other other
 * crashed`. Sessions of the sample keep their environment, by which they are removed.
 */
export function toOverflowName(name: CounterName): CounterName {
  const group = getCounterGroup(name);
  const rest = name.slice(group.length);
  if (rest.length < 2) return [...group, "other"];
  const others = rest
    .slice(1)
    .map((_, n) => (n === 1 && rest[n] === SAMPLE_ENVIRONMENT ? SAMPLE_ENVIRONMENT : "other"));
  return [...group, ...others, rest.at(-1) ?? ""];
}

/** True if the names of sessions were replaced by `toOverflowName`. */
export function isOverflowRelease(release: string, environment: string | undefined): boolean {
  return release === "other" && (environment === "other" || environment === SAMPLE_ENVIRONMENT);
}

/** The first parts of a name. Each group has its own limit of names; sessions have trust levels. */
export function getCounterGroup(name: CounterName): CounterName {
  return name.slice(0, name[0] === "session" ? 2 : 1);
}

/** The counter of an outcome that is not an accepted report. */
export function toOutcomeCounter(outcome: Exclude<Outcome, { outcome: "accepted" }>): CounterDelta {
  return outcome.outcome === "counted"
    ? [["counted", outcome.item], 1]
    : [[outcome.outcome, outcome.item, outcome.reason], 1];
}
