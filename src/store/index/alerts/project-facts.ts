/**
 * The facts of a project that alerts are about. Leaves out public issues and releases if there are
 * trusted ones: strangers can invent releases, and hide that servers stopped. Pure.
 */
import { listHours, MAX_HOURS } from "../../../core/alerts/triggers/hourly-counts.ts";
import type { ProjectFacts } from "../../../core/alerts/triggers/trigger.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import { getCrashFreePercent } from "../../../core/stats/crash-free.ts";
import type { StoreHealth } from "../../../core/stats/store-health.ts";
import { isTrusted, type Trust } from "../../../core/trust/trust.ts";

/** The facts at `nowMs`, from the newest issues. */
export function toProjectFacts(
  issues: readonly Issue[],
  releases: readonly ReleaseSummary[],
  { shards, snapshots }: StoreHealth,
  nowMs: number,
): ProjectFacts {
  const hours = new Array<number>(MAX_HOURS).fill(0);
  const judgedIssues = preferTrusted(issues);
  for (const issue of judgedIssues)
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
    ingestion: {
      hours,
      lastSeenMs: Math.max(0, ...judgedIssues.map(({ lastSeenMs }) => lastSeenMs)),
    },
    releases: preferTrusted(releases).flatMap((release) => {
      const { name, sessions } = release;
      const percent = getCrashFreePercent(release);
      if (sessions === undefined || percent === undefined) return [];
      return [{ name, sessions: sessions.started, percent }];
    }),
    reportedReleases: releases.flatMap(({ name, issueCount }) => (issueCount > 0 ? name : [])),
    budgets: budgets.map(({ name, usedToday: used, perDay }) => ({ name, used, perDay })),
  };
}

function preferTrusted<T extends { readonly trust: Trust }>(all: readonly T[]): readonly T[] {
  const trusted = all.filter(({ trust }) => isTrusted(trust));
  return trusted.length > 0 ? trusted : all;
}
