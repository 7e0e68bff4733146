/**
 * Issues as programs read them: summaries in lists, and one issue. Written for programs; the stored
 * shapes may change without these.
 */
import * as v from "valibot";
import { formatGrouping } from "../core/grouping/explain-grouping.ts";
import { getCurrentState } from "../core/issue/decision.ts";
import { type Issue, type IssueSummary, SNOOZE_ENDS, stateSchema } from "../core/issue/issue.ts";
import { toPlaceKey } from "../core/place/issue-place.ts";
import { listPlaces } from "../core/place/stack-counts.ts";
import { REPORT_LEVELS } from "../core/report/level.ts";
import { formatTitle } from "../core/report/title.ts";
import { kindSchema, noiseSchema, sideSchema } from "../core/report.ts";
import { choice, list, tuple, valuesByName, variant } from "../core/schema/stored-object.ts";
import { countNetworks } from "../core/stats/network-sketch.ts";
import { countUsers } from "../core/stats/trust-counts.ts";
import { formatRfc3339 } from "../core/utc-time.ts";
import {
  byErrata,
  byMember,
  isoTime,
  reported,
  reportedByAnyone,
  selectDeclared,
  time,
  toNode,
  trustLevel,
} from "./provenance.ts";

/** Unix time in ms, a count, or another number. */
export const number = v.number();
export const flag = v.literal(true);
export const reportKind = kindSchema;
export const noiseRule = noiseSchema;
export const side = sideSchema;

/** `["2026-11-21", 12]`, oldest first. */
export const timeCounts = list(tuple([byErrata("A UTC day or hour"), number]));

/** What the team decided about an issue. */
export const decision = v.strictObject({
  state: stateSchema,
  atMs: time,
  release: v.optional(byMember("The release with the fix")),
  inNextRelease: v.optional(flag),
  untilMs: v.optional(time),
  untilCount: v.optional(number),
  forCount: v.optional(number),
  untilUsers: v.optional(number),
  forUsers: v.optional(number),
  untilEscalation: v.optional(flag),
  fromCount: v.optional(number),
  escalation: v.optional(v.strictObject({ atMs: time, limit: number, value: v.optional(number) })),
  untilNextRelease: v.optional(flag),
  afterRelease: v.optional(reportedByAnyone("The release of the issue when it was snoozed")),
  endedAtMs: v.optional(time),
  endedBy: v.optional(v.picklist(SNOOZE_ENDS)),
  endedValue: v.optional(number),
  endedUsual: v.optional(number),
  endedInRelease: v.optional(reportedByAnyone("The later release")),
  regressedAtMs: v.optional(time),
  regressedInRelease: v.optional(reportedByAnyone()),
  resolvedInRelease: v.optional(byMember()),
  trust: v.optional(trustLevel),
});

/** The issue of a tracker that an issue is linked to. */
export const issueTracker = v.strictObject({
  url: byMember(),
  label: byMember("Its name there: acme/shop#12, ENG-12"),
  tracker: v.optional(byErrata("The id of the connection that follows it")),
});

const place = {
  file: reported(),
  line: number,
  function: v.optional(reported()),
};

/** The members that every issue has, in a list and alone. */
const shared = {
  digest: byErrata(),
  kind: reportKind,
  trust: trustLevel,
  type: reported("The type of the error, or the violated rule"),
  message: reported(),
  otherErrors: v.optional(number),
  culprit: v.optional(reported("Function and file that threw")),
  place: v.optional(v.strictObject(place)),
  route: v.optional(reported()),
  release: v.optional(reported("The newest release")),
  environment: v.optional(reported()),
  blockedUri: v.optional(reported("The resource that a policy blocked")),
  noise: v.optional(noiseRule),
  state: stateSchema,
  decision: v.optional(decision),
  assignee: v.optional(byMember()),
  tracker: v.optional(issueTracker),
  escalation: v.optional(v.strictObject({ atMs: time, value: number, usual: number })),
  count: number,
  publicCount: number,
  pageCount: number,
  linkedCount: number,
  userCount: v.optional(number),
  networkCount: v.optional(number),
  publicOrigin: v.optional(
    v.strictObject({ key: byErrata("The id of an ingest key"), atMs: time }),
  ),
  firstSeenMs: time,
  lastSeenMs: time,
};

/** An issue in a list. */
export const issueSummary = v.strictObject({ ...shared, recentDays: v.optional(timeCounts) });

/** The most frequent values: each with its count, and when it was first and last seen. */
export const topValues = v.strictObject({
  values: list(tuple([reported(), number, time, time])),
  otherCount: number,
});

/** Why reports are together: the parts of the key. */
export const grouping = v.strictObject({
  version: number,
  parts: list(
    v.strictObject({
      role: byErrata("What the part is: message, function"),
      value: reportedByAnyone(),
      of: v.optional(v.picklist(["cause", "member"])),
    }),
  ),
  splitFrom: v.optional(byErrata("The digest without the part stack")),
});

/** A report in the list of its issue. */
export const reportSummary = v.strictObject({
  id: byErrata(),
  digest: byErrata(),
  trust: trustLevel,
  isLinked: v.boolean(),
  kind: reportKind,
  side,
  atMs: time,
  type: reported(),
  message: reported(),
  otherErrors: v.optional(number),
  culprit: v.optional(reported("Function and file that threw")),
  dist: v.optional(reported()),
  route: v.optional(reported()),
  url: v.optional(reported()),
  release: v.optional(reported()),
  environment: v.optional(reported()),
  browser: v.optional(reported()),
  level: v.optional(choice(REPORT_LEVELS)),
  isSilent200: v.optional(v.boolean()),
  author: v.optional(reported()),
  aliases: v.optional(list(reported())),
  noise: v.optional(noiseRule),
  tags: v.optional(list(tuple([reported(), reported()]))),
  blockedUri: v.optional(reported("The resource that a policy blocked")),
  occurrences: v.optional(number),
  lastAtMs: v.optional(time),
});

/** The members of one issue, without its reports and annotations. */
export const issueMembers = {
  ...shared,
  title: reported("Type and message in one line"),
  firstSeen: isoTime,
  lastSeen: isoTime,
  asOfMs: time,
  groupedBy: v.optional(reportedByAnyone("Why its reports are together, as a sentence")),
  grouping: v.optional(grouping),
  mergedGroupings: v.optional(valuesByName(byErrata(), grouping)),
  mergedDigests: v.optional(list(byErrata("The digest of an issue that was merged into it"))),
  splitOff: v.optional(list(byErrata("The digest of an issue that was split off again"))),
  aliases: list(reportedByAnyone("A foreign code that leads to the issue")),
  trustedAliasCount: v.optional(number),
  serverAliasCount: v.optional(number),
  firstRelease: v.optional(reported("The release of the first report")),
  silent200Count: number,
  skew: v.optional(
    v.strictObject({
      count: number,
      quietCount: number,
      page: v.optional(reportedByAnyone("The release of the last page")),
      deployed: reportedByAnyone("The release that was deployed"),
    }),
  ),
  days: timeCounts,
  hours: v.optional(timeCounts),
  lowerDays: v.optional(timeCounts),
  lowerHours: v.optional(timeCounts),
  releases: v.optional(topValues),
  environments: v.optional(topValues),
  browsers: v.optional(topValues),
  pages: v.optional(topValues),
  levels: v.optional(topValues),
  tags: v.optional(valuesByName(reported(), topValues)),
  places: v.optional(
    list(
      v.strictObject({
        ...place,
        release: v.optional(reported()),
        count: number,
        firstSeen: isoTime,
        lastSeen: isoTime,
        reportIds: list(byErrata()),
        key: reported("Names the place in the parameter place"),
      }),
    ),
  ),
  latestReports: list(reportSummary),
};

const issueOutput = v.strictObject(issueMembers);
/** The issue after a change, with the id of the change. */
export const changedIssue = v.strictObject({
  ...issueMembers,
  change: byErrata("The id of the change, for changes.undo"),
});

const acted = { atMs: time, by: v.optional(byMember()) };

/** What people did with an issue, and what happened to it. */
export const activity = list(
  variant("action", [
    v.strictObject({
      ...acted,
      action: v.literal("commented"),
      id: byErrata(),
      text: byMember(),
    }),
    v.strictObject({ ...acted, action: v.literal("assigned"), to: byMember() }),
    v.strictObject({
      ...acted,
      action: v.picklist(["unassigned", "opened", "archived", "trusted"]),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("resolved"),
      release: v.optional(byMember("The release with the fix")),
      inNextRelease: v.optional(v.literal(true)),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("snoozed"),
      untilMs: v.optional(time),
      untilCount: v.optional(number),
      untilUsers: v.optional(number),
      untilEscalation: v.optional(flag),
      untilNextRelease: v.optional(flag),
      afterRelease: v.optional(reportedByAnyone("The release of the issue then")),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("returned"),
      endedBy: v.picklist(SNOOZE_ENDS),
      endedValue: v.optional(number),
      endedUsual: v.optional(number),
      endedInRelease: v.optional(reportedByAnyone("The later release")),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("regressed"),
      release: v.optional(reportedByAnyone()),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("merged"),
      from: byErrata(),
    }),
    v.strictObject({
      ...acted,
      action: v.literal("split"),
      digest: byErrata(),
    }),
    v.strictObject({
      ...acted,
      action: v.picklist(["linked", "unlinked"]),
      label: byMember("The issue of the tracker, or the host and path of a plain link"),
    }),
  ]),
);

/** What the team did with an issue. */
export const annotationMembers = {
  assignee: v.optional(byMember()),
  mergedInto: v.optional(byErrata("The digest of the issue that it was merged into")),
  splitOff: v.optional(list(v.strictObject({ into: byErrata() }))),
  activity,
};

/** A page of issues, or the newest ones. */
export const issueList = {
  issues: list(issueSummary),
  total: number,
  isTotalCapped: v.optional(flag),
};

/** Title and times in readable form. */
export function toSeenMembers(issue: IssueSummary | Issue) {
  return {
    title: formatTitle(issue),
    firstSeen: formatRfc3339(issue.firstSeenMs),
    lastSeen: formatRfc3339(issue.lastSeenMs),
  };
}

/** A summary with its state at `nowMs`. */
export function toIssueSummary(
  issue: IssueSummary,
  nowMs: number,
): v.InferOutput<typeof issueSummary> {
  return { ...issue, state: getCurrentState(issue, nowMs) };
}

/** A list of issues, each with its state at `nowMs`. */
export function toIssueListOutput<List extends { readonly issues: readonly IssueSummary[] }>(
  listed: List,
  nowMs: number,
) {
  return { ...listed, issues: listed.issues.map((issue) => toIssueSummary(issue, nowMs)) };
}

/** The issues with only declared members, for JSON of pages that are no operations yet. */
export function selectIssues(issues: readonly IssueSummary[], nowMs: number): readonly unknown[] {
  const node = toNode(issueSummary);
  return issues.map((issue) => selectDeclared(node, toIssueSummary(issue, nowMs)));
}

/** An issue with its state at `nowMs`, and its places in the original source. */
export function toIssueOutput(issue: Issue, nowMs: number): v.InferOutput<typeof issueOutput> {
  const places = listPlaces(issue.stacks);
  return {
    ...issue,
    ...toSeenMembers(issue),
    state: getCurrentState(issue, nowMs),
    userCount: countUsers(issue) || undefined,
    networkCount: countNetworks(issue.networkSketch) || undefined,
    groupedBy: issue.grouping && formatGrouping(issue.grouping),
    places:
      places.length === 0
        ? undefined
        : places.map(({ firstMs, lastMs, reports, ...counted }) => ({
            ...counted,
            firstSeen: formatRfc3339(firstMs),
            lastSeen: formatRfc3339(lastMs),
            reportIds: reports.map(([id]) => id),
            key: toPlaceKey(counted),
          })),
  };
}
