/** The facts of a project that alerts are about. Pure. */
import { listHours, MAX_HOURS } from "../../../core/alerts/judging/hourly-counts.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import { getCrashFreePercent } from "../../../core/stats/crash-free.ts";
import type { StoreHealth } from "../../../core/stats/store-health.ts";
import type { ProjectFacts } from "../../rpc/alerts-rpc.ts";

/** The facts at `nowMs`, from the newest issues. */
export function toProjectFacts(
  issues: readonly Issue[],
  releases: readonly ReleaseSummary[],
  { shards, snapshots }: StoreHealth,
  nowMs: number,
): ProjectFacts {
  const hours = new Array<number>(MAX_HOURS).fill(0);
  for (const issue of issues)
    for (const [i, count] of listHours(issue, nowMs).entries()) hours[i] = (hours[i] ?? 0) + count;
  const budgets = [
    ...shards.map(({ shard, usedToday, perDay }) => ({
      name: `Shard ${shard}`,
      usedToday,
      perDay,
    })),
    { name: "The index", ...snapshots },
  ];
  return {
    rhythm: { hours, lastSeenMs: Math.max(0, ...issues.map(({ lastSeenMs }) => lastSeenMs)) },
    releases: releases.flatMap((release) => {
      const { name, sessions } = release;
      const percent = getCrashFreePercent(release);
      if (sessions === undefined || percent === undefined) return [];
      return [{ name, sessions: sessions.started, percent }];
    }),
    reportedReleases: releases.flatMap(({ name, issueCount }) => (issueCount > 0 ? name : [])),
    budgets: budgets.map(({ name, usedToday: used, perDay }) => ({ name, used, perDay })),
  };
}
