/**
 * An issue: all reports with the same digest. The index, the snapshots in KV, pages and JSON share
 * this shape. Stored (version 2, `issue-versions.ts`): fields may be added, never renamed. Types
 * derive from the schemas.
 */

import * as v from "valibot";
import { issueSkewSchema } from "../deploy-skew/deploy-skew.ts";
import { limits } from "../limits.ts";
import { placeSchema } from "../place/issue-place.ts";
import { stackCountsSchema } from "../place/stack-counts.ts";
import { reportSummarySchema } from "../report/report-summary.ts";
import { groupingSchema, kindSchema, noiseSchema, shortText, trustSchema } from "../report.ts";
import {
  choice,
  code,
  count,
  extendObject,
  flag,
  list,
  number,
  positiveCount,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  tuple,
  valuesByName,
  version2,
} from "../schema/stored-object.ts";
import { STATE_NAMES } from "./issue-states.ts";
import { topValuesSchema } from "./top-values.ts";
import { issueTrackerSchema } from "./tracker-link.ts";

/** A state of `issue-states.ts`. The decision holds its conditions. */
export const stateSchema = /* @__PURE__ */ choice(STATE_NAMES);

const release = /* @__PURE__ */ text(limits.maxReleaseChars);

/** What ends a snooze besides a time and a count, which `getCurrentState` compares. */
export const SNOOZE_ENDS = ["escalation", "users", "release"] as const;

/** The state that a person set. Stored (version 2): fields may be added, never renamed. */
export type Decision = StoredValue<typeof decisionSchema>;
export const decisionSchema = /* @__PURE__ */ storedObject({
  v: version2,
  state: stateSchema,
  atMs: timeMs,
  /** The release that contains the fix: occurrences in earlier releases are not regressions. */
  release: v.optional(release),
  /** The fix is in the first release that is first seen after the decision. */
  inNextRelease: v.optional(flag),
  /** Snoozed until this time, ms. */
  untilMs: v.optional(timeMs),
  /** Snoozed until the issue has this many occurrences. */
  untilCount: v.optional(positiveCount),
  /** How many more occurrences that was when the issue was snoozed. */
  forCount: v.optional(positiveCount),
  /** Snoozed until the issue has this many users of its level (`countUsers`). */
  untilUsers: v.optional(positiveCount),
  forUsers: v.optional(positiveCount),
  /** Snoozed until an alert would call the issue escalating. */
  untilEscalation: v.optional(flag),
  /** The occurrences of its level then, from which a young issue escalates. */
  fromCount: v.optional(count),
  /** The escalation that the issue was in then: only a worse or another one ends the snooze. */
  escalation: v.optional(storedObject({ atMs: timeMs, limit: number, value: v.optional(number) })),
  /** Snoozed until a release that is first seen after the decision, and later than `afterRelease`. */
  untilNextRelease: v.optional(flag),
  afterRelease: v.optional(release),
  /** When a report ended the snooze, how, and the figures of the alert or the release. */
  endedAtMs: v.optional(timeMs),
  endedBy: v.optional(choice(SNOOZE_ENDS)),
  endedValue: v.optional(number),
  endedUsual: v.optional(number),
  endedInRelease: v.optional(release),
  /** A resolved issue that occurred again is open: when, and in which release. */
  regressedAtMs: v.optional(timeMs),
  regressedInRelease: v.optional(release),
  /** The release in which it had been resolved. */
  resolvedInRelease: v.optional(release),
  /**
   * The level of the issue then; absent for `public`. Of lower reports, only public ones from
   * several networks reopen the issue.
   */
  trust: v.optional(trustSchema),
  /** The networks of public reports that would reopen the resolved issue, as a sketch. */
  publicNetworks: v.optional(code("networkSketch")),
});

/** The id of the key of the public report that began an issue, and when it was received. */
export type PublicOrigin = StoredValue<typeof originSchema>;
const originSchema = /* @__PURE__ */ storedObject({ key: code("senderKey"), atMs: timeMs });

/** `["2026-11-21", 12]`, oldest first; days without occurrences are omitted. */
export type DayCounts = StoredValue<typeof dayCountsSchema>;
const dayCountsSchema = /* @__PURE__ */ list(tuple([code(), number]));

/** One row of the issue list. Occurrences are reports of the error itself. */
export type IssueSummary = StoredValue<typeof issueSummarySchema>;
export const issueSummarySchema = /* @__PURE__ */ storedObject({
  count: number,
  /** How many of them came from public reports, and how many from page reports. */
  publicCount: number,
  pageCount: number,
  digest: code("digest"),
  kind: kindSchema,
  type: text(),
  message: text(),
  /** As in a report summary. */
  otherErrors: v.optional(number),
  culprit: v.optional(text()),
  /**
   * The most frequent place of failure in the original source, in its newest release; `formatPlace`
   * formats it. Absent until a source map resolves a stack.
   */
  place: v.optional(placeSchema),
  route: v.optional(text()),
  release: v.optional(text()),
  environment: v.optional(text()),
  /** The state at `asOfMs` of the list or issue; `getCurrentState` computes it for any time. */
  state: stateSchema,
  /**
   * The highest level of its occurrences; without occurrences, of its linked reports. Only reports
   * of this level describe the issue (`describe-issue.ts`).
   */
  trust: trustSchema,
  /** Absent until a member sets the state. */
  decision: v.optional(decisionSchema),
  /** The rule that filtered the issue as noise. */
  noise: v.optional(noiseSchema),
  /** Estimated number of affected users (`countUsers`); absent for none. */
  userCount: v.optional(number),
  /** Networks of its public reports, at most `MAX_NETWORKS`; absent if none is known. */
  networkCount: v.optional(number),
  /** How the issue began, if a public report with a known key began it. */
  publicOrigin: v.optional(originSchema),
  /**
   * Reports linked by something other than their grouping: a digest that was shown, a foreign code,
   * a trace, feedback. They are not occurrences.
   */
  linkedCount: number,
  firstSeenMs: timeMs,
  /** The last occurrence; without occurrences, the last linked report. */
  lastSeenMs: timeMs,
  /** Occurrences of all levels on the newest thirty days that have any; only in summaries. */
  recentDays: v.optional(dayCountsSchema),
  /**
   * When it last occurred far more often than usual, its rate per hour, and the usual rate; 0 for
   * an issue that is less than a day old (`escalating.ts`).
   */
  escalation: v.optional(storedObject({ atMs: timeMs, value: number, usual: number })),
  /**
   * The newest UTC hour with occurrences, as hours since 1970, and the occurrences of all levels in
   * it and in the hours before it, newest first, for a day: `[498312, 12, 0, 3]`. Only in summaries.
   */
  recentHours: v.optional(list(number)),
  /** The assignee, as free text. */
  assignee: v.optional(text()),
  /** The issue of a tracker that it is linked to. */
  tracker: v.optional(issueTrackerSchema),
  /** Set while a change that fixes the issue is proposed or merged (`fix-record.ts`). */
  fixMark: v.optional(choice(["proposed", "merged"])),
  blockedUri: v.optional(text()),
});

const watermarksSchema = /* @__PURE__ */ valuesByName(code(), number);

/** An issue with its newest reports, newest first. */
export type Issue = Omit<StoredValue<typeof issueSchema>, "networkCount">;
export const issueSchema = /* @__PURE__ */ extendObject(issueSummarySchema, {
  v: version2,
  /** The affected users that reports of each level named (`UserSketches`). */
  serverUserSketch: v.optional(code("userSketch")),
  pageUserSketch: v.optional(code("userSketch")),
  publicUserSketch: v.optional(code("userSketch")),
  /** The networks of its public reports, including linked ones (`network-sketch.ts`). */
  networkSketch: v.optional(code("networkSketch")),
  latestReports: list(reportSummarySchema),
  /**
   * The foreign codes that lead to the issue: those of `server` reports, then of `page`, then of
   * `public`, each newest first.
   */
  aliases: list(shortText),
  /** How many of `aliases` came with trusted reports; absent for none. */
  trustedAliasCount: v.optional(number),
  /** How many of these came with `server` reports; absent for none. */
  serverAliasCount: v.optional(number),
  /**
   * Occurrences of the issue's own level per UTC day, `["2026-11-21", 12]`, oldest first, at most
   * 30 days.
   */
  days: dayCountsSchema,
  /**
   * Occurrences of the issue's own level per UTC hour, `["2026112117", 12]`, oldest first, at most
   * 72 hours.
   */
  hours: v.optional(dayCountsSchema),
  /** The same for occurrences below the issue's own level; absent if there are none. */
  lowerDays: v.optional(dayCountsSchema),
  lowerHours: v.optional(dayCountsSchema),
  /** Occurrences by common values; absent if no report had one. */
  releases: v.optional(topValuesSchema),
  environments: v.optional(topValuesSchema),
  browsers: v.optional(topValuesSchema),
  pages: v.optional(topValuesSchema),
  /** By severity, without `error` (`describe-issue.ts`). */
  levels: v.optional(topValuesSchema),
  /** Occurrences by the stacks that they sent, with their places in the original source. */
  stacks: v.optional(stackCountsSchema),
  /** The values of each tag; the first `limits.tagKeysPerIssue` keys. */
  tags: v.optional(valuesByName(text(), topValuesSchema)),
  /** The release of the earliest occurrence. */
  firstRelease: v.optional(release),
  /**
   * Why its reports are together, truncated as in a summary. Absent until an occurrence has it.
   */
  grouping: v.optional(groupingSchema),
  /** The same of the first `limits.mergedGroupingsPerIssue` issues merged into this one. */
  mergedGroupings: v.optional(valuesByName(code("digest"), groupingSchema)),
  /** Digests of issues merged into this one. Their counts are included here. */
  mergedDigests: v.optional(list(code("digest"))),
  /** Digests of issues split off again. Their counts until the split are included here. */
  splitOff: v.optional(list(code("digest"))),
  /** How often a failed request got a success status. */
  silent200Count: number,
  /** Occurrences that are deploy skew; absent for none. */
  skew: v.optional(issueSkewSchema),
  /** When this snapshot was taken. */
  asOfMs: timeMs,
  /**
   * In a snapshot: the log position of each shard up to which reports are counted. An index can be
   * rebuilt from it after the reports expire.
   */
  watermarks: v.optional(watermarksSchema),
  /**
   * Only during a rebuild: the watermarks of each issue merged into this one, where they differ.
   */
  mergedWatermarks: v.optional(valuesByName(code("digest"), watermarksSchema)),
});

/** A page of the issue list, newest first. */
export type IssueList = StoredValue<typeof issueListSchema>;
export const issueListSchema = /* @__PURE__ */ storedObject({
  v: version2,
  issues: list(issueSummarySchema),
  total: number,
  /** Number of noise issues, which this list excludes. */
  noiseTotal: v.optional(number),
  asOfMs: timeMs,
});
