/** Records which releases were seen, and when: a regression depends on it. Synchronous. */
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import {
  type CounterName,
  type DailyCounters,
  isOverflowRelease,
} from "../../../core/stats/counters.ts";
import { TRUST_LEVELS } from "../../../core/trust/trust.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** Records the release of a report, or those of the sessions that counters count. */
export function recordReleases(tables: Pick<IndexTables, "releases">, row: SequencedItem): void {
  if ("summary" in row) recordReported(tables, row.summary);
  else recordSessions(tables, row.dailyCounters);
}

function recordReported({ releases }: Pick<IndexTables, "releases">, summary: ReportSummary) {
  const { release, atMs, position, trust } = summary;
  if (release !== undefined) releases.recordSeen(release, atMs, hourToDay(position), trust);
}

/** A session has no time. Its release counts as seen when the log counted the session. */
function recordSessions(
  { releases }: Pick<IndexTables, "releases">,
  { day, atMs, counters }: DailyCounters,
): void {
  if (atMs === undefined) return;
  for (const [name] of counters) {
    const trust = TRUST_LEVELS.find((level) => level === name[1]);
    const release = getSessionRelease(name);
    if (trust !== undefined && release !== undefined)
      releases.recordSeen(release, atMs, day, trust);
  }
}

/** Undefined for other counters, and if the name of the release was truncated or replaced. */
function getSessionRelease([first, , release = "", environment]: CounterName): string | undefined {
  const isTruncated = release.length >= limits.maxCounterPartChars;
  return first !== "session" ||
    release === "" ||
    isOverflowRelease(release, environment) ||
    isTruncated
    ? undefined
    : release;
}
