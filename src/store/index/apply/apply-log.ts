/**
 * Applies rows of a log to the index. Each report changes, in this order:
 *
 *  1. release      when its release was first seen; sessions change this too
 *  2. issue        which issue counts it: by link (`report-links.ts`), then merge (`merge-map.ts`);
 *                  over the limit of new issues the one of others (`limit-new-issues.ts`)
 *  3. aggregate    counts, days, top values and latest reports of that issue
 *  4. aliases      which codes lead to that issue
 *  5. triage       a resolved issue that happens again regresses (`apply-report.ts`)
 *  6. links        where a server report's codes and trace lead, for the browser reports after it
 *
 * and each batch of reports:
 *
 *  7. counters     from the log, and of the reports themselves
 *  8. issue rows   written once per issue
 *  9. alerts       judged from the issues before and after the batch
 * 10. search text  from the first report of an issue, and again from its first trusted one;
 *                  otherwise from its title
 * 11. dirty keys   which snapshots in KV are outdated
 *
 * Synchronous. `apply-log-once.ts` ensures that each row is applied once.
 */

import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { IssueChange } from "../../../core/alerts/triggers/trigger.ts";
import { isFolded } from "../../../core/flood/flood.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../../core/issue/live-event.ts";
import { isCommon } from "../../../core/issue/retention.ts";
import { limits } from "../../../core/limits.ts";
import { findPlace } from "../../../core/place/stack-counts.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import {
  type CounterName,
  type DailyCounters,
  isOverflowRelease,
} from "../../../core/stats/counters.ts";
import { countNetworks } from "../../../core/stats/network-sketch.ts";
import { countOwnLevel } from "../../../core/stats/trust-counts.ts";
import { isAtLeast, isTrusted, TRUST_LEVELS, type Trust } from "../../../core/trust/trust.ts";
import { parseUtcHour } from "../../../core/utc-time.ts";
import { hourToDay, parsePosition } from "../../kv/keys.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import { type HeldAlertLogLimit, judgeBatch } from "../alerts/judge-batch.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { toTitleSearchText } from "../state/title-search-text.ts";
import { handBack } from "../triage/hand-offs.ts";
import { tellRegression } from "../triage/tell-members.ts";
import { followDecision } from "../triage/tracker-links.ts";
import { applyReport } from "./apply-report.ts";
import { countRows, isPublicRow } from "./count-rows.ts";
import { createReportBatch, type ReportBatch } from "./report-batch.ts";

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
  readonly heldLog?: HeldAlertLogLimit;
}

/** Applies rows, even if they were applied before. Call inside a transaction. */
export function applyLog(
  tables: IndexTables,
  rows: readonly SequencedItem[],
  nowMs: number,
  { heldLog }: ApplyLogOptions = {},
): AppliedChanges {
  const batch = createReportBatch(nowMs);
  lookAhead(tables, rows);
  for (const row of rows) {
    // Comes first: a regression depends on when the report's own release was first seen.
    recordReleases(tables, row);
    if (!("summary" in row)) continue;
    const isLive = heldLog !== undefined && row.isImported !== true;
    applyReport(tables, batch, row.summary, isLive);
    if (isLive) markRecent(batch, row.summary, row.receivedAtMs);
  }
  stage(tables, batch, rows, heldLog !== undefined);
  const changes = heldLog === undefined ? [] : listRecentChanges(tables, batch);
  const isJudged = heldLog !== undefined && judgeBatch(tables, changes, heldLog, nowMs);
  const decided = heldLog === undefined ? [] : [...batch.decisions];
  const hasNews = decided.filter((digest) => followDecision(tables, digest, nowMs)).length > 0;
  const back = heldLog === undefined ? [] : [...batch.regressed];
  const hasNotices = back.filter((digest) => tellRegression(tables, digest, nowMs)).length > 0;
  const hasAlerts = handBack(tables, changes, nowMs) || isJudged || hasNews || hasNotices;
  if ((hasAlerts && !tables.isGathering(nowMs)) || !canWait(batch)) tables.writeStaged();
  addSearchTexts(tables, batch, rows);
  return toChanges(batch, hasAlerts);
}

/** Looks up together which tables know the digests that may be new. */
function lookAhead(tables: IndexTables, rows: readonly SequencedItem[]): void {
  const digests = rows.flatMap((row) => ("summary" in row ? row.summary.digest : []));
  tables.lookAhead([...new Set(digests)].filter((digest) => !tables.issues.isCached(digest)));
}

/** `isLive`: the reports arrive for the first time, so that public ones use up rows. */
function stage(
  tables: IndexTables,
  batch: ReportBatch,
  rows: readonly SequencedItem[],
  isLive: boolean,
): void {
  const { issues, stored: before, collapsed } = batch;
  const counters = countRows(rows, collapsed);
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  const chars = [...issues.keys()].map((digest) => tables.issues.getUnstagedChars(digest));
  const issueChars = chars.reduce((sum, one) => sum + one, 0);
  const publicIssues = new Set(isLive ? listChangedBy(batch, "public") : []);
  const isPublic = isLive && rows.every(isPublicRow);
  const { nowMs } = batch;
  const changes = { issues, before, counters, summaries, publicIssues, isPublic, nowMs };
  tables.stageBatch({ ...changes, issueChars });
}

/** The issues whose highest report of the batch is of this level. */
function listChangedBy({ changedBy }: ReportBatch, level: Trust): readonly Digest[] {
  return [...changedBy].flatMap(([digest, trust]) => (trust === level ? digest : []));
}

/**
 * True if the batch changed only counts, times and top values of known issues. Other changes are
 * stored with the issues or depend on them.
 */
function canWait(batch: ReportBatch): boolean {
  const { issues, stored, aliases, decisions } = batch;
  const isKnown = ({ digest, trust }: Issue) => stored.get(digest)?.trust === trust;
  return aliases.size + decisions.size === 0 && [...issues.values()].every(isKnown);
}

function toChanges(batch: ReportBatch, hasAlerts: boolean): AppliedChanges {
  const { nowMs, stored, issues, aliases, applied } = batch;
  const commonIssues = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
  const isNew = ({ digest, trust }: Issue) => {
    const before = stored.get(digest) ?? null;
    return before === null || !isAtLeast(before.trust, trust);
  };
  const newIssues = [...issues.values()].filter(isNew);
  return {
    ...createDirtyKeys({
      issues: listChangedBy(batch, "server"),
      pageIssues: listChangedBy(batch, "page"),
      publicIssues: listChangedBy(batch, "public"),
      newIssues: newIssues.map(({ digest }) => digest),
      aliases,
    }),
    commonIssues: commonIssues.map(({ digest }) => digest),
    createLiveEvents: () =>
      applied.map(({ summary, isNew }) =>
        toLiveEvent(summary, isNew, findPlace(issues.get(summary.digest)?.stacks, summary)),
      ),
    hasAlerts,
  };
}

// The texts by which the issues of a batch are found.

/**
 * Adds the text of the first report of an issue, and of its first trusted one; otherwise that of
 * its title.
 */
function addSearchTexts(
  { issues, search }: IndexTables,
  batch: ReportBatch,
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
      // The sender of a public report could choose the words by which the issue is found.
      if (isTrusted(trust) || issues.isPublic(digest)) mergedTexts.push([digest, text]);
    } else {
      const known = ownTexts.get(digest);
      if (known === undefined || !isAtLeast(known.trust, trust))
        ownTexts.set(digest, { trust, text });
    }
  }
  const addedTexts = new Map<Digest, string>();
  const newTexts: (readonly [number, string])[] = [];
  const replacedTexts: (readonly [Digest, string])[] = [];
  for (const issue of batch.issues.values()) {
    const { digest, trust, count } = issue;
    const own = ownTexts.get(digest);
    // The sender of a lower level chose the stored words, which may differ from the error's.
    const text = own?.trust === trust ? own.text : toTitleSearchText(issue);
    const stored = batch.stored.get(digest) ?? null;
    const id = stored === null ? issues.getId(digest) : undefined;
    if (own !== undefined || (stored === null && count > 0)) {
      if (id === undefined) addedTexts.set(digest, text);
      else newTexts.push([id, text]);
    }
    if (stored !== null && !isAtLeast(stored.trust, trust)) replacedTexts.push([digest, text]);
  }
  // During a rebuild, the reports that the snapshot of the issue counts.
  for (const [digest, { trust, text }] of ownTexts) {
    if (!batch.issues.has(digest) && issues.get(digest)?.trust === trust)
      addedTexts.set(digest, text);
  }
  search.addNew(newTexts.sort(([a], [b]) => a - b));
  search.add(addedTexts);
  for (const [digest, text] of replacedTexts) search.replace(digest, text);
  for (const [digest, text] of mergedTexts) search.addText(digest, text);
}

// The issues of a batch for which alerts are judged.

/**
 * Marks a report that is not imported. Ignores one that was received long after it occurred,
 * because its alert would be too late. The moment of receipt decides, not that of applying: senders
 * choose times that are just recent enough for the one.
 */
function markRecent(
  batch: ReportBatch,
  summary: ReportSummary,
  receivedAtMs: number | undefined,
): void {
  const { atMs, lastAtMs = atMs, position } = summary;
  const receiptMs = receivedAtMs ?? parseUtcHour(parsePosition(position)?.hour ?? "");
  if (lastAtMs < receiptMs - alertLimits.maxReportAgeMs) return;
  const digest = batch.issueOfReport.get(summary) ?? summary.digest;
  const known = batch.recent.get(digest);
  if (known === undefined) batch.recent.set(digest, [summary]);
  else known.push(summary);
}

/** The changes of the issues with marked reports. */
function listRecentChanges(tables: IndexTables, batch: ReportBatch): readonly IssueChange[] {
  const floods = tables.floods.listFloods(batch.nowMs);
  return [...batch.recent].flatMap(([digest, reports]) => {
    const after = batch.issues.get(digest);
    if (after === undefined) return [];
    const before = batch.stored.get(digest) ?? null;
    // An issue that expired and returned is known if members have worked on it.
    const isKnown =
      before === null &&
      (after.decision !== undefined || tables.annotations.get(digest) !== undefined);
    return [
      {
        before,
        after,
        isKnown,
        reports,
        isFolded: isFolded(after, floods),
        isQuiet: reports.every((report) => batch.quiet.has(report)),
        isEmerging:
          before !== null && (isSpreading(tables, before, after) || outlastsDeploy(before, after)),
        isWidespread: isWidespread(after),
      },
    ];
  });
}

/** True if an issue that a flood has folded, and that had no message, has many networks now. */
function isSpreading(
  { floods, alerts }: IndexTables,
  before: Issue,
  { digest, ...after }: Issue,
): boolean {
  const { publicOrigin: origin } = before;
  if (origin === undefined || isWidespread(before) || !isWidespread(after)) return false;
  return floods.wasFlooding(origin.key, origin.atMs) && alerts.sent.list(digest).length === 0;
}

/** True if deploys explained all reports of an issue until now: they caused no alert. */
function outlastsDeploy(before: Issue, after: Issue): boolean {
  const isExplained = (issue: Issue) => issue.skew?.quietCount === countOwnLevel(issue);
  return isExplained(before) && !isExplained(after);
}

function isWidespread({ networkSketch }: Pick<Issue, "networkSketch">): boolean {
  return countNetworks(networkSketch) >= limits.minUnfoldedNetworks;
}

// Records which releases were seen, and when: a regression depends on it. Synchronous.

/** Records the release of a report, or those of the sessions that counters count. */
function recordReleases(tables: Pick<IndexTables, "releases">, row: SequencedItem): void {
  if ("summary" in row) recordReported(tables, row.summary);
  else recordSessions(tables, row.dailyCounters);
}

function recordReported({ releases }: Pick<IndexTables, "releases">, summary: ReportSummary) {
  const { release, atMs, position, trust } = summary;
  if (release !== undefined) releases.recordSeen(release, atMs, hourToDay(position), trust);
}

/** A session has no time. Its release counts as seen when the log counted the session. */
function recordSessions(
  { releases }: Pick<IndexTables, "releases">,
  { day, atMs, counters }: DailyCounters,
): void {
  if (atMs === undefined) return;
  for (const [name] of counters) {
    const trust = TRUST_LEVELS.find((level) => level === name[1]);
    const release = getSessionRelease(name);
    if (trust !== undefined && release !== undefined)
      releases.recordSeen(release, atMs, day, trust);
  }
}

/** Undefined for other counters, and if the name of the release was truncated or replaced. */
function getSessionRelease([first, , release = "", environment]: CounterName): string | undefined {
  const isTruncated = release.length >= limits.maxCounterPartChars;
  return first !== "session" ||
    release === "" ||
    isOverflowRelease(release, environment) ||
    isTruncated
    ? undefined
    : release;
}
