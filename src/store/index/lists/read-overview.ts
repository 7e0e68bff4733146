/** Reads the figures and lists of the home page. Bounded work, synchronous. */

import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import type { ProjectOverview } from "../../../core/overview/project-overview.ts";
import { DAY_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { listReleases } from "../state/release-summaries.ts";
import type { IssueLists } from "./issue-lists.ts";

const REGRESSED = parseIssueQuery("is:regressed");

export function readOverview(
  tables: Pick<IndexTables, "issues" | "counters" | "releases">,
  lists: Pick<IssueLists, "listPage" | "countAffectedUsers" | "findNew">,
  nowMs: number,
  [sinceMs, days, count]: readonly [sinceMs: number, days: number, count: number],
): ProjectOverview {
  return {
    counters: tables.counters.listSince(toUtcDay(nowMs - (days - 1) * DAY_MS)),
    releases: listReleases(tables, nowMs),
    affectedUsers: lists.countAffectedUsers(sinceMs),
    newIssues: lists.findNew(sinceMs, count, nowMs),
    regressedIssues: lists.listPage(REGRESSED, undefined, nowMs, count),
  };
}
