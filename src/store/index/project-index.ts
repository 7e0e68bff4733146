/**
 * ProjectIndex: the Durable Object with the issues of one project. It counts every report exactly
 * once, answers the desk, and writes snapshots to KV for requests elsewhere. It stores no report
 * bodies: a report summary has the position of the body in the log and in the archive. An index
 * that lost its storage rebuilds itself from KV.
 *
 * This class composes the parts and has the calls of others. A read or a change of the desk sees
 * all reports that the logs have acknowledged (`#read`, `#write`).
 */

import type { Bindings } from "../../bindings.ts";
import type { AlertedFacts } from "../../core/alerts/alerted-facts.ts";
import type { HandOffFacts, HandOffRefusal, SentHandOff } from "../../core/alerts/hand-off.ts";
import type { PeriodFacts, PeriodQuery } from "../../core/alerts/periods/period-facts.ts";
import type { QueryCheck } from "../../core/alerts/queries/check-rule-query.ts";
import type { SentAlert, WithSentAlerts } from "../../core/alerts/sent-alert.ts";
import type { FollowedIssue } from "../../core/alerts/tracker-news.ts";
import type { ProjectFacts } from "../../core/alerts/triggers/trigger.ts";
import type { TextErasure } from "../../core/erasure.ts";
import type { AnnotationChange, Annotations, Assignment } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { AskedValues, FoundValues } from "../../core/issue/facet-value.ts";
import type { SentFixEvent } from "../../core/issue/fix-event.ts";
import type { FixProgress } from "../../core/issue/fix-progress.ts";
import { type FixStatus, getFixStatus, needsReleasesForFix } from "../../core/issue/fix-status.ts";
import type { Issue, IssueList, IssueSummary } from "../../core/issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueNeighbors,
} from "../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../core/issue/issue-query.ts";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import type { SavedView } from "../../core/issue/saved-view.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import { limits } from "../../core/limits.ts";
import type { OverviewQuery, ProjectOverview } from "../../core/overview/project-overview.ts";
import type { ComparedIssue } from "../../core/overview/release-comparison.ts";
import type { ReleaseScript } from "../../core/ports/source-maps-port.ts";
import type { CurrentIssue } from "../../core/ports/storage-ports.ts";
import { type ReleaseSummary, wasSeen } from "../../core/release/release-summary.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type {
  CodeOwnersFile,
  CodeSettings,
  Repository,
  RepositorySettings,
} from "../../core/repositories/repository.ts";
import type { Result } from "../../core/result.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import type { TrackerEvent } from "../../core/trackers/tracker-event.ts";
import type { UndoResult } from "../../core/triage/undo-step.ts";
import type { Trust } from "../../core/trust/trust.ts";
import { DAY_MS, toUtcDay } from "../../core/utc-time.ts";
import type { RuleSet } from "../alerts/sender-settings.ts";
import type { ApplyResult, SequencedItem } from "../log/log-entries.ts";
import { StoredObject } from "../sqlite/object.ts";
import { checkQuery } from "./alerts/check-query.ts";
import { toProjectFacts } from "./alerts/project-facts.ts";
import { isPublicRow } from "./apply/count-rows.ts";
import { createParts } from "./index-parts.ts";
import { createEraseIssueJob } from "./jobs/erase-job.ts";
import { eraseReportFromLogs } from "./jobs/erase-report.ts";
import type { Job } from "./jobs/job-table.ts";
import { compareReleaseIssues } from "./lists/compare-releases.ts";
import type { IssueAt } from "./lists/find-issues-at.ts";
import { readOverview } from "./lists/read-overview.ts";
import { readPeriod } from "./lists/read-period.ts";
import { listLatestEvents } from "./live-sockets.ts";
import { findResolver, readAlertedIssues } from "./read-alerted-issues.ts";
import { readFixProgress } from "./read-fix-progress.ts";
import { readStoreHealth } from "./read-store-health.ts";
import { type ChangeResult, createDirtyKeys, type DirtyKeys } from "./state/dirty-keys.ts";
import { resolveIssue } from "./state/find-issue-of-report.ts";
import {
  findIssuesByAlias,
  findIssuesByCodes,
  listIssuesSplitFrom,
} from "./state/find-issues-by-code.ts";
import type { IndexTables } from "./state/index-tables.ts";
import { listReleases } from "./state/release-summaries.ts";
import { INDEX_SCHEMA } from "./tables/index-schema.ts";
import { recordFixEvents, recordReleasedCommits } from "./triage/fixes.ts";
import {
  type HandOffInput,
  type HandOffResult,
  requestHandOff,
  takeHandOff,
} from "./triage/hand-offs.ts";
import {
  moveIssueRepository,
  type OwnersChange,
  readCodeSettings,
  removeRepository,
  saveCodeOwners,
  saveIssueRepository,
  saveOwners,
  saveRepository,
} from "./triage/repositories.ts";
import { applyTrackerEvents, type FollowingTracker } from "./triage/tracker-events.ts";
import { listFollowed, tellProofs } from "./triage/tracker-links.ts";
import { annotate, assignMany, decide, listViews, saveView } from "./triage/triage.ts";
import { exportTriage, importTriage, type TriagePart } from "./triage/triage-records.ts";
import { undo } from "./triage/undo.ts";

/** The newest issues, whose hours give the usual rate of reports. */
const MAX_RATE_ISSUES = 200;

/** One object per project, named by the project's id: `1`. */
export class ProjectIndex extends StoredObject {
  readonly #created: ReturnType<typeof createParts> | undefined;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, INDEX_SCHEMA);
    if (!this.isReady) return;
    const onDirty = (dirtyKeys: DirtyKeys) => this.#saveSnapshots(dirtyKeys);
    this.#created = createParts(ctx, () => this.env, this.database, onDirty);
    if (this.#parts.tables.shardProgress.isInitialized()) this.#resume();
    else ctx.blockConcurrencyWhile(() => this.#initialize());
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  // Calls of the logs.

  /**
   * Applies whole rows of a shard's log, in order. A row counts once, even if it is sent again.
   * With the `startId` of an earlier result, the rows follow those of that result. If the index has
   * restarted since, it applies none, and the log resends all rows that are not stored. Without
   * rows it stores staged changes, unless it is busy. Rejects during a rebuild.
   */
  async applyRows(
    shard: string,
    rows: readonly SequencedItem[],
    startId?: string,
  ): Promise<ApplyResult> {
    await this.#requireInitialized();
    await this.#parts.deploys.prepare(rows);
    this.#parts.jobs.throwIfRebuilding();
    const { changes, result } = this.#parts.rowReceiver.receive(shard, rows, {
      nowMs: Date.now(),
      startId,
      isGapless: this.#parts.jobs.isReplayingLogs,
      mayStage: !this.#parts.jobs.hasJobs,
    });
    const { meter, publicRows } = this.#parts.tables;
    const before = meter.rows;
    this.#saveSnapshots(changes);
    if (rows.every(isPublicRow)) publicRows.add(meter.rows - before, Date.now());
    if (changes.hasAlerts) {
      await this.#parts.dispatcher.prepare();
      this.ctx.waitUntil(this.#parts.dispatcher.run());
    }
    if (this.#parts.liveSockets.hasClients)
      this.#parts.liveSockets.broadcast(changes.createLiveEvents(), Date.now());
    return result;
  }

  /**
   * A log was created whose rows start after `seq`. If earlier rows of the shard were applied, the
   * log lost its storage, and the index starts a rebuild.
   */
  async onLogCreated(shard: string, seq: number): Promise<void> {
    await this.#requireInitialized();
    const appliedSeq = this.#parts.tables.shardProgress.getAppliedSeq(shard);
    if (appliedSeq > 0 && appliedSeq < seq) await this.enqueueJob({ kind: "rebuild" });
  }

  // Calls of the source maps.

  /**
   * Source maps are readable since the upload with this number; null if there are none. The index
   * resolves the stacks of its newest issues.
   */
  async onUploaded(newest: number | null): Promise<void> {
    await this.#requireInitialized();
    this.#parts.places.setNewestUpload(newest);
    this.ctx.waitUntil(this.#parts.places.resume());
  }

  // Calls of the spool.

  /** Counts a spool write of reports of this level; false if the day's limit is reached. */
  async takeSpoolWrite(trust: Exclude<Trust, "server">): Promise<boolean> {
    const { caps } = this.#parts.tables;
    const name = trust === "page" ? "page-spool" : "spool";
    const taken = caps.take(toUtcDay(Date.now()), name, this.#parts.settings.spoolWritesPerDay);
    caps.save();
    return taken > 0;
  }

  // Reads of the desk. Each rejects during a rebuild.

  /**
   * The state of the store: that of the logs that answer in time, and of the index. Answers during
   * a rebuild too.
   */
  getHealth(): Promise<StoreHealth> {
    return readStoreHealth(this.#parts.listLogs(), {
      backlog: this.#parts.snapshots.getBacklog(),
      budget: this.#parts.budget,
      storedBytes: this.ctx.storage.sql.databaseSize,
      getProgress: () => this.#parts.jobs.getProgress(),
    });
  }

  async getIssue(digest: Digest): Promise<Issue | null> {
    // The issue may be staged.
    await this.#waitForLogs();
    this.#parts.snapshots.onViewed(digest);
    this.ctx.waitUntil(this.#parts.places.resolve([digest]));
    return this.#parts.tables.issues.get(digest) ?? null;
  }

  /**
   * The current state of an issue, with its annotations, similar issues, differences and owners.
   */
  async getCurrentIssue(digest: Digest): Promise<CurrentIssue> {
    const issue = await this.getIssue(digest);
    this.#parts.tables.writeForQuery(Date.now());
    const similar = this.#parts.lists.findSimilar(
      digest,
      listIssuesSplitFrom(this.#parts.tables, digest),
    );
    const comparison = issue === null ? undefined : this.#parts.comparer.compare(issue, Date.now());
    const annotations = this.#readAnnotations(digest);
    const fix = issue === null ? undefined : await this.#readFix(issue, annotations);
    const { agents = [] } = this.#parts.tables.alerts.rules.get();
    const code = readCodeSettings(this.#parts.tables);
    const { proof } = fix ?? {};
    return { issue, annotations, similar, ...comparison, proof, fix, agents, code };
  }

  /** Only issues whose fix is in a release cost the reads of releases. */
  async #readFix(issue: Issue, { fix }: Annotations): Promise<FixStatus> {
    const releases = needsReleasesForFix(fix, issue) ? await this.listReleases() : [];
    return getFixStatus(fix, issue, releases.filter(wasSeen), Date.now());
  }

  /** The annotations of an issue and its sent alerts; empty if the issue is unknown. */
  getAnnotations(digest: Digest): Promise<Annotations & WithSentAlerts> {
    return this.#read(() => this.#readAnnotations(digest));
  }

  #readAnnotations(digest: Digest): Annotations & WithSentAlerts {
    const { annotations, alerts } = this.#parts.tables;
    return { ...annotations.getOrEmpty(digest), alerts: alerts.sent.list(digest) };
  }

  /** The issue that counts a report. It differs from the report's digest after a link or merge. */
  resolveIssue(summary: ReportSummary): Promise<Digest> {
    return this.#read((tables) => resolveIssue(tables, summary));
  }

  findIssuesByAlias(alias: string): Promise<readonly Digest[]> {
    return this.#read((tables) => findIssuesByAlias(tables, alias));
  }

  /**
   * The issues of digests and aliases, in their order; if there are none, those with all words of
   * `text`, then those of `guesses`, which only may be codes. At most
   * `limits.maxMatchesPerOtherProject`. Lookups call it for other projects.
   */
  findMatches(
    codes: readonly string[],
    text?: string,
    guesses: readonly string[] = [],
  ): Promise<readonly IssueSummary[]> {
    const count = limits.maxMatchesPerOtherProject;
    return this.#read((tables) => {
      const found = findIssuesByCodes(tables, codes, count);
      if (found.length > 0) return found;
      const withText = text === undefined ? [] : this.#parts.lists.searchSummaries(text, count);
      const digests = new Set(withText.map(({ digest }) => digest));
      const others = findIssuesByCodes(tables, guesses, count);
      return [...withText, ...others.filter((one) => !digests.has(one.digest))].slice(0, count);
    });
  }

  /** Issues with all words of a text, trusted ones first. */
  searchIssues(text: string, count: number = limits.maxSearchResults): Promise<readonly Digest[]> {
    return this.#read(() => this.#parts.lists.search(text, count));
  }

  /** The issues of which a report occurred between two times: see `findIssuesAt`. */
  findIssuesAt(fromMs: number, toMs: number): Promise<readonly IssueAt[]> {
    return this.#read(() => this.#parts.lists.findAt(fromMs, toMs));
  }

  listNewestIssues(): Promise<IssueList> {
    return this.#read(() => this.#parts.lists.createSnapshot(Date.now()));
  }

  /**
   * A page of the issues that match a query: at most `count`, by default `limits.listedIssues`. If
   * matches are rare, a page ends earlier.
   */
  listIssues(query: IssueQuery, from?: IssueCursor, count?: number): Promise<IssueListPage> {
    return this.#read(() => this.#parts.lists.listPage(query, from, Date.now(), count));
  }

  /** The issues next to one in the list of a query; null if the issue is unknown. */
  findNeighbors(query: IssueQuery, digest: Digest): Promise<IssueNeighbors | null> {
    return this.#read(() => this.#parts.lists.findNeighbors(query, digest, Date.now()));
  }

  /** The most frequent values of the matching issues, one facet per key. */
  listFacets(query: IssueQuery): Promise<readonly IssueFacet[]> {
    return this.#read(() => this.#parts.lists.listFacets(query, Date.now()));
  }

  /** The values of a key that contain a text, those of most matching issues first. */
  listValues(asked: AskedValues): Promise<FoundValues> {
    return this.#read(() => this.#parts.lists.listValues(asked, Date.now()));
  }

  /** Tries the query of an alert rule on the newest issues. */
  checkQuery(query: IssueQuery): Promise<QueryCheck> {
    const listNewest = (count: number) => this.#parts.lists.listNewest(count);
    return this.#read(() => checkQuery(query, listNewest, Date.now()));
  }

  /** What the home page shows of a period. */
  readOverview(query: OverviewQuery): Promise<ProjectOverview> {
    return this.#read((tables) => readOverview(tables, this.#parts.lists, Date.now(), query));
  }

  /** The counters of each of the last `days` UTC days, today included, in no order. */
  listCounters(days: number): Promise<readonly DailyCounter[]> {
    const firstDay = toUtcDay(Date.now() - (days - 1) * DAY_MS);
    return this.#read(({ counters }) => counters.listSince(firstDay));
  }

  /** The newest releases by first report; at most `limits.maxListedReleases`. */
  listReleases(): Promise<readonly ReleaseSummary[]> {
    return this.#read((tables) => listReleases(tables, Date.now()));
  }

  /** The issues of two releases, with their occurrences in each. */
  compareReleases(base: string, release: string): Promise<readonly ComparedIssue[]> {
    return this.#read((tables) =>
      compareReleaseIssues(tables, this.#parts.lists, [base, release], Date.now()),
    );
  }

  /** The built scripts in the stacks of a release; at most `limits.scriptsPerRelease`. */
  listScripts(release: string): Promise<readonly ReleaseScript[]> {
    return this.#read(({ releases }) => releases.scripts.list(release));
  }

  /** The latest events, newest first; at most `limits.recentLiveEvents`. */
  listLiveEvents(): Promise<readonly LiveEvent[]> {
    return this.#read(() =>
      listLatestEvents(this.#parts.lists.listNewest(limits.recentLiveEvents)),
    );
  }

  /** The saved views of the issue list. */
  listViews(): Promise<readonly SavedView[]> {
    return this.#read(listViews);
  }

  /** The repositories of the project, as its owners set them. */
  async readRepositories(): Promise<readonly Repository[]> {
    return (await this.readCodeSettings()).settings.repositories;
  }

  /** The repositories, the rules of owners, and CODEOWNERS. */
  readCodeSettings(): Promise<CodeSettings> {
    return this.#read(readCodeSettings);
  }

  // Changes of members. Each is durable when it resolves, and rejects during a rebuild.

  /**
   * Decides about an issue. Resolves to null if the issue is unknown. With a new `undoId`, `undo`
   * can undo the decision.
   */
  async decide(digest: Digest, input: DecisionInput, undoId?: string): Promise<Issue | null> {
    const [issue = null] = await this.#write((tables, nowMs) =>
      decide(tables, [digest], input, nowMs, undoId),
    );
    return issue;
  }

  /** Decides about several issues. Resolves to the digests that exist. `undoId` can be repeated. */
  async decideMany(
    digests: readonly Digest[],
    input: DecisionInput,
    undoId?: string,
  ): Promise<readonly Digest[]> {
    const issues = await this.#write((tables, nowMs) =>
      decide(tables, digests, input, nowMs, undoId),
    );
    return issues.map(({ digest }) => digest);
  }

  /**
   * Changes the annotations of an issue. Resolves to the new ones, or to null if the issue, or one
   * to merge into it, is unknown. With a new `undoId`, `undo` can undo an assignment or a merge.
   */
  annotate(digest: Digest, change: AnnotationChange, undoId?: string): Promise<Annotations | null> {
    return this.#write((tables, nowMs) => annotate(tables, digest, change, nowMs, undoId));
  }

  /** Assigns several issues. Resolves to the digests that exist. `undoId` can be repeated. */
  assignMany(
    digests: readonly Digest[],
    change: Assignment,
    undoId?: string,
  ): Promise<readonly Digest[]> {
    return this.#write((tables, nowMs) => assignMany(tables, digests, change, nowMs, undoId));
  }

  /**
   * Records events of changes that fix issues: proposed, merged, closed. An event counts once for
   * its change and kind; a later one replaces it. Resolves to the issues that exist. Decides
   * nothing.
   */
  recordFixEvents(events: readonly SentFixEvent[]): Promise<readonly Digest[]> {
    return this.#write((tables, nowMs) => recordFixEvents(tables, events, nowMs));
  }

  /**
   * A release has these commits. Resolves in it the issues that merged ones fix, and resolves to
   * these issues. `undoId` can be repeated.
   */
  recordReleasedCommits(
    release: string,
    commits: readonly string[],
    undoId?: string,
  ): Promise<readonly Digest[]> {
    return this.#write((tables, nowMs) =>
      recordReleasedCommits(tables, release, commits, nowMs, undoId),
    );
  }

  /**
   * Hands an issue to a coding agent: its message is sent after a few seconds, until which `undo`
   * takes it back. `changeId` can be repeated.
   */
  requestHandOff(digest: Digest, input: HandOffInput, changeId: string): Promise<HandOffResult> {
    return this.#write((tables, nowMs) => requestHandOff(tables, digest, input, nowMs, changeId));
  }

  /**
   * Undoes an action of the last `limits.undoMs`, once. Issues that were changed again stay as they
   * are. Null if the action is unknown or too old.
   */
  undo(undoId: string): Promise<UndoResult | null> {
    return this.#write((tables, nowMs) => undo(tables, undoId, nowMs));
  }

  /**
   * Saves a view under its name, or deletes it (`null`). Resolves to all views. A new view is
   * ignored if there are `limits.maxSavedViews` already.
   */
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]> {
    return this.#write((tables) => saveView(tables, name, view));
  }

  /**
   * Adds a repository, or replaces that of its id, else that of the same URL, folder and prefix.
   * Resolves to all; to null above `repositoryLimits.maxRepositories`.
   */
  saveRepository(repository: Repository): Promise<readonly Repository[] | null> {
    return this.#write((tables) => saveRepository(tables, repository));
  }

  /** Removes a repository. Resolves to the others; to null if it is unknown. */
  removeRepository(id: string): Promise<readonly Repository[] | null> {
    return this.#write((tables) => removeRepository(tables, id));
  }

  /** Replaces the rules of owners, the handles of members, or both. */
  saveOwners(change: OwnersChange): Promise<RepositorySettings> {
    return this.#write((tables, nowMs) => saveOwners(tables, change, nowMs));
  }

  /** Sets the GitHub repository of prefilled issues: `owner/name`; an empty text removes it. */
  saveIssueRepository(repository: string): Promise<void> {
    return this.#write((tables) => saveIssueRepository(tables, repository));
  }

  /** Replaces the file CODEOWNERS of its repository. */
  async saveCodeOwners(file: Omit<CodeOwnersFile, "atMs">): Promise<void> {
    await this.#write((tables, atMs) => saveCodeOwners(tables, { ...file, atMs }));
  }

  // Calls of the alert sender.

  /** Replaces the alert rules. */
  async setAlertRules(rules: RuleSet): Promise<void> {
    const { alerts } = this.#parts.tables;
    alerts.rules.save(rules, Date.now());
    alerts.matches.keepRules(rules.rules.map(({ id }) => id));
    const { repository } = rules;
    if (repository !== undefined)
      await this.#write((tables) => moveIssueRepository(tables, repository));
  }

  /** The GitHub repository of prefilled issues; undefined if nobody set or removed one. */
  async readIssueRepository(): Promise<string | undefined> {
    await this.#requireInitialized();
    return readCodeSettings(this.#parts.tables).settings.issuesIn;
  }

  /** The current issues, null for those that do not exist. Rejects during a rebuild. */
  async readAlertedIssues(
    digests: readonly Digest[],
    comments: readonly string[] = [],
  ): Promise<readonly (AlertedFacts | null)[]> {
    await this.#requireInitialized();
    this.#parts.jobs.throwIfRebuilding();
    return readAlertedIssues(this.#parts.tables, this.#parts.places, digests, comments);
  }

  /** The progress of the fix of each issue, in the order of the digests; null without an issue. */
  readFixProgress(digests: readonly Digest[]): Promise<readonly (FixProgress | null)[]> {
    return this.#read((tables) => readFixProgress(tables, digests, Date.now()));
  }

  /** Called only by an alert sender of the release before, for minutes after a deployment. */
  async readResolvers(digests: readonly Digest[]): Promise<readonly (string | null)[]> {
    await this.#requireInitialized();
    return digests.map((digest) => findResolver(this.#parts.tables, digest) ?? null);
  }

  /** The facts of a message to a coding agent, or why it is not sent. Called for each attempt. */
  async takeHandOff(
    handOff: SentHandOff,
  ): Promise<Result<HandOffFacts, { readonly reason: HandOffRefusal }>> {
    const { project } = this.#parts;
    return this.#write((tables, nowMs) => {
      const result = takeHandOff(tables, project, handOff, nowMs);
      return { result, dirtyKeys: createDirtyKeys({}) };
    });
  }

  /** Adds an alert that a destination accepted to the activity of its issues. */
  async recordSentAlert(digests: readonly Digest[], sent: SentAlert): Promise<void> {
    await this.#requireInitialized();
    const { issues, alerts } = this.#parts.tables;
    // Nothing in it depends on what is staged.
    this.#parts.tables.stagingTransaction(() => {
      for (const digest of digests)
        if (issues.get(digest) !== undefined) alerts.sent.add(digest, sent);
    });
  }

  /** The facts of the project that alerts are about. */
  async readProjectFacts(): Promise<ProjectFacts> {
    const releases = await this.listReleases();
    const health = await this.getHealth();
    const issues = this.#parts.lists.listNewest(MAX_RATE_ISSUES);
    return toProjectFacts(issues, releases, health, Date.now());
  }

  /** The facts of a period, for a summary by mail. Rejects during a rebuild. */
  async readPeriod(query: PeriodQuery): Promise<PeriodFacts> {
    this.#parts.jobs.throwIfRebuilding();
    const releases = await this.listReleases();
    return this.#read((tables) =>
      readPeriod(tables, this.#parts.lists, releases, query, Date.now()),
    );
  }

  /** Applies what a tracker says: the state of its issues, and changes that fix some of ours. */
  applyTrackerEvents(tracker: FollowingTracker, events: readonly TrackerEvent[]): Promise<void> {
    return this.#write((tables, nowMs) => applyTrackerEvents(tables, tracker, events, nowMs));
  }

  /** The issues that connections to trackers follow: `limit` after one. */
  listFollowedIssues(after: Digest, limit: number): Promise<readonly FollowedIssue[]> {
    return this.#read((tables) => listFollowed(tables, after, limit));
  }

  /** Tells trackers the proofs of fixes that they have not heard. */
  async tellTrackerProofs(): Promise<void> {
    const releases = (await this.listReleases()).filter(wasSeen);
    return this.#write((tables, nowMs) => ({ result: tellProofs(tables, releases, nowMs) }));
  }

  // Project data: export, import, erasure, jobs.

  /** The configured shards, and those of earlier configurations. */
  async listShards(): Promise<readonly string[]> {
    return this.#parts.listShards();
  }

  /** The first records of triage, or those after a cursor. */
  async exportTriage(cursor?: string): Promise<TriagePart> {
    return exportTriage(this.#parts.tables, cursor);
  }

  /** Imports decisions, annotations and views where the project has none. */
  async importTriage(records: readonly TriageRecord[]): Promise<void> {
    this.#parts.tables.writeStaged();
    this.#saveSnapshots(importTriage(this.#parts.tables, records, Date.now()));
  }

  /** Erases one report; false if no shard has it. Rejects if KV fails. */
  async eraseReport(id: ReportId): Promise<boolean> {
    await this.#waitForLogs();
    const { startId } = this.#parts.rowReceiver;
    const dirtyKeys = await eraseReportFromLogs(
      this.#parts.tables,
      this.#parts.listLogs(),
      id,
      startId,
    );
    if (dirtyKeys !== null) this.#saveSnapshots(dirtyKeys);
    return dirtyKeys !== null;
  }

  /** Starts to erase an issue; false if there is none. */
  async eraseIssue(digest: Digest): Promise<boolean> {
    const job = await this.#read((tables) => createEraseIssueJob(tables, digest));
    if (job !== null) await this.enqueueJob(job);
    return job !== null;
  }

  /** Starts to count reports and issues that contain a text. The caller chooses a new `id`. */
  async previewErasure(id: string, text: string): Promise<void> {
    this.#parts.tables.erasures.add(id, text, Date.now());
    await this.enqueueJob({ kind: "preview-erasure", id, text });
  }

  /** The erasure of a text and its progress; null if it is unknown, or expired after an hour. */
  async getErasure(id: string): Promise<TextErasure | null> {
    await this.#requireInitialized();
    const erasure = this.#parts.tables.erasures.get(id);
    const work = this.#parts.jobs.getProgressOf(id);
    return erasure && { ...erasure, work };
  }

  /** Adds a job after those in progress. It continues without further calls. */
  async enqueueJob(job: Job): Promise<void> {
    // Jobs require that nothing is staged.
    this.#parts.tables.writeStaged();
    // An undo would restore data that the erasure cannot find.
    this.#parts.tables.undo.wipe();
    this.#parts.jobs.enqueue(job);
    this.ctx.waitUntil(this.#parts.jobs.run());
  }

  /** Resolves when no snapshot is being written. */
  override async waitUntilIdle(): Promise<void> {
    await this.#parts.snapshots.writer.waitForWrite();
  }

  // WebSockets of the live page.

  /** Opens a WebSocket for `holder` that receives live events until `endsMs` of the query. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const endsMs = Number(searchParams.get("endsMs") || Infinity);
    const holder = searchParams.get("holder") || undefined;
    return this.#parts.liveSockets.accept({ endsMs, holder }, Date.now());
  }

  override async webSocketMessage(): Promise<void> {
    this.#parts.liveSockets.closeExpired(Date.now());
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#parts.liveSockets.onClose(socket, code);
  }

  /** Closes every live WebSocket; clients reconnect if they still have access. */
  closeLiveSockets(): void {
    this.#parts.liveSockets.closeAll();
  }

  // Lifecycle.

  protected override setAlarmBy(atMs: number): Promise<void> {
    return this.#parts.alarm.setBy(atMs);
  }

  protected override async onAlarm(): Promise<void> {
    const dueMs = this.#parts.alarm.onFired();
    await Promise.all([
      this.#sweep(),
      this.#parts.snapshots.writer.write({ isAlarm: true }),
      this.#parts.jobs.run(dueMs),
      this.#parts.places.resume(),
      this.#parts.dispatcher.run(),
    ]);
  }

  async #sweep(): Promise<void> {
    try {
      await this.#parts.expirySweep.run(Date.now());
    } catch (error) {
      // The platform gives up on an alarm that throws repeatedly. Snapshots and jobs need the
      // alarm.
      console.error("index: cannot delete expired data", String(error));
    }
    if (this.#parts.expirySweep.hasMore) await this.#parts.alarm.setBy(Date.now());
  }

  /** Rejects while the index is empty and KV does not answer whether the project has data. */
  async #requireInitialized(): Promise<void> {
    const { shardProgress } = this.#parts.tables;
    if (shardProgress.isInitialized()) return;
    await this.#initialize();
    if (!shardProgress.isInitialized()) throw new Error("cannot read the project's keys from KV");
  }

  /** Starts a rebuild if the index lacks data of KV, then continues interrupted work. */
  async #initialize(): Promise<void> {
    await this.#parts.jobs.detectLostState();
    this.#resume();
  }

  /** Continues interrupted work. */
  #resume(): void {
    this.ctx.waitUntil(this.#parts.snapshots.writer.resume());
    this.ctx.waitUntil(this.#parts.places.resume());
    if (!this.#parts.tables.alerts.isEmpty()) this.ctx.waitUntil(this.#parts.dispatcher.run());
    if (this.#parts.jobs.hasJobs) this.ctx.waitUntil(this.#parts.jobs.run());
  }

  // Reads and changes with all acknowledged reports.

  /** Runs a query once the logs have sent every acknowledged row and all of them are stored. */
  async #read<T>(query: (tables: IndexTables) => T): Promise<T> {
    await this.#waitForLogs();
    this.#parts.tables.writeForQuery(Date.now());
    return query(this.#parts.tables);
  }

  /** Makes a change once the logs have sent every acknowledged row, then writes its snapshots. */
  async #write<T>(change: (tables: IndexTables, nowMs: number) => ChangeResult<T>): Promise<T> {
    await this.#waitForLogs();
    this.#parts.tables.writeStaged();
    const { result, dirtyKeys } = change(this.#parts.tables, Date.now());
    if (dirtyKeys !== undefined) this.#saveSnapshots(dirtyKeys);
    // A decision can close the incidents of pagers.
    if (!this.#parts.tables.alerts.isEmpty())
      this.ctx.waitUntil(this.#parts.dispatcher.prepare().then(() => this.#parts.dispatcher.run()));
    return result;
  }

  /** Resolves when the logs have sent every acknowledged row; some may be staged. */
  async #waitForLogs(): Promise<void> {
    await this.#requireInitialized();
    await this.#parts.barrier.wait();
  }

  /** Writes snapshots to KV later. */
  #saveSnapshots(dirtyKeys: DirtyKeys): void {
    this.#parts.snapshots.markDirty(dirtyKeys);
    this.ctx.waitUntil(this.#parts.snapshots.writer.write());
  }
}
