/**
 * Applies rows of a log to the index. Each report changes, in this order:
 *
 *  1. release      when its release was first seen; sessions change this too
 *  2. issue        which issue counts it: by link (`report-links.ts`), then merge (`merge-map.ts`);
 *                  over the limit of new issues the one of others (`limit-new-issues.ts`)
 *  3. aggregate    counts, days, top values and latest reports of that issue
 *  4. aliases      which codes lead to that issue
 *  5. decision     a resolved issue that happens again regresses
 *  6. links        where a server report's codes and trace lead, for the browser reports after it
 *
 * and each batch of reports:
 *
 *  7. issue rows   written once per issue
 *  8. search text  from the first report of an issue, and again from its first trusted one;
 *                  otherwise from its title
 *  9. counters     from the log, and of the reports themselves
 * 10. alerts       judged from the issues before and after the batch
 * 11. dirty keys   which snapshots in KV are outdated
 *
 * Synchronous. `apply-log-once.ts` ensures that each row is applied once.
 */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { IssueChange } from "../../../core/alerts/judging/detect-triggers.ts";
import { aggregateReport } from "../../../core/issue/aggregate-report.ts";
import { reopenForTrust, toDecisionFields } from "../../../core/issue/decision.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../../core/issue/live-event.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import { applyRegression } from "../../../core/issue/regression.ts";
import { isCommon } from "../../../core/issue/retention.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { findPlace, hasStack } from "../../../core/place/stack-counts.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted, maxTrust, type Trust, toTrustRank } from "../../../core/trust/trust.ts";
import { type ParsedPosition, parsePosition } from "../../kv/keys.ts";
import { isBelowWatermark } from "../../kv/watermarks.ts";
import type { SequencedItem } from "../../rpc/rpc.ts";
import { type HeldLog, judgeBatch } from "../alerts/judge-batch.ts";
import { countRows } from "./count-rows.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import type { IndexTables } from "./index-tables.ts";
import { limitNewIssue } from "./limit-new-issues.ts";
import { recordReleases } from "./record-releases.ts";
import { addAlias, recordLinks, resolveLink } from "./report-links.ts";
import { toTitleSearchText } from "./title-search-text.ts";

/** The changes of a batch of rows. */
export interface AppliedChanges extends DirtyKeys {
  /** Changed issues that have enough reports to keep the bodies for less time. */
  readonly commonIssues: readonly Digest[];
  /** The reports in order, for live clients; computed on demand. */
  readonly createLiveEvents: () => readonly LiveEvent[];
  /** True if the outbox of alerts has rows. */
  readonly hasAlerts: boolean;
}

/** The options of rows that arrive for the first time; a rebuild has none. */
export interface ApplyLogOptions {
  /** Judges alerts; absent during a rebuild or a catch-up. */
  readonly heldLog?: HeldLog;
}

interface Batch {
  readonly nowMs: number;
  /** Issues before the batch (null: did not exist), and after it. */
  readonly stored: Map<Digest, Issue | null>;
  readonly issues: Map<Digest, Issue>;
  /** The highest level of the reports that changed an issue. */
  readonly changedBy: Map<Digest, Trust>;
  readonly issueOfReport: Map<ReportSummary, Digest>;
  /** The reports that count in the issue "Other anonymous reports". */
  readonly collapsed: Set<ReportSummary>;
  readonly aliases: Set<string>;
  readonly decisions: Set<Digest>;
  /** Issues with reports that are recent enough for an alert, and the level of feedback. */
  readonly recent: Map<Digest, Pick<IssueChange, "feedbackTrust">>;
  readonly applied: { readonly summary: ReportSummary; readonly isNew: boolean }[];
}

/** Applies rows, whether or not they were applied before. Call inside a transaction. */
export function applyLog(
  tables: IndexTables,
  rows: readonly SequencedItem[],
  nowMs: number,
  { heldLog }: ApplyLogOptions = {},
): AppliedChanges {
  const batch: Batch = {
    nowMs,
    stored: new Map(),
    issues: new Map(),
    changedBy: new Map(),
    issueOfReport: new Map(),
    collapsed: new Set(),
    aliases: new Set(),
    decisions: new Set(),
    recent: new Map(),
    applied: [],
  };
  for (const row of rows) {
    // First: a regression depends on when the report's own release was first seen.
    recordReleases(tables, row);
    if (!("summary" in row)) continue;
    applyReport(tables, batch, row.summary);
    if (heldLog !== undefined && row.isImported !== true) markRecent(batch, row.summary);
  }
  stage(tables, batch, rows);
  const hasAlerts =
    heldLog !== undefined && judgeBatch(tables, listRecentChanges(tables, batch), heldLog, nowMs);
  if (hasAlerts || !canWait(batch)) tables.writeStaged();
  addSearchTexts(tables, batch, rows);
  return toChanges(batch, hasAlerts);
}

/** Alerts about reports that were delayed for long, or imported, would come too late. */
function markRecent(batch: Batch, summary: ReportSummary): void {
  const { atMs, lastAtMs = atMs, kind, trust } = summary;
  if (lastAtMs <= batch.nowMs - alertLimits.maxReportAgeMs) return;
  const digest = batch.issueOfReport.get(summary) ?? summary.digest;
  const { feedbackTrust } = batch.recent.get(digest) ?? {};
  const isFeedback = kind === "feedback";
  const highest = isFeedback ? maxTrust(trust, feedbackTrust ?? "public") : feedbackTrust;
  batch.recent.set(digest, omitUndefined({ feedbackTrust: highest }));
}

function listRecentChanges(tables: IndexTables, batch: Batch): readonly IssueChange[] {
  return [...batch.recent].flatMap(([digest, feedback]) => {
    const after = batch.issues.get(digest);
    if (after === undefined) return [];
    const before = batch.stored.get(digest) ?? null;
    // An issue that expired and returned was known, if members worked on it.
    const isKnown =
      before === null &&
      (after.decision !== undefined || tables.annotations.get(digest) !== undefined);
    return [{ before, after, isKnown, ...feedback }];
  });
}

function stage(tables: IndexTables, batch: Batch, rows: readonly SequencedItem[]): void {
  const { issues, stored: before, collapsed } = batch;
  const counters = countRows(rows, collapsed);
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  const chars = [...issues.keys()].map((digest) => tables.issues.getUnstagedChars(digest));
  const issueChars = chars.reduce((sum, one) => sum + one, 0);
  tables.stageBatch({ issues, before, counters, summaries, issueChars });
}

/**
 * True if the batch changed nothing but counts, times and top values of known issues. Other changes
 * are stored together with those of the issues, or depend on them.
 */
function canWait(batch: Batch): boolean {
  const { issues, stored, aliases, decisions } = batch;
  const isKnown = ({ digest, trust }: Issue) => stored.get(digest)?.trust === trust;
  return aliases.size + decisions.size === 0 && [...issues.values()].every(isKnown);
}

function applyReport(tables: IndexTables, batch: Batch, summary: ReportSummary): void {
  const position = parsePosition(summary.position);
  const resolve = (report: ReportSummary) => {
    const linkedDigest = resolveLink(tables, report);
    return { report, linkedDigest, digest: tables.merges.resolve(linkedDigest, position) };
  };
  const own = resolve(summary);
  const isNew = getIssue(tables, batch, own.digest) === undefined;
  const { report, linkedDigest, digest } = isNew ? resolve(limitNewIssue(tables, summary)) : own;
  const isCollapsed = report.digest === OTHER_ANONYMOUS_DIGEST;
  if (isCollapsed) batch.collapsed.add(summary);
  batch.issueOfReport.set(summary, digest);
  if (linkedDigest !== report.digest) addOwnDigestAlias(tables, batch, report, digest);

  const before = getIssue(tables, batch, digest);
  addScripts(tables, before, report);
  if (!isInSnapshot(before, linkedDigest, position)) {
    const isLinked = report.isLinked || linkedDigest !== report.digest;
    const resolved = { ...report, digest, isLinked };
    const issue = aggregateReport(before, resolved, batch.nowMs);
    addAliases(tables, batch, issue, resolved);
    const triage = updateTriage(tables, batch, before, resolved, issue);
    batch.issues.set(digest, { ...issue, ...triage });
    batch.changedBy.set(digest, maxTrust(report.trust, batch.changedBy.get(digest) ?? "public"));
    dropClaims(tables, batch, before, issue);
    batch.applied.push({ summary: resolved, isNew: before === undefined });
  }

  // The next report of the batch sees these links: batching must not change where it counts.
  for (const alias of recordLinks(tables, report, digest, batch.nowMs)) batch.aliases.add(alias);
}

/** The scripts of the release, unless a report of the issue with the same stack named them. */
function addScripts(
  { releases }: IndexTables,
  before: Issue | undefined,
  report: ReportSummary,
): void {
  const { sentStack, release, trust } = report;
  if (sentStack === undefined || release === undefined) return;
  const isCounted = before?.trust === trust && hasStack(before.stacks, report);
  // Of a release beyond the limits of a day nothing is remembered.
  if (isCounted || releases.get(release) === undefined) return;
  releases.scripts.addStack(release, isTrusted(trust), sentStack);
}

/** A linked report's sender received the report's own digest, which then leads to the issue too. */
function addOwnDigestAlias(
  tables: IndexTables,
  batch: Batch,
  report: ReportSummary,
  into: Digest,
): void {
  const { digest } = report;
  // A digest that was merged leads to the issue that counts its occurrences.
  const isTaken =
    tables.issues.get(digest) !== undefined || tables.merges.resolve(digest) !== digest;
  if (!isTaken && addAlias(tables, digest, into, report, batch.nowMs)) batch.aliases.add(digest);
}

/** Reports of a lower level can claim a digest before one of a higher level makes its issue. */
function dropClaims(
  { aliases }: IndexTables,
  batch: Batch,
  before: Issue | undefined,
  { digest, trust }: Issue,
): void {
  if (trust === "public") return;
  if (before !== undefined && toTrustRank(before.trust) >= toTrustRank(trust)) return;
  if (aliases.removeLowerLinks(digest, trust)) batch.aliases.add(digest);
}

function getIssue({ issues }: IndexTables, batch: Batch, digest: Digest): Issue | undefined {
  if (!batch.stored.has(digest)) batch.stored.set(digest, issues.get(digest) ?? null);
  return batch.issues.get(digest) ?? batch.stored.get(digest) ?? undefined;
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

/**
 * Only the aliases that the issue has: it has a maximum, so a sender cannot add rows without end.
 */
function addAliases(tables: IndexTables, batch: Batch, issue: Issue, report: ReportSummary): void {
  for (const alias of report.aliases ?? []) {
    const isListed = issue.aliases.includes(alias);
    if (isListed && addAlias(tables, alias, issue.digest, report, batch.nowMs))
      batch.aliases.add(alias);
  }
}

/** An issue that expired and returns has its decision and assignee again: they outlive it. */
function updateTriage(
  tables: IndexTables,
  batch: Batch,
  before: Issue | undefined,
  report: ReportSummary,
  issue: Issue,
): Partial<Issue> {
  const { digest } = issue;
  const decision = before === undefined ? tables.decisions.get(digest) : before.decision;
  const current = decision && reopen(tables, batch, decision, before, issue);
  const next = current && regress(tables, batch, current, report, before?.trust ?? issue.trust);
  const assignee = before === undefined ? tables.annotations.get(digest)?.assignee : undefined;
  return { ...toDecisionFields(issue, next, batch.nowMs), ...omitUndefined({ assignee }) };
}

function reopen(
  { decisions, annotations }: IndexTables,
  batch: Batch,
  decision: Decision,
  before: Issue | undefined,
  issue: Issue,
): Decision {
  const { digest } = issue;
  const next = reopenForTrust(decision, before?.trust ?? "public", issue, batch.nowMs);
  if (next === decision) return decision;
  decisions.save(digest, next);
  batch.decisions.add(digest);
  annotations.addActivity(digest, { atMs: batch.nowMs, action: "trusted" });
  return next;
}

function regress(
  { decisions, annotations, releases }: IndexTables,
  batch: Batch,
  decision: Decision,
  report: ReportSummary,
  trust: Trust,
): Decision {
  const getFirstSeenMs = (release: string) => releases.getFirstSeenMs(release, report.trust);
  const next = applyRegression(decision, report, trust, getFirstSeenMs);
  if (next === decision) return decision;
  decisions.save(report.digest, next);
  batch.decisions.add(report.digest);
  const { regressedAtMs: atMs = batch.nowMs, regressedInRelease: release } = next;
  const activity = { atMs, action: "regressed", ...omitUndefined({ release }) } as const;
  annotations.addActivity(report.digest, activity);
  return next;
}

function addSearchTexts(
  { issues, search }: IndexTables,
  batch: Batch,
  rows: readonly SequencedItem[],
): void {
  const ownTexts = new Map<Digest, { readonly trust: Trust; readonly text: string }>();
  const mergedTexts: (readonly [Digest, string])[] = [];
  for (const row of rows) {
    if (!("summary" in row) || row.searchText === undefined) continue;
    const { summary, searchText: text } = row;
    if (batch.collapsed.has(summary)) continue;
    const { trust } = summary;
    const digest = batch.issueOfReport.get(summary) ?? summary.digest;
    if (digest !== summary.digest) {
      // A public report would add the words that its sender wants the issue to be found by.
      if (isTrusted(trust) || issues.isPublic(digest)) mergedTexts.push([digest, text]);
    } else {
      const known = ownTexts.get(digest);
      if (known === undefined || toTrustRank(trust) > toTrustRank(known.trust))
        ownTexts.set(digest, { trust, text });
    }
  }
  const addedTexts = new Map<Digest, string>();
  const replacedTexts: (readonly [Digest, string])[] = [];
  for (const issue of batch.issues.values()) {
    const { digest, trust, count } = issue;
    const own = ownTexts.get(digest);
    // The sender of a lower level chose the words, which need not be those of the error.
    const text = own?.trust === trust ? own.text : toTitleSearchText(issue);
    const stored = batch.stored.get(digest) ?? null;
    if (own !== undefined || (stored === null && count > 0)) addedTexts.set(digest, text);
    if (stored !== null && toTrustRank(stored.trust) < toTrustRank(trust))
      replacedTexts.push([digest, text]);
  }
  // In a rebuild: reports that the snapshot of their issue counts.
  for (const [digest, { trust, text }] of ownTexts) {
    if (!batch.issues.has(digest) && issues.get(digest)?.trust === trust)
      addedTexts.set(digest, text);
  }
  search.add(addedTexts);
  for (const [digest, text] of replacedTexts) search.replace(digest, text);
  for (const [digest, text] of mergedTexts) search.addText(digest, text);
}

function toChanges(batch: Batch, hasAlerts: boolean): AppliedChanges {
  const { nowMs, stored, issues, changedBy, aliases, decisions, applied } = batch;
  const commonIssues = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
  const isNew = ({ digest, trust }: Issue) => {
    const before = stored.get(digest) ?? null;
    return before === null || toTrustRank(before.trust) < toTrustRank(trust);
  };
  const newIssues = [...issues.values()].filter(isNew);
  const listChangedBy = (level: Trust) =>
    [...changedBy].flatMap(([digest, trust]) => (trust === level ? digest : []));
  return {
    ...createDirtyKeys({
      issues: listChangedBy("server"),
      pageIssues: listChangedBy("page"),
      publicIssues: listChangedBy("public"),
      newIssues: newIssues.map(({ digest }) => digest),
      ...{ aliases, decisions, annotations: decisions },
    }),
    commonIssues: commonIssues.map(({ digest }) => digest),
    createLiveEvents: () =>
      applied.map(({ summary, isNew }) =>
        toLiveEvent(summary, isNew, findPlace(issues.get(summary.digest)?.stacks, summary)),
      ),
    hasAlerts,
  };
}
