/**
 * ProjectIndex: the Durable Object with the issues of one project. It counts every report exactly
 * once, answers the desk, and writes snapshots to KV for requests elsewhere. It stores no report
 * bodies: a report summary has the position of the body in the log and in the archive. An index
 * that lost its storage rebuilds itself from KV.
 *
 * This class has no logic: its parts are composed in `index-parts.ts`, the operations of the desk
 * are in `desk-operations.ts`.
 */

import type { Bindings } from "../../bindings.ts";
import type { PeriodFacts, PeriodQuery } from "../../core/alerts/periods/period-facts.ts";
import type { SentAlert } from "../../core/alerts/sent-alert.ts";
import { isFolded } from "../../core/flood/flood.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { IndexOperations } from "../../core/ports/storage-ports.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import type { ProjectFacts, RuleSet } from "../rpc/alerts-rpc.ts";
import type { ApplyResult, ProjectIndexRpc, SequencedItem } from "../rpc/index-rpc.ts";
import type { Job } from "../rpc/job.ts";
import { StoredObject } from "../sqlite/object.ts";
import { toProjectFacts } from "./alerts/project-facts.ts";
import { isPublicRow } from "./apply/count-rows.ts";
import { readAnnotations } from "./desk-operations.ts";
import { createIndexParts } from "./index-parts.ts";
import { createEraseIssueJob } from "./jobs/erase-job.ts";
import { eraseReportFromLogs } from "./jobs/erase-report.ts";
import { readPeriod } from "./lists/read-period.ts";
import { resolveIssue } from "./state/find-issue-of-report.ts";
import { findIssuesByAlias, listIssuesSplitFrom } from "./state/find-issues-by-code.ts";
import { INDEX_SCHEMA } from "./tables/index-schema.ts";
import { exportTriage, importTriage } from "./triage/triage-records.ts";

/** The newest issues, whose hours give the usual rate of reports. */
const MAX_RATE_ISSUES = 200;

/** One object per project, named by the project's id: `1`. */
export class ProjectIndex extends StoredObject implements ProjectIndexRpc {
  readonly #created: ReturnType<typeof createIndexParts> | undefined;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, INDEX_SCHEMA);
    if (!this.isReady) return;
    this.#created = createIndexParts(ctx, () => this.env, this.database);
    const { tables, access } = this.#parts;
    if (tables.shardProgress.isInitialized()) access.resume();
    else ctx.blockConcurrencyWhile(() => access.initialize());
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  // Calls of the logs.

  async applyRows(
    shard: string,
    rows: readonly SequencedItem[],
    startId?: string,
  ): Promise<ApplyResult> {
    await this.#parts.access.requireInitialized();
    this.#parts.jobs.throwIfRebuilding();
    const { changes, result } = this.#parts.rowReceiver.receive(shard, rows, {
      ...{ nowMs: Date.now(), startId, isGapless: this.#parts.jobs.isReplayingLogs },
      mayStage: !this.#parts.jobs.hasJobs,
    });
    const { meter, publicRows } = this.#parts.tables;
    const before = meter.rows;
    this.#parts.access.saveSnapshots(changes);
    if (rows.every(isPublicRow)) publicRows.add(meter.rows - before, Date.now());
    if (changes.hasAlerts) {
      await this.#parts.dispatcher.prepare();
      this.ctx.waitUntil(this.#parts.dispatcher.run());
    }
    if (this.#parts.liveSockets.hasClients)
      this.#parts.liveSockets.broadcast(changes.createLiveEvents(), Date.now());
    return result;
  }

  async onLogCreated(shard: string, seq: number): Promise<void> {
    await this.#parts.access.requireInitialized();
    const appliedSeq = this.#parts.tables.shardProgress.getAppliedSeq(shard);
    if (appliedSeq > 0 && appliedSeq < seq) await this.enqueueJob({ kind: "rebuild" });
  }

  // Calls of the source maps.

  async onUploaded(newest: number | null): Promise<void> {
    await this.#parts.access.requireInitialized();
    this.#parts.places.setNewestUpload(newest);
    this.ctx.waitUntil(this.#parts.places.resume());
  }

  // Calls of the spool.

  async takeSpoolWrite(trust: "page" | "public"): Promise<boolean> {
    const { caps } = this.#parts.tables;
    const name = trust === "page" ? "page-spool" : "spool";
    const taken = caps.take(toUtcDay(Date.now()), name, this.#parts.spoolWritesPerDay);
    caps.save();
    return taken > 0;
  }

  // Calls of the Worker.

  operate(name: keyof IndexOperations, args: readonly unknown[]): Promise<unknown> {
    const { operations } = this.#parts;
    return Reflect.apply(operations[name], operations, args);
  }

  getHealth(): Promise<StoreHealth> {
    return this.#parts.operations.getHealth();
  }

  async getIssue(digest: Digest) {
    // The issue may be staged.
    await this.#parts.access.waitForLogs();
    this.#parts.snapshots.onViewed(digest);
    this.ctx.waitUntil(this.#parts.places.resolve([digest]));
    return this.#parts.tables.issues.get(digest) ?? null;
  }

  async getCurrentIssue(digest: Digest) {
    const issue = await this.getIssue(digest);
    const { tables, lists } = this.#parts;
    tables.writeForQuery(Date.now());
    const similar = lists.findSimilar(digest, listIssuesSplitFrom(tables, digest));
    return { issue, annotations: readAnnotations(tables, digest), similar };
  }

  resolveIssue(summary: ReportSummary) {
    return this.#parts.access.read((tables) => resolveIssue(tables, summary));
  }

  findIssuesByAlias(alias: string) {
    return this.#parts.access.read((tables) => findIssuesByAlias(tables, alias));
  }

  searchIssues(text: string, count: number) {
    return this.#parts.access.read(() => this.#parts.lists.search(text, count));
  }

  listNewestIssues() {
    return this.#parts.access.read(() => this.#parts.lists.createSnapshot(Date.now()));
  }

  // Calls of the alert sender.

  async setAlertRules(rules: RuleSet): Promise<void> {
    const { alerts } = this.#parts.tables;
    alerts.rules.save(rules, Date.now());
    alerts.matches.keepRules(rules.rules.map(({ id }) => id));
  }

  async readAlertedIssues(digests: readonly Digest[]) {
    await this.#parts.access.requireInitialized();
    this.#parts.jobs.throwIfRebuilding();
    // The message of a new issue shows its place.
    await this.#parts.places.resolve(digests);
    const { issues, floods } = this.#parts.tables;
    const now = floods.listFloods(Date.now());
    return digests.map((digest) => {
      const issue = issues.get(digest) ?? null;
      return issue !== null && isFolded(issue, now) ? { ...issue, isFolded: true as const } : issue;
    });
  }

  async readResolvers(digests: readonly Digest[]) {
    await this.#parts.access.requireInitialized();
    return digests.map((digest) => {
      const { activity } = readAnnotations(this.#parts.tables, digest);
      return activity.findLast(({ action }) => action === "resolved")?.by ?? null;
    });
  }

  async recordSentAlert(digests: readonly Digest[], sent: SentAlert): Promise<void> {
    await this.#parts.access.requireInitialized();
    const { issues, alerts } = this.#parts.tables;
    // Nothing in it depends on what is staged.
    this.#parts.tables.stagingTransaction(() => {
      for (const digest of digests)
        if (issues.get(digest) !== undefined) alerts.sent.add(digest, sent);
    });
  }

  async readProjectFacts(): Promise<ProjectFacts> {
    const releases = await this.#parts.operations.listReleases();
    const health = await this.getHealth();
    const issues = this.#parts.lists.listNewest(MAX_RATE_ISSUES);
    return toProjectFacts(issues, releases, health, Date.now());
  }

  async readPeriod(query: PeriodQuery): Promise<PeriodFacts> {
    this.#parts.jobs.throwIfRebuilding();
    const releases = await this.#parts.operations.listReleases();
    return this.#parts.access.read((tables) =>
      readPeriod(tables, this.#parts.lists, releases, query, Date.now()),
    );
  }

  // Project data: export, import, erasure, jobs, health.

  async listShards() {
    return this.#parts.listShards();
  }

  async exportTriage(cursor?: string) {
    return exportTriage(this.#parts.tables, cursor);
  }

  async importTriage(records: readonly TriageRecord[]): Promise<void> {
    this.#parts.tables.writeStaged();
    this.#parts.access.saveSnapshots(importTriage(this.#parts.tables, records, Date.now()));
  }

  async eraseReport(id: ReportId): Promise<boolean> {
    await this.#parts.access.waitForLogs();
    const { startId } = this.#parts.rowReceiver;
    const dirtyKeys = await eraseReportFromLogs(
      this.#parts.tables,
      this.#parts.listLogs(),
      id,
      startId,
    );
    if (dirtyKeys !== null) this.#parts.access.saveSnapshots(dirtyKeys);
    return dirtyKeys !== null;
  }

  async eraseIssue(digest: Digest): Promise<boolean> {
    const job = await this.#parts.access.read((tables) => createEraseIssueJob(tables, digest));
    if (job !== null) await this.enqueueJob(job);
    return job !== null;
  }

  async previewErasure(id: string, text: string): Promise<void> {
    this.#parts.tables.erasures.add(id, text, Date.now());
    await this.enqueueJob({ kind: "preview-erasure", id, text });
  }

  async getErasure(id: string) {
    await this.#parts.access.requireInitialized();
    const erasure = this.#parts.tables.erasures.get(id);
    const work = this.#parts.jobs.getProgressOf(id);
    return erasure && { ...erasure, ...omitUndefined({ work }) };
  }

  async enqueueJob(job: Job): Promise<void> {
    // Jobs require that nothing is staged.
    this.#parts.tables.writeStaged();
    // An undo would restore data that the erasure cannot find.
    this.#parts.tables.undo.wipe();
    this.#parts.jobs.enqueue(job);
    this.ctx.waitUntil(this.#parts.jobs.run());
  }

  async waitForSnapshots(): Promise<void> {
    await this.#parts.snapshots.waitForWrite();
  }

  // WebSockets of the live page.

  /** Opens a WebSocket that receives live events until `endsMs` of the query. */
  override async fetch(request: Request): Promise<Response> {
    const endsMs = Number(new URL(request.url).searchParams.get("endsMs") || Infinity);
    return this.#parts.liveSockets.accept(endsMs, Date.now());
  }

  override async webSocketMessage(): Promise<void> {
    this.#parts.liveSockets.closeExpired(Date.now());
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#parts.liveSockets.onClose(socket, code);
  }

  closeLiveSockets(): void {
    this.#parts.liveSockets.closeAll();
  }

  // Lifecycle.

  protected override async onAlarm(): Promise<void> {
    const dueMs = this.#parts.alarm.onFired();
    await Promise.all([
      this.#sweep(),
      this.#parts.snapshots.write({ isAlarm: true }),
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
}
