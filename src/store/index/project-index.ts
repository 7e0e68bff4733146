/**
 * ProjectIndex: what a project knows of its issues, as a Durable Object. It counts every report exactly once, answers what
 * is true now, and copies snapshots into KV for everyone else. It holds no report bodies: those are in the log and the
 * record, and a mark says where. An index that has no memory of its own, but a record in KV, makes itself anew from that.
 */
import { DurableObject } from "cloudflare:workers";
import { type Bindings, readStoreSettings } from "../../config.ts";
import { toUtcDay } from "../../core/issue/aggregate-report.ts";
import type { AnnotationChange, Annotations } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { Issue, IssueList, IssueSummary } from "../../core/issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  SavedView,
} from "../../core/issue/issue-query.ts";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { getRetentionSeconds } from "../../core/issue/retention.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import type { Job } from "../rpc/job.ts";
import type { ApplyResult, ProjectIndexRpc, SequencedItem } from "../rpc/rpc.ts";
import { createStubs, type ProjectStubs, type StubOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";
import { eraseReportFromLogs } from "./jobs/erase-job.ts";
import { ProjectJobs } from "./jobs/jobs.ts";
import { LiveSockets, listLatestEvents } from "./live-sockets.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { ProjectSnapshots } from "./snapshots/snapshots.ts";
import { createDirtyKeys, type DirtyKeys } from "./state/dirty-keys.ts";
import { ProjectState } from "./state/project-state.ts";
import { listReleaseSummaries } from "./state/release-summaries.ts";

const HEALTH_TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;
const SESSION_DAYS = 30;
const DELETE_EXPIRED_INTERVAL_MS = 3_600_000;
const SNAPSHOT_RETRY_MS = 5_000;

/** One object a project, named by its id: `1`. */
export class ProjectIndex extends DurableObject<Bindings> implements ProjectIndexRpc {
  readonly #state: ProjectState;
  readonly #project: string;
  readonly #stubOptions: StubOptions;
  readonly #snapshots: ProjectSnapshots;
  readonly #budget: WriteBudget;
  readonly #shards: readonly string[];
  readonly #retentionDays: number;
  readonly #jobs: ProjectJobs;
  readonly #liveSockets: LiveSockets;
  readonly #readBarrier: ReadBarrier;
  #writingSnapshots: Promise<void> | null = null;
  #expiredDeletedMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#project = ctx.id.name ?? "";
    const { shards, indexWritesPerDay, retentionDays, location } = readStoreSettings(env);
    this.#stubOptions = { project: this.#project, ...omitUndefined({ location }) };
    this.#shards = Array.from({ length: shards }, (_, n) => String(n));
    this.#retentionDays = retentionDays;
    this.#budget = new WriteBudget(ctx.storage, indexWritesPerDay);
    this.#state = new ProjectState(ctx.storage);
    this.#liveSockets = new LiveSockets(ctx);
    this.#snapshots = new ProjectSnapshots({
      project: this.#project,
      state: this.#state,
      kv: () => this.env.KV,
      budget: this.#budget,
      retentionDays,
      nowMs: Date.now,
      isPaused: () => this.#jobs.blocksSnapshots,
    });
    this.#jobs = new ProjectJobs({
      project: this.#project,
      storage: ctx.storage,
      state: this.#state,
      kv: () => this.env.KV,
      stubs: () => this.#stubs,
      listShards: () => this.#listShards(),
      nowMs: Date.now,
      onDirty: (dirtyKeys) => this.#markDirty(dirtyKeys),
      waitForSnapshots: () => this.waitForSnapshots(),
      onIdle: () => {
        this.#snapshots.reload();
        return this.#writeSnapshots();
      },
    });
    this.#readBarrier = new ReadBarrier(this.#jobs, () =>
      this.#listShards().map((shard) => this.#stubs.log(shard)),
    );
    if (this.#state.isNew()) ctx.blockConcurrencyWhile(() => this.#initialize());
    else this.#resume();
  }

  async applyRows(shard: string, rows: readonly SequencedItem[]): Promise<ApplyResult> {
    await this.#requireInitialized();
    if (this.#jobs.isRebuilding) throw new Error("the index is being made anew");
    const isGapless = this.#jobs.isReplayingLogs;
    const { lastSeq, commonIssues, createLiveEvents, ...dirtyKeys } =
      this.#state.logApplier.applyNewRows(shard, rows, Date.now(), isGapless);
    this.#markDirty(dirtyKeys);
    if (this.#liveSockets.hasClients) this.#liveSockets.broadcast(createLiveEvents());
    return { seq: lastSeq, commonIssues };
  }

  async onLogCreated(shard: string, seq: number): Promise<void> {
    await this.#requireInitialized();
    const createLiveEvents = this.#state.issues.getAppliedSeq(shard);
    if (createLiveEvents > 0 && createLiveEvents < seq) await this.enqueueJob({ kind: "rebuild" });
  }

  async getIssue(digest: Digest): Promise<Issue | null> {
    await this.#waitForLogs();
    return this.#state.issues.get(digest) ?? null;
  }

  async resolveIssue(summary: ReportSummary): Promise<Digest> {
    await this.#waitForLogs();
    return this.#state.resolveIssue(summary);
  }

  async listNewestIssues(): Promise<IssueList> {
    await this.#waitForLogs();
    return this.#state.listNewest(Date.now());
  }

  async searchIssues(text: string, count: number): Promise<readonly Digest[]> {
    await this.#waitForLogs();
    return this.#state.search.search(text, count);
  }

  async listCounters(days: number): Promise<readonly DailyCounter[]> {
    await this.#waitForLogs();
    return this.#state.counters.listSince(toUtcDay(Date.now() - (days - 1) * DAY_MS));
  }

  async findIssuesByAlias(alias: string): Promise<readonly Digest[]> {
    await this.#waitForLogs();
    return this.#state.resolveAlias(alias);
  }

  async listIssues(query: IssueQuery, from: IssueCursor | undefined): Promise<IssueListPage> {
    await this.#waitForLogs();
    return this.#state.lists.listPage(query, from, Date.now());
  }

  async listFacets(query: IssueQuery): Promise<readonly IssueFacet[]> {
    await this.#waitForLogs();
    return this.#state.lists.listFacets(query, Date.now());
  }

  async listSimilarIssues(digest: Digest): Promise<readonly IssueSummary[]> {
    await this.#waitForLogs();
    return this.#state.findSimilar(digest);
  }

  async listReleases(): Promise<readonly ReleaseSummary[]> {
    return listReleaseSummaries(this.#state, await this.listCounters(SESSION_DAYS));
  }

  async listLiveEvents(): Promise<readonly LiveEvent[]> {
    await this.#waitForLogs();
    return listLatestEvents(this.#state.lists.listNewest(limits.recentLiveEvents));
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // What says that there was no code cannot be sent as one.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  /** Ends every watch; whoever may still watch comes again. */
  closeLiveSockets(): void {
    this.#liveSockets.closeAll();
  }

  /** Whoever opens a WebSocket watches what is counted. */
  override async fetch(): Promise<Response> {
    return this.#liveSockets.accept();
  }

  async decide(digest: Digest, input: DecisionInput): Promise<Issue | null> {
    await this.#waitForLogs();
    const issue = this.#state.triage.decide(digest, input, Date.now());
    if (issue === undefined) return null;
    this.#markDirty(
      createDirtyKeys({ issues: [digest], decisions: [digest], annotations: [digest] }),
    );
    return issue;
  }

  async decideMany(digests: readonly Digest[], input: DecisionInput): Promise<readonly Digest[]> {
    await this.#waitForLogs();
    const { triage } = this.#state;
    const decided = digests.filter((digest) => triage.decide(digest, input, Date.now()));
    this.#markDirty(createDirtyKeys({ issues: decided, decisions: decided, annotations: decided }));
    return decided;
  }

  async getAnnotations(digest: Digest): Promise<Annotations> {
    await this.#waitForLogs();
    return this.#state.triage.getAnnotations(digest);
  }

  async annotate(digest: Digest, change: AnnotationChange): Promise<Annotations | null> {
    await this.#waitForLogs();
    const result = this.#state.triage.annotate(digest, change, Date.now());
    if (result === undefined) return null;
    this.#markDirty(result.dirtyKeys);
    return result.annotations;
  }

  async listViews(): Promise<readonly SavedView[]> {
    await this.#waitForLogs();
    return this.#state.triage.listViews();
  }

  async saveView(
    name: string,
    view: Omit<SavedView, "name"> | null,
  ): Promise<readonly SavedView[]> {
    await this.#waitForLogs();
    const views = this.#state.triage.saveView(name, view);
    this.#snapshots.markViewsDirty();
    this.ctx.waitUntil(this.#writeSnapshots());
    return views;
  }

  async listShards(): Promise<readonly string[]> {
    return this.#listShards();
  }

  async exportTriage(): Promise<readonly TriageRecord[]> {
    return this.#state.triage.exportRecords();
  }

  async importTriage(records: readonly TriageRecord[]): Promise<void> {
    for (const record of records) this.#state.triage.importRecord(record, Date.now());
    this.#snapshots.reload();
    this.ctx.waitUntil(this.#writeSnapshots());
  }

  async eraseReport(id: ReportId): Promise<boolean> {
    await this.#waitForLogs();
    const logs = this.#listShards().map((shard) => this.#stubs.log(shard));
    const dirtyKeys = await eraseReportFromLogs(this.#state, logs, id);
    if (dirtyKeys === null) return false;
    this.#markDirty(dirtyKeys);
    return true;
  }

  async eraseIssue(digest: Digest): Promise<boolean> {
    await this.#waitForLogs();
    const issue = this.#state.issues.get(digest);
    if (issue === undefined) return false;
    const { merges } = this.#state;
    await this.enqueueJob({
      kind: "erase-issue",
      digest,
      aliases: this.#state.listExclusiveCodes(digest),
      ...omitUndefined({ merged: issue.mergedDigests }),
      splitOff: merges.listSplitFrom(digest),
      movedTo: merges.listSplitWatermarks(digest),
    });
    return true;
  }

  async waitForSnapshots(): Promise<void> {
    await this.#writingSnapshots;
  }

  async enqueueJob(job: Job): Promise<void> {
    this.#jobs.enqueue(job);
    this.ctx.waitUntil(this.#jobs.run());
  }

  async getHealth(): Promise<StoreHealth> {
    const logs = this.#listShards().map((shard) => this.#stubs.log(shard).getHealth());
    const results = await withTimeout(Promise.allSettled(logs), HEALTH_TIMEOUT_MS).catch(() => []);
    const nowMs = Date.now();
    const progress = this.#jobs.getProgress();
    return {
      shards: results.flatMap((health) => (health.status === "fulfilled" ? health.value : [])),
      snapshots: {
        waiting: this.#snapshots.dirtyCount,
        waitMs: this.#budget.getWaitMs(nowMs),
        storedBytes: this.ctx.storage.sql.databaseSize,
        ...this.#budget.getUsage(nowMs),
      },
      ...(progress !== undefined && { work: progress }),
    };
  }

  override async alarm(): Promise<void> {
    this.#deleteExpired(Date.now());
    await Promise.all([this.#writeSnapshots(), this.#jobs.run()]);
  }

  /** Rejects while it is not known whether KV has a record of which nothing is here. */
  async #requireInitialized(): Promise<void> {
    if (!this.#state.isNew()) return;
    await this.#initialize();
    if (this.#state.isNew()) throw new Error("KV does not say whether there is a record");
  }

  /** Reads every issue, so it is done once an hour. */
  #deleteExpired(nowMs: number): void {
    if (nowMs - this.#expiredDeletedMs < DELETE_EXPIRED_INTERVAL_MS) return;
    this.#expiredDeletedMs = nowMs;
    const getRetentionMs = (isCommon: boolean) =>
      getRetentionSeconds(this.#retentionDays, isCommon) * 1000;
    this.#state.deleteExpired(nowMs - getRetentionMs(false), nowMs - getRetentionMs(true), nowMs);
  }

  async #initialize(): Promise<void> {
    await this.#jobs.detectLostState();
    this.#resume();
  }

  #resume(): void {
    if (this.#snapshots.dirtyCount > 0) this.ctx.waitUntil(this.#writeSnapshots());
    if (this.#jobs.hasJobs) this.ctx.waitUntil(this.#jobs.run());
  }

  get #stubs(): ProjectStubs {
    return createStubs(this.env, this.#stubOptions);
  }

  #markDirty(dirtyKeys: DirtyKeys): void {
    this.#snapshots.markDirty(dirtyKeys);
    this.ctx.waitUntil(this.#writeSnapshots());
  }

  /** Whoever sent a report and then looks finds it. Rejects while the index is made anew. */
  async #waitForLogs(): Promise<void> {
    await this.#requireInitialized();
    await this.#readBarrier.wait();
  }

  /** Every shard that there is, and those that there were while the setting said more. */
  #listShards(): readonly string[] {
    return [...new Set([...this.#shards, ...this.#state.issues.listShards()])];
  }

  /** Writes what is due, and has the alarm write the rest. One copy at a time. */
  #writeSnapshots(): Promise<void> {
    if (this.#jobs.blocksSnapshots) return Promise.resolve();
    this.#writingSnapshots ??= this.#writeDueSnapshots().finally(() => {
      this.#writingSnapshots = null;
    });
    return this.#writingSnapshots;
  }

  async #writeDueSnapshots(): Promise<void> {
    // Set before the first put as well: should the object die meanwhile, the alarm brings it back.
    await this.ctx.storage.setAlarm(Date.now() + SNAPSHOT_RETRY_MS);
    const dueMs = await this.#snapshots.writeDue();
    if (this.#jobs.hasJobs) return;
    if (dueMs === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(dueMs);
  }
}
