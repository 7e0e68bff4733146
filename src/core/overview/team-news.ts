/** What the team did last, for the home page. Pure. */
import type { ActivityEntry } from "../issue/annotations.ts";
import type { Digest } from "../report.ts";
import { HOUR_MS } from "../utc-time.ts";
import type { TeamNews } from "./project-overview.ts";

/** The activity of an issue. */
export interface ActiveIssue {
  readonly digest: Digest;
  readonly title: string;
  readonly activity: readonly ActivityEntry[];
}

const SHOWN: readonly string[] = [
  "resolved",
  "assigned",
  "commented",
  "snoozed",
  "archived",
  "opened",
  "merged",
] satisfies TeamNews["action"][];

const TEXT_CHARS = 60;

/**
 * The last actions of members besides `me`, the newest first, at most `count`. Equal actions of one
 * person within an hour are one entry, with the number of issues.
 */
export function listTeamNews(
  issues: readonly ActiveIssue[],
  me: string | undefined,
  sinceMs: number,
  count: number,
): readonly TeamNews[] {
  const all = issues
    .flatMap((issue) => issue.activity.flatMap((entry) => toNews(issue, entry) ?? []))
    .filter(({ by, atMs }) => by !== me && atMs >= sinceMs)
    .sort((a, b) => b.atMs - a.atMs);
  const news: TeamNews[] = [];
  const digests: Set<Digest>[] = [];
  for (const one of all) {
    const at = news.findIndex((known) => isSameDeed(known, one));
    const seen = at < 0 ? undefined : digests[at];
    const known = news[at];
    if (seen === undefined || known === undefined) {
      news.push(one);
      digests.push(new Set([one.digest]));
    } else {
      seen.add(one.digest);
      news[at] = { ...known, issues: seen.size };
    }
  }
  return news.slice(0, count);
}

function toNews({ digest, title }: ActiveIssue, entry: ActivityEntry): TeamNews | undefined {
  const { action, by, atMs } = entry;
  if (by === undefined || !SHOWN.includes(action)) return undefined;
  return {
    by,
    action: action as TeamNews["action"],
    atMs,
    digest,
    title,
    issues: 1,
    ...(entry.action === "resolved" && { release: entry.release }),
    ...(entry.action === "assigned" && { to: entry.to }),
    ...(entry.action === "commented" && { text: entry.text.slice(0, TEXT_CHARS) }),
  };
}

function isSameDeed(a: TeamNews, b: TeamNews): boolean {
  return (
    a.by === b.by &&
    a.action === b.action &&
    a.action !== "commented" &&
    a.release === b.release &&
    a.to === b.to &&
    a.atMs - b.atMs < HOUR_MS
  );
}
