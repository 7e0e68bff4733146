/**
 * ProjectIndex: the Durable Object with the issues of one project. It counts every report exactly
 * once, answers queries, and writes snapshots to KV for requests elsewhere. It stores no report
 * bodies: a report summary has the position of the body in the log and in the archive. An index
 * that lost its storage rebuilds itself from KV.
 *
 * This class composes the parts and has no logic: tables and changes are in `state/`, jobs over the
 * whole project in `jobs/`, the writing of snapshots in `snapshots/`.
 */

import { DurableObject } from "cloudflare:workers";
import { type Bindings, readStoreSettings } from "../../config.ts";
import type { SentAlert } from "../../core/alerts/sent-alert.ts";
import { toUtcDay } from "../../core/issue/aggregate-report.ts";
import type { AnnotationChange, Assignment } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { IssueCursor, IssueQuery, SavedView } from "../../core/issue/issue-query.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { IndexQueries } from "../../core/ports/storage-ports.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import type { ProjectFacts, RuleSet } from "../rpc/alerts-rpc.ts";
import type { ApplyResult, ProjectIndexRpc, SequencedItem } from "../rpc/index-rpc.ts";
import type { Job } from "../rpc/job.ts";
import { createAlertSenderStub, createSourceMapsStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import { AlertHandover } from "./alerts/alert-handover.ts";
import { toProjectFacts } from "./alerts/project-facts.ts";
import { readStoreHealth } from "./collect-health.ts";
import { ExpirySweep } from "./expiry-sweep.ts";
import { createEraseIssueJob } from "./jobs/erase-job.ts";
import { eraseReportFromLogs } from "./jobs/erase-report.ts";
import { ProjectJobs } from "./jobs/jobs.ts";
import { IssueLists } from "./lists/issue-lists.ts";
import { readOverview } from "./lists/read-overview.ts";
import { LiveSockets, listLatestEvents } from "./live-sockets.ts";
import { PlaceResolver } from "./places/place-resolver.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { RowReceiver } from "./row-receiver.ts";
import { ProjectSnapshots } from "./snapshots/snapshots.ts";
import type { Changed, DirtyKeys } from "./state/dirty-keys.ts";
import { IndexTables } from "./state/index-tables.ts";
import { findIssuesByAlias, findIssuesByCodes, listViews, resolveIssue } from "./state/queries.ts";
import { listReleases } from "./state/release-summaries.ts";
import { annotate, assignMany, decide, saveView } from "./triage/triage.ts";
import { exportTriage, importTriage } from "./triage/triage-records.ts";
import { undo } from "./triage/undo.ts";

const DAY_MS = 86_400_000;
/** The newest issues, whose hours are the rhythm of the project. */
const MAX_RHYTHM_ISSUES = 200;

/** One object per project, named by the project's id: `1`. */
export class ProjectIndex extends DurableObject<Bindings> implements ProjectIndexRpc {
  readonly #tables: IndexTables;
  readonly #lists: IssueLists;
  readonly #snapshots: ProjectSnapshots;
  readonly #places: PlaceResolver;
  readonly #jobs: ProjectJobs;
  readonly #alarm: SharedAlarm;
  readonly #liveSockets: LiveSockets;
  readonly #readBarrier: ReadBarrier;
  readonly #rowReceiver: RowReceiver;
  readonly #expirySweep: ExpirySweep;
  readonly #handover: AlertHandover;
  readonly #budget: WriteBudget;
  readonly #spoolWritesPerDay: number;
  readonly #configuredShards: readonly string[];
  readonly #getStubs: () => ReturnType<typeof createStubs>;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const project = ctx.id.name ?? "";
    const { shards, indexWritesPerDay, spoolWritesPerDay, retentionDays, location } =
      readStoreSettings(env);
    this.#spoolWritesPerDay = spoolWritesPerDay;
    const stubOptions = { project, ...omitUndefined({ location }) };
    this.#alarm = new SharedAlarm(ctx.storage, Date.now);
    const shared = {
      ...{ project, storage: ctx.storage, alarm: this.#alarm },
      ...{ kv: () => this.env.KV, nowMs: Date.now },
    };
    this.#configuredShards = Array.from({ length: shards }, (_, n) => String(n));
    this.#getStubs = () => createStubs(this.env, stubOptions);
    this.#budget = new WriteBudget(ctx.storage, indexWritesPerDay);
    this.#tables = new IndexTables(ctx.storage);
    this.#rowReceiver = new RowReceiver(this.#tables);
    this.#lists = new IssueLists(ctx.storage.sql, this.#tables.issues);
    this.#liveSockets = new LiveSockets(ctx);
    this.#expirySweep = new ExpirySweep(ctx.storage, this.#tables, retentionDays);
    const sourceMaps = () => createSourceMapsStub(this.env, stubOptions);
    this.#places = new PlaceResolver({
      ...shared,
      tables: this.#tables,
      sourceMaps,
      listNewest: (count) => this.#lists.listNewest(count),
      isPaused: () => this.#jobs.hasJobs,
    });
    this.#snapshots = new ProjectSnapshots({
      ...shared,
      tables: this.#tables,
      lists: this.#lists,
      budget: this.#budget,
      retentionDays,
      resolvePlaces: (digests) => this.#places.resolve(digests),
      isPaused: () => this.#jobs.blocksSnapshots,
    });
    this.#jobs = new ProjectJobs({
      ...shared,
      tables: this.#tables,
      getStubs: this.#getStubs,
      sourceMaps,
      onNewestUpload: (newest) => this.#places.setNewestUpload(newest),
      alertSender: () => createAlertSenderStub(this.env, stubOptions),
      listShards: () => this.#listShards(),
      startId: this.#rowReceiver.startId,
      onDirty: (dirtyKeys) => this.#saveSnapshots(dirtyKeys),
      waitForSnapshots: () => this.waitForSnapshots(),
      onIdle: async () => {
        await Promise.all([this.#snapshots.resume(), this.#places.resume()]);
      },
    });
    this.#handover = new AlertHandover({
      alerts: this.#tables.alerts,
      alarm: this.#alarm,
      sender: () => createAlertSenderStub(this.env, stubOptions),
      nowMs: Date.now,
    });
    this.#readBarrier = new ReadBarrier(
      this.#jobs,
      () => this.#listLogs(),
      this.#rowReceiver.startId,
    );
    if (this.#tables.shardProgress.isInitialized()) this.#resume();
    else ctx.blockConcurrencyWhile(() => this.#initialize());
  }

  // Called by the logs.

  async applyRows(
    shard: string,
    rows: readonly SequencedItem[],
    startId?: string,
  ): Promise<ApplyResult> {
    await this.#requireInitialized();
    this.#jobs.throwIfRebuilding();
    const { changes, result } = this.#rowReceiver.receive(shard, rows, {
      ...{ nowMs: Date.now(), startId, isGapless: this.#jobs.isReplayingLogs },
      mayStage: !this.#jobs.hasJobs,
    });
    this.#saveSnapshots(changes);
    if (changes.hasAlerts) {
      await this.#handover.prepare();
      this.ctx.waitUntil(this.#handover.run());
    }
    if (this.#liveSockets.hasClients)
      this.#liveSockets.broadcast(changes.createLiveEvents(), Date.now());
    return result;
  }

  async onLogCreated(shard: string, seq: number): Promise<void> {
    await this.#requireInitialized();
    const appliedSeq = this.#tables.shardProgress.getAppliedSeq(shard);
    if (appliedSeq > 0 && appliedSeq < seq) await this.enqueueJob({ kind: "rebuild" });
  }

  // Called by the source maps.

  async onUploaded(newest: number | null): Promise<void> {
    await this.#requireInitialized();
    this.#places.setNewestUpload(newest);
    this.ctx.waitUntil(this.#places.resume());
  }

  // Called by the spool.

  async takeSpoolWrite(trust: "page" | "public"): Promise<boolean> {
    const { caps } = this.#tables;
    const name = trust === "page" ? "page-spool" : "spool";
    const taken = caps.take(toUtcDay(Date.now()), name, this.#spoolWritesPerDay);
    caps.save();
    return taken > 0;
  }

  // Queries.

  async getIssue(digest: Digest) {
    // Also a staged one.
    await this.#waitForLogs();
    this.#snapshots.onViewed(digest);
    this.ctx.waitUntil(this.#places.resolve([digest]));
    return this.#tables.issues.get(digest) ?? null;
  }

  resolveIssue(summary: ReportSummary) {
    return this.#read((tables) => resolveIssue(tables, summary));
  }

  findIssuesByAlias(alias: string) {
    return this.#read((tables) => findIssuesByAlias(tables, alias));
  }

  searchIssues(text: string, count: number) {
    return this.#read(() => this.#lists.search(text, count));
  }

  findMatches(codes: readonly string[], text?: string) {
    const count = limits.maxMatchesPerOtherProject;
    return this.#read((tables) => {
      const found = findIssuesByCodes(tables, codes, count);
      const isFound = found.length > 0 || text === undefined;
      return isFound ? found : this.#lists.searchSummaries(text, count);
    });
  }

  listNewestIssues() {
    return this.#read(() => this.#lists.createSnapshot(Date.now()));
  }

  listIssues(query: IssueQuery, from: IssueCursor | undefined, count?: number) {
    return this.#read(() => this.#lists.listPage(query, from, Date.now(), count));
  }

  findNeighbors(query: IssueQuery, digest: Digest) {
    return this.#read(() => this.#lists.findNeighbors(query, digest, Date.now()));
  }

  listFacets(query: IssueQuery) {
    return this.#read(() => this.#lists.listFacets(query, Date.now()));
  }

  readOverview(...args: Parameters<IndexQueries["readOverview"]>) {
    return this.#read((tables) => readOverview(tables, this.#lists, Date.now(), args));
  }

  listSimilarIssues(digest: Digest) {
    return this.#read(() => this.#lists.findSimilar(digest));
  }

  listCounters(days: number) {
    const firstDay = toUtcDay(Date.now() - (days - 1) * DAY_MS);
    return this.#read(({ counters }) => counters.listSince(firstDay));
  }

  listReleases() {
    return this.#read((tables) => listReleases(tables, Date.now()));
  }

  listScripts(release: string) {
    return this.#read(({ releases }) => releases.scripts.list(release));
  }

  listLiveEvents() {
    return this.#read(() => listLatestEvents(this.#lists.listNewest(limits.recentLiveEvents)));
  }

  getAnnotations(digest: Digest) {
    return this.#read(({ annotations, alerts }) => ({
      ...annotations.getOrEmpty(digest),
      alerts: alerts.sent.list(digest),
    }));
  }

  listViews() {
    return this.#read(listViews);
  }

  // Called by the alert sender.

  async setAlertRules(rules: RuleSet): Promise<void> {
    this.#tables.alerts.rules.save(rules);
  }

  async readAlertedIssues(digests: readonly Digest[]) {
    await this.#requireInitialized();
    this.#jobs.throwIfRebuilding();
    // The message of a new issue has its place.
    await this.#places.resolve(digests);
    return digests.map((digest) => this.#tables.issues.get(digest) ?? null);
  }

  async recordSentAlert(digests: readonly Digest[], sent: SentAlert): Promise<void> {
    await this.#requireInitialized();
    const { issues, alerts } = this.#tables;
    this.#tables.transaction(() => {
      for (const digest of digests)
        if (issues.get(digest) !== undefined) alerts.sent.add(digest, sent);
    });
  }

  async readProjectFacts(): Promise<ProjectFacts> {
    const releases = await this.listReleases();
    const health = await this.getHealth();
    const issues = this.#lists.listNewest(MAX_RHYTHM_ISSUES);
    return toProjectFacts(issues, releases, health, Date.now());
  }

  // Triage.

  async decide(digest: Digest, input: DecisionInput, undoId?: string) {
    const [issue = null] = await this.#write((tables, nowMs) =>
      decide(tables, [digest], input, nowMs, undoId),
    );
    return issue;
  }

  async decideMany(digests: readonly Digest[], input: DecisionInput, undoId?: string) {
    const issues = await this.#write((tables, nowMs) =>
      decide(tables, digests, input, nowMs, undoId),
    );
    return issues.map(({ digest }) => digest);
  }

  annotate(digest: Digest, change: AnnotationChange, undoId?: string) {
    return this.#write((tables, nowMs) => annotate(tables, digest, change, nowMs, undoId));
  }

  assignMany(digests: readonly Digest[], change: Assignment, undoId?: string) {
    return this.#write((tables, nowMs) => assignMany(tables, digests, change, nowMs, undoId));
  }

  undo(id: string) {
    return this.#write((tables, nowMs) => undo(tables, id, nowMs));
  }

  saveView(name: string, view: Omit<SavedView, "name"> | null) {
    return this.#write((tables) => saveView(tables, name, view));
  }

  // Project data: export, import, erasure, jobs, health.

  async listShards() {
    return this.#listShards();
  }

  async exportTriage(cursor?: string) {
    return exportTriage(this.#tables, cursor);
  }

  async importTriage(records: readonly TriageRecord[]): Promise<void> {
    this.#tables.writeStaged();
    this.#saveSnapshots(importTriage(this.#tables, records, Date.now()));
  }

  async eraseReport(id: ReportId): Promise<boolean> {
    await this.#waitForLogs();
    const { startId } = this.#rowReceiver;
    const dirtyKeys = await eraseReportFromLogs(this.#tables, this.#listLogs(), id, startId);
    if (dirtyKeys !== null) this.#saveSnapshots(dirtyKeys);
    return dirtyKeys !== null;
  }

  async eraseIssue(digest: Digest): Promise<boolean> {
    const job = await this.#read((tables) => createEraseIssueJob(tables, digest));
    if (job !== null) await this.enqueueJob(job);
    return job !== null;
  }

  async previewErasure(id: string, text: string): Promise<void> {
    this.#tables.erasures.add(id, text, Date.now());
    await this.enqueueJob({ kind: "preview-erasure", id, text });
  }

  async getErasure(id: string) {
    await this.#requireInitialized();
    const erasure = this.#tables.erasures.get(id);
    const work = this.#jobs.getProgressOf(id);
    return erasure && { ...erasure, ...omitUndefined({ work }) };
  }

  async enqueueJob(job: Job): Promise<void> {
    // While there are jobs, nothing is staged.
    this.#tables.writeStaged();
    // An erasure would not find what an undo restores.
    this.#tables.undo.wipe();
    this.#jobs.enqueue(job);
    this.ctx.waitUntil(this.#jobs.run());
  }

  async waitForSnapshots(): Promise<void> {
    await this.#snapshots.waitForWrite();
  }

  getHealth(): Promise<StoreHealth> {
    return readStoreHealth(this.#listLogs(), {
      backlog: this.#snapshots.getBacklog(),
      budget: this.#budget,
      storedBytes: this.ctx.storage.sql.databaseSize,
      getProgress: () => this.#jobs.getProgress(),
    });
  }

  // WebSockets of the live page.

  /** Opens a WebSocket that receives live events until `endsMs` of the query. */
  override async fetch(request: Request): Promise<Response> {
    const endsMs = Number(new URL(request.url).searchParams.get("endsMs") || Infinity);
    return this.#liveSockets.accept(endsMs, Date.now());
  }

  override async webSocketMessage(): Promise<void> {
    this.#liveSockets.closeExpired(Date.now());
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#liveSockets.onClose(socket, code);
  }

  closeLiveSockets(): void {
    this.#liveSockets.closeAll();
  }

  // Lifecycle.

  override async alarm(): Promise<void> {
    const dueMs = this.#alarm.onFired();
    await Promise.all([
      this.#sweep(),
      this.#snapshots.write({ isAlarm: true }),
      this.#jobs.run(dueMs),
      this.#places.resume(),
      this.#handover.run(),
    ]);
  }

  async #sweep(): Promise<void> {
    try {
      await this.#expirySweep.run(Date.now());
    } catch (error) {
      // The runtime gives up an alarm that rejects several times, and with it snapshots and jobs.
      console.error("index: cannot delete expired data", String(error));
    }
    if (this.#expirySweep.hasMore) await this.#alarm.setBy(Date.now());
  }

  /** Runs a query once the logs have sent every acknowledged row and all of them are stored. */
  async #read<T>(query: (tables: IndexTables) => T): Promise<T> {
    await this.#waitForLogs();
    this.#tables.writeStaged();
    return query(this.#tables);
  }

  /** Makes a change once the logs have sent every acknowledged row, then saves its snapshots. */
  async #write<T>(change: (tables: IndexTables, nowMs: number) => Changed<T>): Promise<T> {
    await this.#waitForLogs();
    this.#tables.writeStaged();
    const { result, dirtyKeys } = change(this.#tables, Date.now());
    if (dirtyKeys !== undefined) this.#saveSnapshots(dirtyKeys);
    return result;
  }

  async #waitForLogs(): Promise<void> {
    await this.#requireInitialized();
    await this.#readBarrier.wait();
  }

  #saveSnapshots(dirtyKeys: DirtyKeys): void {
    this.#snapshots.markDirty(dirtyKeys);
    this.ctx.waitUntil(this.#snapshots.write());
  }

  /** Rejects while the index is empty and KV does not answer whether it should be. */
  async #requireInitialized(): Promise<void> {
    if (this.#tables.shardProgress.isInitialized()) return;
    await this.#initialize();
    if (!this.#tables.shardProgress.isInitialized())
      throw new Error("cannot read the project's keys from KV");
  }

  async #initialize(): Promise<void> {
    await this.#jobs.detectLostState();
    this.#resume();
  }

  #resume(): void {
    this.ctx.waitUntil(this.#snapshots.resume());
    this.ctx.waitUntil(this.#places.resume());
    if (!this.#tables.alerts.isEmpty()) this.ctx.waitUntil(this.#handover.run());
    if (this.#jobs.hasJobs) this.ctx.waitUntil(this.#jobs.run());
  }

  #listLogs() {
    return this.#listShards().map((shard) => this.#getStubs().log(shard));
  }

  /** The configured shards, and those that sent rows before the setting was reduced. */
  #listShards(): readonly string[] {
    return [...new Set([...this.#configuredShards, ...this.#tables.shardProgress.listShards()])];
  }
}
