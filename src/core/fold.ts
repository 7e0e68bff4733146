/**
 * How a report changes its issue: pure, so that counts can be checked, rebuilt and replayed. The index folds every mark
 * exactly once. Counts, days and times do not depend on the order of marks; what the issue is called does (its first).
 */
import { ERASED } from "./erased.ts";
import type { DayCounts, Issue, IssueSummary, Mark } from "./issue.ts";
import { limits } from "./limits.ts";
import { present } from "./present.ts";
import { countTop, type Tops } from "./tops.ts";
import { addVisitors, countVisitors } from "./visitors.ts";

const MAX_DAYS = 30;
const MAX_HOURS = 72;
const RECENT_DAYS = 14;

/** The UTC day of a moment: `2026-11-21`. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The UTC hour of a moment: `2026112117`. */
export function hourOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 13).replace(/[-T]/g, "");
}

/**
 * The issue after one more report. `issue` is undefined for the first report of a digest. A linked report (a browser that
 * was shown the digest) adds to `linked` and is no occurrence; it also never decides what the issue is called, unless there
 * is nothing else yet.
 */
export function foldMark(issue: Issue | undefined, mark: Mark, nowMs: number): Issue {
  const before = issue ?? emptyIssue(mark);
  const named = mark.linked && issue !== undefined ? before : namedBy(mark, before);
  const { times = 1, untilMs = mark.atMs } = mark;
  const occurred = mark.linked ? 0 : times;
  return {
    ...named,
    count: before.count + occurred,
    linked: before.linked + (times - occurred),
    silent: before.silent + (mark.silent === true ? times : 0),
    firstSeenMs: Math.min(before.firstSeenMs, mark.atMs),
    lastSeenMs: Math.max(before.lastSeenMs, untilMs),
    // What is counted without a body has nothing to be looked at.
    latest:
      mark.times === undefined
        ? newestOfEachKind([shownMark(mark), ...before.latest])
        : before.latest,
    aliases: [...new Set([...(mark.aliases ?? []), ...before.aliases])].slice(
      0,
      limits.maxAliasesPerIssue,
    ),
    ...(occurred > 0 && occurrencesOf(before, mark, occurred)),
    ...(mark.visitors !== undefined && { visitors: addVisitors(before.visitors, mark.visitors) }),
    asOfMs: nowMs,
  };
}

/** The part of an issue that lists show. */
export function summaryOf(issue: Issue): IssueSummary {
  const { digest, kind, type, message, where, route, release, environment, state, noise } = issue;
  const { count, linked, firstSeenMs, lastSeenMs, visitors, decision, assignee, blocked } = issue;
  const people = visitors === undefined ? undefined : countVisitors(visitors);
  return {
    ...{ digest, kind, type, message, state, count, linked, firstSeenMs, lastSeenMs },
    recentDays: issue.days.slice(-RECENT_DAYS),
    ...present({ where, route, release, environment, noise, people, decision, assignee, blocked }),
  };
}

/** Occurrences on the seven UTC days that end with the day of `nowMs`. */
export function occurrencesOfWeek(issue: Pick<Issue, "days">, nowMs: number): number {
  const from = dayOf(nowMs - 6 * 86_400_000);
  const to = dayOf(nowMs);
  return issue.days.reduce(
    (sum, [day, count]) => (day >= from && day <= to ? sum + count : sum),
    0,
  );
}

function shownMark(seen: Mark): Mark {
  const { trace: _trace, pageTrace: _page, keyed: _keyed, visitors: _visitors, ...told } = seen;
  const { tags: _tags, ...mark } = told;
  return mark;
}

function emptyIssue(mark: Mark): Issue {
  return {
    v: 1,
    digest: mark.digest,
    kind: mark.kind,
    type: mark.type,
    message: mark.message,
    ...(mark.noise !== undefined && { noise: mark.noise }),
    state: "open",
    count: 0,
    linked: 0,
    silent: 0,
    firstSeenMs: mark.atMs,
    lastSeenMs: mark.atMs,
    latest: [],
    aliases: [],
    days: [],
    asOfMs: mark.atMs,
  };
}

/** The newest occurrences, linked reports and words of people: none pushes another out. */
export function newestOfEachKind(marks: readonly Mark[]): readonly Mark[] {
  const each = limits.latestReports;
  const left = { own: each, linked: each, written: each };
  return [...marks]
    .sort((a, b) => b.atMs - a.atMs)
    .filter(({ linked, kind }) => {
      return left[linked ? (kind === "feedback" ? "written" : "linked") : "own"]-- > 0;
    });
}

/**
 * The issue as it is called then: by the occurrence that came first; release and environment by the newest one, the first release by
 * the earliest.
 */
function namedBy(mark: Mark, before: Issue): Issue {
  const newest = mark.atMs >= before.lastSeenMs;
  // Of a report that was erased nobody knows what it said.
  const first = before.count === 0 || before.message === ERASED;
  const earliest = before.count === 0 || mark.atMs < before.firstSeenMs;
  return {
    ...(first ? calledAs(mark, before) : before),
    ...(earliest && mark.release !== undefined && { firstRelease: mark.release }),
    ...(newest && mark.release !== undefined && { release: mark.release }),
    ...(newest && mark.environment !== undefined && { environment: mark.environment }),
  };
}

/** Nothing stays of what another report was called. */
function calledAs(
  mark: Mark,
  { where: _where, route: _route, blocked: _by, ...rest }: Issue,
): Issue {
  const { kind, type, message, where, route, blocked } = mark;
  return { ...rest, kind, type, message, ...present({ where, route, blocked }) };
}

/** What is counted of occurrences: when, and what they have in common. */
function occurrencesOf(before: Issue, mark: Mark, times: number): Partial<Issue> {
  const { atMs, untilMs = atMs, release, environment, browser, route } = mark;
  const seen = { times, fromMs: atMs, untilMs };
  const top = (tops: Tops | undefined, name: string | undefined) =>
    name === undefined ? tops : countTop(tops, name, seen);
  return {
    ...withCounts(
      countAt(before.days, dayOf(atMs), times),
      countAt(before.hours ?? [], hourOf(atMs), times),
    ),
    ...present({
      releases: top(before.releases, release),
      environments: top(before.environments, environment),
      browsers: top(before.browsers, browser),
      pages: top(before.pages, route),
      tags: mark.times === undefined ? tagTops(before.tags, mark, seen) : before.tags,
    }),
  };
}

/** Tags are counted of reports whose bodies are kept; a key that comes late finds no place. */
function tagTops(
  before: Issue["tags"],
  { tags = [] }: Mark,
  seen: { times: number; fromMs: number; untilMs: number },
): Issue["tags"] {
  const all = new Map(Object.entries(before ?? {}));
  for (const [key, value] of tags) {
    const hasRoom = all.has(key) || all.size < limits.tagKeysPerIssue;
    if (hasRoom) all.set(key, countTop(all.get(key), value, seen));
  }
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

/** The newest moments of an issue with their counts, oldest first. */
export function withCounts(days: DayCounts, hours: DayCounts): Pick<Issue, "days" | "hours"> {
  return { days: newest(days, MAX_DAYS), hours: newest(hours, MAX_HOURS) };
}

function countAt(counts: DayCounts, moment: string, times: number): DayCounts {
  const all = new Map(counts);
  all.set(moment, (all.get(moment) ?? 0) + times);
  return [...all];
}

function newest(counts: DayCounts, max: number): DayCounts {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-max);
}
