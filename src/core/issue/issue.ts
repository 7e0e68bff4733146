/**
 * An issue: all reports with the same digest. The index, the snapshots in KV, pages and JSON share
 * this shape. Stored (version 1): fields may be added, never renamed. Types derive from the schemas.
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
  version1,
} from "../schema/stored-object.ts";
import { topValuesSchema } from "./top-values.ts";
import { issueTrackerSchema } from "./tracker-link.ts";

/**
 * `resolved` until it occurs again, `ignored` for a time or count, `muted` without end. The
 * `decision` holds the conditions; `getCurrentState` computes the state at a given time.
 */
export type IssueState = StoredValue<typeof stateSchema>;
export const stateSchema = /* @__PURE__ */ choice(["open", "resolved", "ignored", "muted"]);

const release = /* @__PURE__ */ text(limits.maxReleaseChars);

/** The state that a person set. Stored (version 1): fields may be added, never renamed. */
export type Decision = StoredValue<typeof decisionSchema>;
export const decisionSchema = /* @__PURE__ */ storedObject({
  v: version1,
  state: stateSchema,
  atMs: timeMs,
  /** The release that contains the fix: occurrences in earlier releases are not regressions. */
  release: v.optional(release),
  /** The fix is in the first release that is first seen after the decision. */
  inNextRelease: v.optional(flag),
  /** Ignored until this time, ms. */
  untilMs: v.optional(timeMs),
  /** Ignored until the issue has this many occurrences. */
  untilCount: v.optional(positiveCount),
  /** How many more occurrences that was when the issue was ignored. */
  forCount: v.optional(positiveCount),
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
  v: version1,
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
  v: version1,
  issues: list(issueSummarySchema),
  total: number,
  /** Number of noise issues, which this list excludes. */
  noiseTotal: v.optional(number),
  asOfMs: timeMs,
});
