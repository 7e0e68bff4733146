/**
 * What an operator is told of what came in: every item with its outcome and the reason, sessions by release, and what SDKs threw
 * away themselves. Pure: from the tallies of some days to totals.
 */
import { crashFreePercent } from "./crash-free.ts";
import { present } from "./present.ts";
import type { ReportKind } from "./report.ts";
import { type SessionEnds, sessionEnds } from "./session-ends.ts";
import type { TallyName, TallyOnDay } from "./tally.ts";

/** A number of today (UTC), and of all days that were asked for. */
export interface Totals {
  readonly today: number;
  readonly all: number;
}

/** How many items of one kind ended in one way. */
export interface OutcomeTotals extends Totals {
  readonly outcome: "accepted" | "repeated" | "counted" | "dropped" | "invalid";
  /** The sender's word for the item (`session`); for a report its kind (`error`). */
  readonly item: string;
  /** Why: a drop's or a fault's reason, a noise rule. */
  readonly why?: string;
}

/** What an item that is counted without its body was: a report, one of a storm; numbers alone; or nothing that Errata shows. */
export type CountedAs = "storm" | "numbers" | "unsupported";

/** The word of a storm's reports is their kind, of every other item the sender's. */
const COUNTED_AS: Readonly<Record<string, CountedAs>> = {
  ...({
    error: "storm",
    message: "storm",
    csp: "storm",
    browser: "storm",
    network: "storm",
    notice: "storm",
    feedback: "storm",
  } satisfies Record<ReportKind, CountedAs>),
  session: "numbers",
  sessions: "numbers",
  client_report: "numbers",
  // A connection that did not fail.
  "network-error": "numbers",
  // What found no room under its own name.
  other: "numbers",
};

/** What was counted under this word. */
export function countedAs(item: string): CountedAs {
  return Object.hasOwn(COUNTED_AS, item) ? (COUNTED_AS[item] ?? "unsupported") : "unsupported";
}

/** Sessions of one release in one environment. */
export interface SessionRow extends SessionEnds {
  readonly release: string;
  readonly environment: string;
  /** Of a hundred sessions those that neither crashed nor hung, rounded down to hundredths; absent where none started. */
  readonly crashFreePercent?: number;
}

/** What SDKs did not send, in their own words. */
export interface DiscardedTotals extends Totals {
  readonly category: string;
  readonly reason: string;
}

/** The whole account. `received` is the sum of all outcomes: they add up because it is made of them. */
export interface Status {
  readonly days: number;
  readonly received: Totals;
  readonly outcomes: readonly OutcomeTotals[];
  readonly sessions: readonly SessionRow[];
  readonly discarded: readonly DiscardedTotals[];
  /** Of what was received the reports that a shard of the log did not take at once; absent when it took all. */
  readonly spilled?: Totals;
}

const OUTCOMES = ["accepted", "repeated", "counted", "dropped", "invalid"] as const;

/** The account of the last `days` days, of which `today` is one. The most frequent stand first. */
export function statusOf(tallies: readonly TallyOnDay[], today: string, days: number): Status {
  const perName = new Map<string, { name: readonly string[]; today: number; all: number }>();
  for (const { day, name, count } of tallies) {
    const key = JSON.stringify(name);
    const sum = perName.get(key) ?? { name, today: 0, all: 0 };
    perName.set(key, sum);
    sum.all += count;
    if (day === today) sum.today += count;
  }
  const sums = [...perName.values()].sort((a, b) => b.all - a.all);
  const outcomes = OUTCOMES.flatMap((outcome) =>
    sums
      .filter(({ name: [first] }) => first === outcome)
      .map(({ name: [, item = "", why = ""], ...totals }): OutcomeTotals => {
        return { outcome, item, ...(why !== "" && { why }), ...totals };
      }),
  );
  const spilled = sums.filter(({ name: [first] }) => first === "spilled");
  return {
    days,
    received: sumOf(outcomes),
    outcomes,
    sessions: sessionsOf(sums),
    discarded: sums
      .filter(({ name: [first] }) => first === "discarded")
      .map(({ name: [, category = "", reason = ""], ...totals }) => ({
        category,
        reason,
        ...totals,
      })),
    ...(spilled.length > 0 && { spilled: sumOf(spilled) }),
  };
}

function sumOf(rows: readonly Totals[]): Totals {
  return {
    today: rows.reduce((sum, row) => sum + row.today, 0),
    all: rows.reduce((sum, row) => sum + row.all, 0),
  };
}

function sessionsOf(
  sums: readonly { readonly name: TallyName; readonly all: number }[],
): readonly SessionRow[] {
  return sessionEnds(sums.map(({ name, all }) => ({ name, count: all })))
    .map(({ release, environment, ends }) => ({
      release,
      environment,
      ...ends,
      ...present({
        crashFreePercent: crashFreePercent({ ...ends, crashed: ends.crashed + ends.abnormal }),
      }),
    }))
    .sort((a, b) => b.started - a.started || (a.release < b.release ? 1 : -1));
}
