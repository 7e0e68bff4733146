/** Applies one report to the batch: steps 2 to 6 of `apply-log.ts`. */

import { endSnooze } from "../../../core/alerts/triggers/end-snooze.ts";
import { findCurrentEscalation } from "../../../core/alerts/triggers/escalating.ts";
import { judgeSkew } from "../../../core/deploy-skew/deploy-skew.ts";
import { aggregateReport } from "../../../core/issue/aggregate-report.ts";
import { type Annotations, appendActivity } from "../../../core/issue/annotations.ts";
import { reopenForTrust, toDecisionFields } from "../../../core/issue/decision.ts";
import { reopenFix, toFixMark } from "../../../core/issue/fix-record.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import { applyRegression } from "../../../core/issue/regression.ts";
import { toIssueTracker } from "../../../core/issue/tracker-link.ts";
import { hasStack } from "../../../core/place/stack-counts.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { isAtLeast, isTrusted, maxTrust, type Trust } from "../../../core/trust/trust.ts";
import { parseUtcHour } from "../../../core/utc-time.ts";
import { type ParsedPosition, parsePosition } from "../../kv/keys.ts";
import { isBelowWatermark } from "../../kv/watermarks.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { limitNewIssue, toOthers } from "../state/limit-new-issues.ts";
import { addAlias, listSplitSources, recordLinks, resolveLink } from "../state/report-links.ts";
import { getIssue, type ReportBatch } from "./report-batch.ts";

/**
 * Counts a report in its issue, and records where its codes and trace lead. `isLive` for a report
 * that arrives for the first time: it can be part of a flood.
 */
export function applyReport(
  tables: IndexTables,
  batch: ReportBatch,
  summary: ReportSummary,
  isLive = false,
): void {
  const position = parsePosition(summary.position);
  const resolve = (report: ReportSummary) => {
    const linkedDigest = resolveLink(tables, report);
    return { report, linkedDigest, digest: tables.merges.resolve(linkedDigest, position) };
  };
  const own = resolve(summary);
  const isNew = getIssue(tables, batch, own.digest) === undefined;
  const hasRows = !isLive || takeRows(tables, batch, summary, own.digest);
  const counted = hasRows && isNew ? limitNewIssue(tables, summary) : summary;
  const { report, linkedDigest, digest } =
    hasRows && counted === summary ? own : resolve(hasRows ? counted : toOthers(summary));
  const isCollapsed = report.digest === OTHER_ANONYMOUS_DIGEST;
  if (isCollapsed) batch.collapsed.add(summary);
  if (isLive && isNew) countAttempt(tables, batch, summary, isCollapsed);
  batch.issueOfReport.set(summary, digest);
  if (linkedDigest !== report.digest) addOwnDigestAlias(tables, batch, report, digest);

  const before = getIssue(tables, batch, digest);
  addScripts(tables, batch, before, report);
  if (!isInSnapshot(before, linkedDigest, position)) {
    const isLinked = report.isLinked || linkedDigest !== report.digest;
    const resolved = { ...report, digest, isLinked };
    const skew = judgeSkew(resolved, tables.releases.getKnown(report.trust));
    if (skew?.isQuiet === true) batch.quiet.add(summary);
    const issue = aggregateReport(before, resolved, batch.nowMs, report.digest, skew);
    addAliases(tables, batch, issue, resolved);
    const triage = updateTriage(tables, batch, before, resolved, issue);
    const origin =
      before === undefined ? toPublicOrigin(report, isLive ? batch.nowMs : position) : {};
    batch.issues.set(digest, { ...issue, ...triage, ...origin });
    batch.changedBy.set(digest, maxTrust(report.trust, batch.changedBy.get(digest) ?? "public"));
    dropClaims(tables, batch, before, issue);
    batch.applied.push({ summary: resolved, isNew: before === undefined });
  }

  // The next report of the batch sees these links: batching must not change where it counts.
  for (const alias of recordLinks(tables, report, digest, batch.nowMs)) batch.aliases.add(alias);
}

/** False if a public report must count elsewhere, because the rows of the day are used up. */
function takeRows(
  tables: IndexTables,
  batch: ReportBatch,
  summary: ReportSummary,
  digest: Digest,
): boolean {
  if (summary.trust !== "public" || batch.issues.has(digest)) return true;
  return getIssue(tables, batch, digest) === undefined
    ? tables.publicRows.takeNew(summary, batch.nowMs)
    : tables.mayChange(digest, batch.issues.size, batch.nowMs);
}

/** Noise is not in the list that a flood would fill. */
function countAttempt(
  { floods }: IndexTables,
  { nowMs }: ReportBatch,
  { senderKey, networkSketch, noise, occurrences = 1 }: ReportSummary,
  isCollapsed: boolean,
): void {
  if (senderKey === undefined || noise !== undefined) return;
  floods.add(senderKey, { nowMs, networkSketch, reports: occurrences, isCollapsed });
}

/** `received`: the time of receipt, or the position, which states its hour. */
function toPublicOrigin(
  { senderKey: key }: ReportSummary,
  received: number | ParsedPosition | null,
): Pick<Issue, "publicOrigin"> {
  if (key === undefined || received === null) return {};
  const atMs = typeof received === "number" ? received : parseUtcHour(received.hour);
  return { publicOrigin: { key, atMs } };
}

/** During a rebuild: true if the snapshot of the issue already counts the report. */
function isInSnapshot(
  issue: Issue | undefined,
  digest: Digest,
  position: ParsedPosition | null,
): boolean {
  if (issue === undefined || position === null) return false;
  const { watermarks, mergedWatermarks = {} } = issue;
  const isMerged = Object.hasOwn(mergedWatermarks, digest);
  return isBelowWatermark(position, isMerged ? mergedWatermarks[digest] : watermarks);
}

/** The scripts of the release, unless a report of the issue with the same stack named them. */
function addScripts(
  { releases, publicRows }: IndexTables,
  { nowMs }: ReportBatch,
  before: Issue | undefined,
  report: ReportSummary,
): void {
  const { sentStack, release, trust } = report;
  if (sentStack === undefined || release === undefined) return;
  const isCounted = before?.trust === trust && hasStack(before.stacks, report);
  if (trust === "public" && publicRows.isGathering(nowMs)) return;
  // A release above the daily limits is not stored.
  if (isCounted || releases.get(release) === undefined) return;
  releases.scripts.addStack(release, isTrusted(trust), sentStack);
}

/** A linked report's sender knows the report's own digest, so it leads to the issue too. */
function addOwnDigestAlias(
  tables: IndexTables,
  batch: ReportBatch,
  report: ReportSummary,
  into: Digest,
): void {
  const { digest } = report;
  // A merged digest leads to the issue that counts its occurrences.
  const isTaken =
    tables.issues.get(digest) !== undefined || tables.merges.resolve(digest) !== digest;
  if (!isTaken && addAlias(tables, digest, into, report, batch.nowMs)) batch.aliases.add(digest);
}

/** Removes codes that lower levels claimed before the issue existed at its level. */
function dropClaims(
  { aliases }: IndexTables,
  batch: ReportBatch,
  before: Issue | undefined,
  { digest, trust }: Issue,
): void {
  if (trust === "public") return;
  if (before !== undefined && isAtLeast(before.trust, trust)) return;
  if (aliases.removeLowerLinks(digest, trust)) batch.aliases.add(digest);
}

/**
 * Adds only the aliases that the issue stores: their number is limited. The digest that was split
 * by stack leads to the issue too, for lookups only: it must not link reports of a browser.
 */
function addAliases(
  tables: IndexTables,
  batch: ReportBatch,
  issue: Issue,
  report: ReportSummary,
): void {
  const listed = (report.aliases ?? []).filter((alias) => issue.aliases.includes(alias));
  for (const alias of [...listed, ...listSplitSources(report)]) {
    if (addAlias(tables, alias, issue.digest, report, batch.nowMs)) batch.aliases.add(alias);
  }
}

// The decision and the assignee of an issue after a report, which may regress or reopen it.

/** An issue that expired and returns gets its decision and assignee back. */
function updateTriage(
  tables: IndexTables,
  batch: ReportBatch,
  before: Issue | undefined,
  report: ReportSummary,
  issue: Issue,
): Partial<Issue> {
  const { digest } = issue;
  const decision = before === undefined ? tables.decisions.get(digest) : before.decision;
  // A report in a release with the fix regresses the issue, also if it is of a higher level.
  const current =
    decision && regress(tables, batch, decision, report, before?.trust ?? issue.trust);
  const reopened = current && reopen(tables, batch, current, before, issue);
  const next = reopened && wake(tables, batch, reopened, before, issue, report);
  // What was proposed before the issue was opened again did not fix it.
  const isReopened = decision?.state === "resolved" && next?.state === "open";
  const marks =
    before === undefined || isReopened ? readMarks(tables.annotations.getOrEmpty(digest)) : before;
  const { assignee, fixMark, tracker } = marks;
  return {
    ...toDecisionFields(issue, next, batch.nowMs),
    ...findEscalation(issue, report, batch.nowMs),
    assignee,
    fixMark,
    tracker,
  };
}

/** The escalation that an occurrence is part of. */
function findEscalation(
  issue: Issue,
  { isLinked, trust, atMs }: ReportSummary,
  nowMs: number,
): Pick<Issue, "escalation"> {
  if (isLinked || trust !== issue.trust) return {};
  const found = findCurrentEscalation(issue, nowMs);
  if (found === undefined) return {};
  // The time of the report is that of an import, too.
  const { value, usual } = found;
  return { escalation: { atMs, value: Math.round(value), usual: Math.round(usual * 10) / 10 } };
}

/** The marks of an issue that its annotations state. */
function readMarks({ assignee, fix, tracker }: Annotations) {
  return { assignee, fixMark: toFixMark(fix), tracker: tracker && toIssueTracker(tracker) };
}

function reopen(
  { decisions, annotations }: IndexTables,
  batch: ReportBatch,
  decision: Decision,
  before: Issue | undefined,
  issue: Issue,
): Decision {
  const { digest } = issue;
  const next = reopenForTrust(decision, before?.trust ?? "public", issue, batch.nowMs);
  if (next === decision) return decision;
  decisions.save(digest, next);
  batch.decisions.add(digest);
  const { fix: known, ...own } = annotations.getOrEmpty(digest);
  const fix = decision.state === "resolved" ? reopenFix(known, batch.nowMs) : known;
  const activity = { atMs: batch.nowMs, action: "trusted" } as const;
  annotations.save(digest, appendActivity({ ...own, fix }, activity));
  return next;
}

/** Ends the snooze of the issue, if the report does. */
function wake(
  { decisions, annotations, releases }: IndexTables,
  batch: ReportBatch,
  decision: Decision,
  before: Issue | undefined,
  after: Issue,
  report: ReportSummary,
): Decision {
  const getFirstSeenMs = (release: string) => releases.getFirstSeenMs(release, report.trust);
  const { nowMs } = batch;
  const next = endSnooze(decision, { before, after, report, nowMs, getFirstSeenMs });
  if (next === decision) return decision;
  decisions.save(report.digest, next);
  batch.decisions.add(report.digest);
  const { endedBy = "escalation", endedValue, endedUsual, endedInRelease } = next;
  const figures = { endedBy, endedValue, endedUsual, endedInRelease };
  annotations.addActivity(report.digest, { atMs: nowMs, action: "returned", ...figures });
  return next;
}

function regress(
  { decisions, annotations, releases }: IndexTables,
  batch: ReportBatch,
  decision: Decision,
  report: ReportSummary,
  trust: Trust,
): Decision {
  const getFirstSeenMs = (release: string) => releases.getFirstSeenMs(release, report.trust);
  const next = applyRegression(decision, report, trust, getFirstSeenMs);
  if (next === decision) return decision;
  decisions.save(report.digest, next);
  batch.decisions.add(report.digest);
  // It only counts one network more.
  if (next.state === decision.state) return next;
  batch.regressed.add(report.digest);
  const { regressedAtMs: atMs = batch.nowMs, regressedInRelease: release } = next;
  const { fix, ...own } = annotations.getOrEmpty(report.digest);
  const { deployed: _, ...kept } = fix ?? {};
  annotations.save(
    report.digest,
    appendActivity(
      { ...own, fix: { ...kept, cameBackMs: atMs } },
      { atMs, action: "regressed", release },
    ),
  );
  return next;
}
