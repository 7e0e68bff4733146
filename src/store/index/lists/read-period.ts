/** Reads what happened in a period, for summaries by mail. Bounded work, synchronous. */
import {
  PERIOD_LIMITS,
  type PeriodFacts,
  type PeriodQuery,
} from "../../../core/alerts/periods/period-facts.ts";
import { selectIssues } from "../../../core/alerts/periods/select-issues.ts";
import { countErrors } from "../../../core/overview/error-trend.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { DAY_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { IssueLists } from "./issue-lists.ts";

/** The facts of the period at `nowMs`. */
export function readPeriod(
  tables: Pick<IndexTables, "issues" | "counters">,
  lists: Pick<IssueLists, "listSeenSince">,
  releases: readonly ReleaseSummary[],
  query: PeriodQuery,
  nowMs: number,
): PeriodFacts {
  const { beforeMs, fromMs, toMs } = query;
  const summaries = lists.listSeenSince(fromMs, PERIOD_LIMITS.read, nowMs);
  // A report counts on the day on which its chunk was begun.
  const days = listDays(beforeMs - DAY_MS, nowMs);
  const counters = ["accepted", "counted"].flatMap((name) => tables.counters.listOf(name, days));
  return {
    errors: countErrors(counters, fromMs, toMs),
    errorsBefore: countErrors(counters, beforeMs, fromMs),
    groups: selectIssues(summaries, query, {
      getIssue: (digest) => tables.issues.get(digest),
      nowMs,
    }),
    releases: listNewReleases(releases, query),
  };
}

/** The releases of the period; those that only strangers named, if there are no others. */
function listNewReleases(
  releases: readonly ReleaseSummary[],
  { fromMs, toMs }: PeriodQuery,
): PeriodFacts["releases"] {
  const hasTrusted = releases.some(({ trust }) => isTrusted(trust));
  return releases
    .filter(({ trust }) => isTrusted(trust) === hasTrusted)
    .flatMap(({ name, firstSeenMs = -1 }) =>
      firstSeenMs >= fromMs && firstSeenMs < toMs ? { name, firstSeenMs } : [],
    )
    .sort((a, b) => a.firstSeenMs - b.firstSeenMs)
    .slice(0, PERIOD_LIMITS.releases);
}

/** The UTC days from `sinceMs` to `nowMs`. */
function listDays(sinceMs: number, nowMs: number): readonly string[] {
  const count = Math.floor(nowMs / DAY_MS) - Math.floor(sinceMs / DAY_MS) + 1;
  return Array.from({ length: count }, (_, n) => toUtcDay(sinceMs + n * DAY_MS));
}
