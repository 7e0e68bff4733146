/**
 * What an operator is told of what came in: every item with its outcome and the reason, sessions by release, and what SDKs threw
 * away themselves. Pure: from the tallies of some days to totals.
 */

import { omitUndefined } from "../omit-undefined.ts";
import type { ReportKind } from "../report.ts";
import type { CounterName, DailyCounter } from "./counters.ts";
import { toCrashFreePercent } from "./crash-free.ts";
import { countSessions, type SessionCounts } from "./session-counts.ts";

/** A number of today (UTC), and of all days that were asked for. */
export interface CounterTotals {
  readonly today: number;
  readonly total: number;
}

/** How many items of one kind ended in one way. */
export interface OutcomeTotals extends CounterTotals {
  readonly outcome: "accepted" | "duplicate" | "counted" | "dropped" | "invalid";
  /** The sender's word for the item (`session`); for a report its kind (`error`). */
  readonly item: string;
  /** Why: a drop's or a fault's reason, a noise rule. */
  readonly reason?: string;
}

/** What an item that is counted without its body was: a report, one of a storm; numbers alone; or nothing that Errata shows. */
export type CountedCategory = "sampled" | "counters" | "unsupported";

/** The word of a storm's reports is their kind, of every other item the sender's. */
const COUNTED_CATEGORIES: Readonly<Record<string, CountedCategory>> = {
  ...({
    error: "sampled",
    message: "sampled",
    csp: "sampled",
    browser: "sampled",
    network: "sampled",
    notice: "sampled",
    feedback: "sampled",
  } satisfies Record<ReportKind, CountedCategory>),
  session: "counters",
  sessions: "counters",
  client_report: "counters",
  // A connection that did not fail.
  "network-error": "counters",
  // What found no room under its own name.
  other: "counters",
};

/** What was counted under this word. */
export function toCountedCategory(item: string): CountedCategory {
  return Object.hasOwn(COUNTED_CATEGORIES, item)
    ? (COUNTED_CATEGORIES[item] ?? "unsupported")
    : "unsupported";
}

/** Sessions of one release in one environment. */
export interface SessionRow extends SessionCounts {
  readonly release: string;
  readonly environment: string;
  /** Of a hundred sessions those that neither crashed nor hung, rounded down to hundredths; absent where none started. */
  readonly crashFreePercent?: number;
}

/** What SDKs did not send, in their own words. */
export interface DiscardedTotals extends CounterTotals {
  readonly category: string;
  readonly reason: string;
}

/** The whole account. `received` is the sum of all outcomes: they add up because it is made of them. */
export interface IngestStats {
  readonly days: number;
  readonly received: CounterTotals;
  readonly outcomes: readonly OutcomeTotals[];
  readonly sessions: readonly SessionRow[];
  readonly discarded: readonly DiscardedTotals[];
  /** Of what was received the reports that a shard of the log did not take at once; absent when it took all. */
  readonly spooled?: CounterTotals;
}

const OUTCOMES = ["accepted", "duplicate", "counted", "dropped", "invalid"] as const;

/** The account of the last `days` days, of which `today` is one. The most frequent stand first. */
export function toIngestStats(
  counters: readonly DailyCounter[],
  today: string,
  days: number,
): IngestStats {
  const perName = new Map<string, { name: CounterName; today: number; total: number }>();
  for (const { day, name, count } of counters) {
    const key = JSON.stringify(name);
    const sum = perName.get(key) ?? { name, today: 0, total: 0 };
    perName.set(key, sum);
    sum.total += count;
    if (day === today) sum.today += count;
  }
  const totalsByName = [...perName.values()].sort((a, b) => b.total - a.total);
  const outcomes = OUTCOMES.flatMap((outcome) =>
    totalsByName
      .filter(({ name: [first] }) => first === outcome)
      .map(({ name: [, item = "", why = ""], ...totals }): OutcomeTotals => {
        return { outcome, item, ...(why !== "" && { reason: why }), ...totals };
      }),
  );
  const spooled = totalsByName.filter(({ name: [first] }) => first === "spooled");
  return {
    days,
    received: addTotals(outcomes),
    outcomes,
    sessions: toSessionRows(totalsByName),
    discarded: totalsByName
      .filter(({ name: [first] }) => first === "discarded")
      .map(({ name: [, category = "", reason = ""], ...totals }) => ({
        category,
        reason,
        ...totals,
      })),
    ...(spooled.length > 0 && { spooled: addTotals(spooled) }),
  };
}

function addTotals(rows: readonly CounterTotals[]): CounterTotals {
  return {
    today: rows.reduce((sum, row) => sum + row.today, 0),
    total: rows.reduce((sum, row) => sum + row.total, 0),
  };
}

function toSessionRows(
  totalsByName: readonly { readonly name: CounterName; readonly total: number }[],
): readonly SessionRow[] {
  return countSessions(totalsByName.map(({ name, total }) => ({ name, count: total })))
    .map(({ release, environment, counts }) => ({
      release,
      environment,
      ...counts,
      ...omitUndefined({
        crashFreePercent: toCrashFreePercent({
          ...counts,
          crashed: counts.crashed + counts.abnormal,
        }),
      }),
    }))
    .sort((a, b) => b.started - a.started || (a.release < b.release ? 1 : -1));
}
