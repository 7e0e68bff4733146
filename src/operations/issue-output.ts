/**
 * Issues as programs read them: summaries in lists, and one issue. Written for programs; the stored
 * shapes may change without these.
 */
import * as v from "valibot";
import { formatGrouping } from "../core/grouping/explain-grouping.ts";
import { getCurrentState } from "../core/issue/decision.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { toPlaceKey } from "../core/place/issue-place.ts";
import { listPlaces } from "../core/place/stack-counts.ts";
import { REPORT_LEVELS } from "../core/report/level.ts";
import { formatTitle } from "../core/report/title.ts";
import { type NoiseRule, REPORT_KINDS } from "../core/report.ts";
import { countNetworks } from "../core/stats/network-sketch.ts";
import { countUsers } from "../core/stats/trust-counts.ts";
import {
  byErrata,
  byMember,
  list,
  reported,
  reportedByAnyone,
  trustLevel,
  tuple,
} from "./provenance.ts";

/** Every state of an issue. */
export const ISSUE_STATES = ["open", "resolved", "ignored", "muted"] as const;

const NOISE_RULES = [
  "extension",
  "injected",
  "translated",
  "errata",
] as const satisfies readonly NoiseRule[];

/** Unix time in ms, a count, or another number. */
export const number = v.number();
const flag = v.literal(true);
/** The keys of a set, as the options of a list. */
const keysOf = <Key extends string>(set: Readonly<Record<Key, unknown>>) =>
  v.picklist(Object.keys(set) as Key[]);
export const reportKind = keysOf(REPORT_KINDS);
export const noiseRule = v.picklist(NOISE_RULES);

/** `["2026-11-21", 12]`, oldest first. */
const timeCounts = list(tuple([byErrata("A UTC day or hour"), number]));

const decision = v.strictObject({
  state: v.picklist(ISSUE_STATES),
  atMs: number,
  release: v.optional(byMember("The release with the fix")),
  inNextRelease: v.optional(flag),
  untilMs: v.optional(number),
  untilCount: v.optional(number),
  forCount: v.optional(number),
  regressedAtMs: v.optional(number),
  regressedInRelease: v.optional(reportedByAnyone("The release in which it occurred again")),
  resolvedInRelease: v.optional(byMember("The release in which it had been resolved")),
  trust: v.optional(trustLevel),
});

const place = {
  file: reported("The original source file"),
  line: number,
  function: v.optional(reported("The function")),
};

/** The members that every issue has, in a list and alone. */
const shared = {
  digest: byErrata("The digest of the issue"),
  kind: reportKind,
  trust: trustLevel,
  type: reported("The type of the error, or the violated rule"),
  message: reported("The message"),
  otherErrors: v.optional(number),
  culprit: v.optional(reported("Function and file that threw")),
  place: v.optional(v.strictObject(place)),
  route: v.optional(reported("The route of the request")),
  release: v.optional(reported("The newest release")),
  environment: v.optional(reported("The environment")),
  blockedUri: v.optional(reported("The resource that a policy blocked")),
  noise: v.optional(noiseRule),
  state: v.picklist(ISSUE_STATES),
  decision: v.optional(decision),
  assignee: v.optional(byMember("The assignee")),
  count: number,
  publicCount: number,
  pageCount: number,
  linkedCount: number,
  userCount: v.optional(number),
  networkCount: v.optional(number),
  publicOrigin: v.optional(
    v.strictObject({ key: byErrata("The id of an ingest key"), atMs: number }),
  ),
  firstSeenMs: number,
  lastSeenMs: number,
};

/** An issue in a list. */
export const issueSummary = v.strictObject({ ...shared, recentDays: v.optional(timeCounts) });

const topValues = v.optional(
  v.strictObject({
    values: list(tuple([reported("The value"), number, number, number])),
    otherCount: number,
  }),
);

const grouping = v.strictObject({
  version: number,
  parts: list(
    v.strictObject({
      role: byErrata("What the part is: message, function"),
      value: reportedByAnyone("The part"),
      of: v.optional(v.picklist(["cause", "member"])),
    }),
  ),
  splitFrom: v.optional(byErrata("The digest without the part stack")),
});

/** A report in the list of its issue. */
const reportSummary = v.strictObject({
  id: byErrata("The id of the report"),
  trust: trustLevel,
  isLinked: v.boolean(),
  kind: reportKind,
  side: v.picklist(["server", "browser"]),
  atMs: number,
  type: reported("The type of the error"),
  message: reported("The message"),
  otherErrors: v.optional(number),
  culprit: v.optional(reported("Function and file that threw")),
  dist: v.optional(reported("The distribution of the release")),
  route: v.optional(reported("The route")),
  url: v.optional(reported("The URL of the request or page")),
  release: v.optional(reported("The release")),
  environment: v.optional(reported("The environment")),
  browser: v.optional(reported("The browser")),
  level: v.optional(keysOf(REPORT_LEVELS)),
  isSilent200: v.optional(v.boolean()),
  author: v.optional(reported("The author of feedback")),
  aliases: v.optional(list(reported("A foreign code"))),
  noise: v.optional(noiseRule),
  tags: v.optional(list(tuple([reported("The key"), reported("The value")]))),
  blockedUri: v.optional(reported("The resource that a policy blocked")),
  occurrences: v.optional(number),
  lastAtMs: v.optional(number),
});

const issueMembers = {
  ...shared,
  title: reported("Type and message in one line"),
  firstSeen: byErrata("The first report, as ISO 8601"),
  lastSeen: byErrata("The last report, as ISO 8601"),
  asOfMs: number,
  groupedBy: v.optional(reported("Why its reports are together, as a sentence")),
  grouping: v.optional(grouping),
  mergedGroupings: v.optional(v.record(byErrata("The digest of a merged issue"), grouping)),
  mergedDigests: v.optional(list(byErrata("The digest of an issue that was merged into it"))),
  splitOff: v.optional(list(byErrata("The digest of an issue that was split off again"))),
  aliases: list(reportedByAnyone("A foreign code that leads to the issue")),
  trustedAliasCount: v.optional(number),
  serverAliasCount: v.optional(number),
  firstRelease: v.optional(reported("The release of the first report")),
  silent200Count: number,
  days: timeCounts,
  hours: v.optional(timeCounts),
  lowerDays: v.optional(timeCounts),
  lowerHours: v.optional(timeCounts),
  releases: topValues,
  environments: topValues,
  browsers: topValues,
  pages: topValues,
  levels: topValues,
  tags: v.optional(v.record(reported("The key of a tag"), v.nonOptional(topValues))),
  places: v.optional(
    list(
      v.strictObject({
        ...place,
        release: v.optional(reported("The release")),
        count: number,
        firstSeen: byErrata("As ISO 8601"),
        lastSeen: byErrata("As ISO 8601"),
        reportIds: list(byErrata("The id of a stored report")),
        key: reported("Names the place in the parameter place"),
      }),
    ),
  ),
  latestReports: list(reportSummary),
};

/** One issue, without its reports and annotations. */
export const issueOutput = v.strictObject(issueMembers);
/** The issue after a change, with the id of the change. */
export const changedIssue = v.strictObject({
  ...issueMembers,
  change: byErrata("The id of the change, for changes.undo"),
});

/** A summary with its state at `nowMs`. */
export function toIssueSummary(
  issue: IssueSummary,
  nowMs: number,
): v.InferOutput<typeof issueSummary> {
  return { ...issue, state: getCurrentState(issue, nowMs) };
}

/** An issue with its state at `nowMs`, and its places in the original source. */
export function toIssueOutput(issue: Issue, nowMs: number): v.InferOutput<typeof issueOutput> {
  const places = listPlaces(issue.stacks);
  return {
    ...issue,
    title: formatTitle(issue),
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
    state: getCurrentState(issue, nowMs),
    userCount: countUsers(issue) || undefined,
    networkCount: countNetworks(issue.networkSketch) || undefined,
    groupedBy: issue.grouping && formatGrouping(issue.grouping),
    places:
      places.length === 0
        ? undefined
        : places.map(({ firstMs, lastMs, reports, ...counted }) => ({
            ...counted,
            firstSeen: new Date(firstMs).toISOString(),
            lastSeen: new Date(lastMs).toISOString(),
            reportIds: reports.map(([id]) => id),
            key: toPlaceKey(counted),
          })),
  };
}
