/**
 * Tallies: what is counted of items although no report of them is kept. A name says what, a number how often; they travel
 * with the reports through the log, stand in the record beside them, and are added up by the index, exactly once.
 *
 *     [["dropped", "invention", "not-stored"], 1]
 *     [["session", "web@2.0.0", "production", "crashed"], 3]
 */

import { limits } from "../limits.ts";
import type { ReportId } from "../report.ts";
import { truncateText } from "../truncate.ts";
import type { Outcome } from "./outcome.ts";

/**
 * What a number counts; the first word decides what the others mean:
 *
 *     accepted  <kind> <noise rule or "">     a report, stored and counted in its issue; `attachment`: a file of one
 *     repeated  <kind>                        a report that had come before; `attachment`: a file of one
 *     counted   <item>                        an item whose body is not kept; of a storm the report's kind
 *     dropped   <item> <why>                  an item that is not wanted
 *     invalid   <item> <why>                  an item, or a whole body, that could not be understood
 *     session   <release> <environment> <end> sessions: `started`; `errored`, all that did not go well; of these `unhandled`,
 *                                             `crashed`, `abnormal`
 *     spilled   <kind>                        of the reports stored those that waited in KV, because a shard was away
 *     discarded <category> <reason>           what SDKs say that they threw away themselves
 */
export type CounterName = readonly string[];

/** One number. With `once`, an id, it is counted unless something with that id was counted within a day. */
export type CounterDelta = readonly [name: CounterName, count: number, once?: ReportId];

/** Tallies of one UTC day, `2026-11-21`, as they are handed from the log to the index. */
export interface DailyCounters {
  readonly day: string;
  readonly counters: readonly CounterDelta[];
}

/** One number of one day, as the index tells it. */
export interface DailyCounter {
  readonly day: string;
  readonly name: CounterName;
  readonly count: number;
}

/**
 * Tallies added up while they arrive: the same name once, in the order in which names came first. Beyond `maxNames` names what
 * is new counts as other.
 */
export class CounterBatch {
  readonly #counts = new Map<string, { name: CounterName; count: number }>();
  readonly #maxNames: number;

  constructor(maxNames = Number.POSITIVE_INFINITY) {
    this.#maxNames = maxNames;
  }

  /** Adds `count` to what the name has, which is made short. */
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

  /** What was added since the last time. */
  drain(): readonly CounterDelta[] {
    const counters = [...this.#counts.values()].map(
      ({ name, count }): CounterDelta => [name, count],
    );
    this.#counts.clear();
    return counters;
  }
}

/** The name with its words cut to `limits.maxTallyWordChars` and without their control characters. */
export function truncateCounterName(name: CounterName): CounterName {
  return name.map(truncatePart);
}

/** JSON writes a control character as six. */
function truncatePart(word: string): string {
  return truncateText(word.replace(/\p{Cc}/gu, " "), limits.maxCounterPartChars);
}

/** What a name counts under where there is no room for more: `session other other crashed`, `counted other`. */
export function toOverflowName([first = "", ...rest]: CounterName): CounterName {
  if (rest.length < 2) return [first, "other"];
  return [first, ...rest.slice(1).map(() => "other"), rest.at(-1) ?? ""];
}

/** What an item counts as that is no report. */
export function toOutcomeCounter(outcome: Exclude<Outcome, { outcome: "accepted" }>): CounterDelta {
  return outcome.outcome === "counted"
    ? [["counted", outcome.item], 1]
    : [[outcome.outcome, outcome.item, outcome.reason], 1];
}
