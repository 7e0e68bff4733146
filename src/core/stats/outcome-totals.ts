/**
 * Totals for the status page: items by outcome and reason, sessions by release, and reports that
 * SDKs discarded. Pure: from the counters of some days to totals.
 */

import { limits } from "../limits.ts";
import type { ReportKind } from "../report.ts";
import type { CounterName, DailyCounter } from "./counters.ts";
import { toCrashFreePercent } from "./crash-free.ts";
import { countSessions, type SessionCounts } from "./session-counts.ts";

/** A count of today (UTC) and of all requested days. */
interface CounterTotals {
  readonly today: number;
  readonly total: number;
}

/** The number of items of one kind with one outcome. */
export interface OutcomeTotals extends CounterTotals {
  readonly outcome: "accepted" | "duplicate" | "counted" | "dropped" | "invalid";
  /** The sender's name for the item (`session`); for a report its kind (`error`). */
  readonly item: string;
  /** The reason of a drop or of an invalid item; a noise rule. */
  readonly reason?: string;
}

/**
 * The category of an item counted without its body: a sampled report, counters only, or an
 * unsupported item.
 */
export type CountedCategory = "sampled" | "counters" | "unsupported";

/** Sampled reports are named by their kind, all other items by the sender's name. */
const COUNTED_CATEGORIES: Readonly<Record<string, CountedCategory>> = {
  ...({
    error: "sampled",
    recovered: "sampled",
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
  vitals: "counters",
  "script-error": "counters",
  "resize-loop": "counters",
  dropped: "counters",
  // Names beyond the limit.
  other: "counters",
};

/** The category of a counted item by its name; `unsupported` for an unknown name. */
export function toCountedCategory(item: string): CountedCategory {
  return Object.hasOwn(COUNTED_CATEGORIES, item)
    ? (COUNTED_CATEGORIES[item] ?? "unsupported")
    : "unsupported";
}

/** Sessions of one release in one environment. */
export interface SessionRow extends SessionCounts {
  readonly release: string;
  readonly environment: string;
  /**
   * Percentage of sessions that neither crashed nor hung, rounded down to two decimals; absent if
   * no session started.
   */
  readonly crashFreePercent?: number;
}

/** Reports that SDKs discarded, by their own categories. */
interface DiscardedTotals extends CounterTotals {
  readonly category: string;
  readonly reason: string;
}

/** All totals. `received` is the sum of all outcomes. */
export interface IngestStats {
  readonly days: number;
  readonly received: CounterTotals;
  readonly outcomes: readonly OutcomeTotals[];
  /** Sessions of senders with a server key. */
  readonly sessions: readonly SessionRow[];
  /** Sessions of all others, which prove nothing about the application: anyone can send them. */
  readonly publicSessions: readonly SessionRow[];
  readonly discarded: readonly DiscardedTotals[];
  /** Public reports counted in the issue "Other anonymous reports"; absent if there are none. */
  readonly collapsed?: CounterTotals;
  /** Received reports that a shard of the log did not accept at once; absent if there are none. */
  readonly spooled?: CounterTotals;
}

const OUTCOMES = ["accepted", "duplicate", "counted", "dropped", "invalid"] as const;

/** A counter of errors also names their hour (`counters.ts`). */
function withoutHour(name: CounterName): CounterName {
  const isReport = name[0] === "accepted" || name[0] === "counted";
  if (!isReport) return name;
  const [outcome = "", item = "", reason = ""] = name;
  return reason === "" && name[0] === "counted" ? [outcome, item] : [outcome, item, reason];
}

/** The totals of the last `days` days including `today`, most frequent first. */
export function toIngestStats(
  counters: readonly DailyCounter[],
  today: string,
  days: number,
): IngestStats {
  const perName = new Map<string, { name: CounterName; today: number; total: number }>();
  for (const { day, name: fullName, count } of counters) {
    const name = withoutHour(fullName);
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
      .map(({ name: [, item = "", reason = ""], ...totals }): OutcomeTotals => {
        return { outcome, item, ...(reason !== "" && { reason }), ...totals };
      }),
  );
  const selectBy = (counter: string) =>
    totalsByName.filter(({ name: [first] }) => first === counter);
  const [spooled, collapsed] = [selectBy("spooled"), selectBy("collapsed")];
  return {
    days,
    received: addTotals(outcomes),
    outcomes,
    sessions: toSessionRows(totalsByName, true),
    publicSessions: toSessionRows(totalsByName, false),
    discarded: totalsByName
      .filter(({ name: [first] }) => first === "discarded")
      .map(({ name: [, category = "", reason = ""], ...totals }) => ({
        category,
        reason,
        ...totals,
      })),
    ...(collapsed.length > 0 && { collapsed: addTotals(collapsed) }),
    ...(spooled.length > 0 && { spooled: addTotals(spooled) }),
  };
}

function addTotals(rows: readonly CounterTotals[]): CounterTotals {
  return {
    today: rows.reduce((sum, row) => sum + row.today, 0),
    total: rows.reduce((sum, row) => sum + row.total, 0),
  };
}

/** The session rows of one level, most frequent first; at most `limits.maxListedSessions`. */
function toSessionRows(
  totalsByName: readonly { readonly name: CounterName; readonly total: number }[],
  isTrusted: boolean,
): readonly SessionRow[] {
  return countSessions(totalsByName.map(({ name, total }) => ({ name, count: total })))
    .filter((row) => row.isTrusted === isTrusted)
    .map(
      ({ release, environment, counts }): SessionRow => ({
        release,
        environment,
        ...counts,
        crashFreePercent: toCrashFreePercent({
          ...counts,
          crashed: counts.crashed + counts.abnormal,
        }),
      }),
    )
    .sort((a, b) => b.started - a.started || (a.release < b.release ? 1 : -1))
    .slice(0, limits.maxListedSessions);
}
