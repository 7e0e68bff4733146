/**
 * The facts of a project that alerts are about. Leaves out public issues and releases if there are
 * trusted ones: strangers can invent releases, and hide that servers stopped. Pure.
 */
import { listHours, MAX_HOURS } from "../../../core/alerts/judging/hourly-counts.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import { getCrashFreePercent } from "../../../core/stats/crash-free.ts";
import type { StoreHealth } from "../../../core/stats/store-health.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import type { ProjectFacts } from "../../rpc/alerts-rpc.ts";

/** The facts at `nowMs`, from the newest issues. */
export function toProjectFacts(
  issues: readonly Issue[],
  releases: readonly ReleaseSummary[],
  { shards, snapshots }: StoreHealth,
  nowMs: number,
): ProjectFacts {
  const hours = new Array<number>(MAX_HOURS).fill(0);
  const judgedIssues = preferTrusted(issues, ({ trust }) => isTrusted(trust));
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
    releases: preferTrusted(releases, (release) => release.isTrusted).flatMap((release) => {
      const { name, sessions } = release;
      const percent = getCrashFreePercent(release);
      if (sessions === undefined || percent === undefined) return [];
      return [{ name, sessions: sessions.started, percent }];
    }),
    reportedReleases: releases.flatMap(({ name, issueCount }) => (issueCount > 0 ? name : [])),
    budgets: budgets.map(({ name, usedToday: used, perDay }) => ({ name, used, perDay })),
  };
}

function preferTrusted<T>(all: readonly T[], isOne: (one: T) => boolean): readonly T[] {
  const trusted = all.filter(isOne);
  return trusted.length > 0 ? trusted : all;
}
