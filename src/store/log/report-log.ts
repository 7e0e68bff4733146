/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object.
 *
 * The path of an append:
 *
 *     append ─▶ LogWriter: skip known ids ─▶ sample ─▶ batch of this turn of the event loop
 *     #commit ─▶ LogTable: one row per batch, durable before `append` resolves
 *            ├─▶ IndexOutbox ─▶ ProjectIndex, until it has applied the row
 *            └─▶ ChunkUploader ─▶ KV, when the chunk is full or the alarm runs
 *
 * A row is deleted once its chunk is in KV and the index has stored it. While KV is unavailable or
 * the write budget is used up, rows stay here and reports are still accepted. A closed chunk only
 * changes to erase from it.
 */
import { DurableObject } from "cloudflare:workers";
import { type Bindings, readStoreSettings } from "../../config.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { fail, ok } from "../../core/result.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import type { ErasedLine, Erasure, LineCounts } from "../kv/erase-lines.ts";
import { chunkKey, parsePosition } from "../kv/keys.ts";
import { toUntrustedTraceId } from "../kv/trace-ids.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import type {
  AppendOutcome,
  AppendPart,
  CatalogedChunk,
  ChunkRef,
  ExportedPart,
  ExportRange,
  LogCheckpoint,
  ReportLogRpc,
  TracedReports,
} from "../rpc/log-rpc.ts";
import { createStubs, type StubOptions } from "../rpc/stubs.ts";
import { CatalogSweep } from "./catalog/sweep.ts";
import { ChunkRetention } from "./chunk-retention.ts";
import { ChunkUploader } from "./chunk-uploader.ts";
import { CommitPace } from "./commit-pace.ts";
import { exportChunks } from "./export-chunks.ts";
import { LogMaintenance } from "./log-maintenance.ts";
import { LogTable } from "./log-table.ts";
import { type CommitResult, LogWriter } from "./log-writer.ts";
import { getUploadDelayMs } from "./open-chunk.ts";
import { IndexOutbox } from "./outbox.ts";
import { SeenIds } from "./seen-ids.ts";

/** KV allows one write per second and key: a failed upload is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;

/** One object per shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #project: string;
  readonly #shard: string;
  readonly #stubOptions: StubOptions;
  readonly #table: LogTable;
  readonly #budget: WriteBudget;
  readonly #seenIds: SeenIds;
  readonly #writer: LogWriter;
  readonly #outbox: IndexOutbox;
  readonly #uploader: ChunkUploader;
  readonly #maintenance: LogMaintenance;
  readonly #sweep: CatalogSweep;
  readonly #chunkReader = new SingleFlightChunkReader(() => this.env.KV);
  readonly #commitPace = new CommitPace();
  #commitTimer: ReturnType<typeof setTimeout> | undefined;
  /** The wait that the timer was set for. */
  #commitWaitMs = 0;
  /** When the alarm runs; infinite if none is set. */
  #alarmMs = Number.POSITIVE_INFINITY;
  #resumeTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = RETRY_MIN_MS;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const [project = "", shard = ""] = (ctx.id.name ?? "").split("/");
    const { shardWritesPerDay, retentionDays, location } = readStoreSettings(env);
    const nowMs = Date.now;
    const kv = () => this.env.KV;
    const table = new LogTable(ctx.storage, shard, nowMs());
    const budget = new WriteBudget(ctx.storage, shardWritesPerDay);
    const retention = new ChunkRetention(retentionDays);
    const shared = { project, shard, table, budget, kv, nowMs };
    this.#project = project;
    this.#shard = shard;
    this.#stubOptions = { project, ...omitUndefined({ location }) };
    this.#table = table;
    this.#budget = budget;
    this.#seenIds = new SeenIds(table, nowMs());
    this.#writer = new LogWriter(shard, table, this.#seenIds);
    this.#outbox = new IndexOutbox({
      log: table,
      apply: (items, startId) => this.#index.applyRows(shard, items, startId),
      retention,
      nowMs,
    });
    this.#uploader = new ChunkUploader({ ...shared, retention });
    this.#maintenance = new LogMaintenance({ ...shared, uploader: this.#uploader });
    this.#sweep = new CatalogSweep(table, () => ctx.storage.sql.databaseSize);
    ctx.blockConcurrencyWhile(() => this.#resume());
    const firstSeq = table.getUnannouncedSeq();
    if (firstSeq !== undefined) ctx.waitUntil(this.#announceNewLog(firstSeq));
  }

  /** Adds reports to the next batch. Resolves when its row is durable. */
  async append(parts: readonly AppendPart[]): Promise<readonly AppendOutcome[]> {
    this.#commitPace.onCall(Date.now(), parts.length);
    const written = parts.map((part) => this.#writer.append(part, Date.now()));
    this.#scheduleCommit();
    const settled = await Promise.allSettled(written);
    return Promise.all(
      settled.map((one, n) =>
        one.status === "fulfilled" ? ok(one.value) : this.#appendAlone(parts[n]),
      ),
    );
  }

  /** Writes a part as a row of its own: another part of its batch may have been the cause. */
  async #appendAlone(part?: AppendPart): Promise<AppendOutcome> {
    try {
      if (part === undefined) throw new Error("the part is missing");
      this.#commit();
      const results = this.#writer.append(part, Date.now());
      this.#commit();
      return ok(await results);
    } catch (error) {
      return fail({ reason: "not-written", cause: String(error) });
    }
  }

  async importLines(lines: readonly ImportLine[]): Promise<number> {
    const imported = this.#writer.importLines(lines, Date.now(), this.#canUpload);
    this.#afterCommit(imported);
    return imported.lineCount;
  }

  async exportChunks(range: ExportRange): Promise<ExportedPart> {
    const nowMs = Date.now;
    const source = { project: this.#project, shard: this.#shard, table: this.#table };
    return exportChunks({ ...source, kv: () => this.env.KV, nowMs }, range);
  }

  async flush(startId?: string): Promise<void> {
    const written = this.#writer.appendDuplicateCounts();
    if (this.#writer.hasBatches) this.#commit();
    await written;
    await this.#outbox.flush(startId);
  }

  async readLine(position: LogPosition): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const line = this.#table.readLines(parsed.chunk)[parsed.line];
    if (line !== undefined) return line;
    // A reader elsewhere may have cached in KV that the chunk is missing. This object has not.
    const lines = await this.#chunkReader.readLines(chunkKey(this.#project, parsed));
    return lines?.[parsed.line] ?? null;
  }

  async locate(id: ReportId, otherIds: readonly ReportId[] = []): Promise<LogPosition | null> {
    // By itself for this id only: an older report with it comes before the others.
    return this.#seenIds.get(id) ?? this.#seenIds.findStored([id, ...otherIds]);
  }

  async locateRecent(
    id: ReportId,
    otherIds: readonly ReportId[] = [],
  ): Promise<LogPosition | null> {
    const positions = [id, ...otherIds].map((one) => this.#seenIds.get(one));
    return positions.find((position) => position !== undefined) ?? null;
  }

  async locateByTrace(traceId: ReportId): Promise<TracedReports> {
    const { rows, catalog } = this.#table;
    const find = (id: ReportId) => [...rows.findByTrace(id, traceId), ...catalog.findByTrace(id)];
    const ofServers = find(traceId);
    return { ofServers, others: ofServers.length > 0 ? [] : find(toUntrustedTraceId(traceId)) };
  }

  async getHealth(): Promise<ShardHealth> {
    const nowMs = Date.now();
    const { chunks, lines: chunkLines } = this.#table.catalog.countTotals();
    const droppedIdsMs = this.#table.catalog.getDroppedMs();
    return {
      shard: this.#shard,
      ...this.#table.getBacklog(),
      waitMs: this.#budget.getWaitMs(nowMs),
      storedBytes: this.ctx.storage.sql.databaseSize,
      chunks,
      chunkLines,
      ...omitUndefined({ droppedIdsMs }),
      ...this.#budget.getUsage(nowMs),
    };
  }

  async checkpoint(): Promise<LogCheckpoint> {
    this.#writer.closeChunk();
    return this.#maintenance.checkpoint(this.#writer.openChunkNumber);
  }

  async replay(): Promise<LogCheckpoint> {
    const checkpoint = await this.checkpoint();
    this.#outbox.clear();
    this.#table.resetStoredSeq();
    this.#outbox.reload();
    if (!this.#table.isEmpty()) await this.#setAlarmBy(Date.now() + RETRY_MIN_MS);
    return checkpoint;
  }

  async catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]> {
    for (const { ids, extraIds, uploadedMs } of this.#maintenance.catalogChunks(chunks)) {
      this.#seenIds.addToFilter([...ids, ...extraIds.map(({ id }) => id)], uploadedMs);
    }
    this.#table.reserveChunks(lastChunk);
    this.#writer.skipUsedChunks();
    return chunks.flatMap(({ chunk }) => this.#table.catalog.erasedLines.list(chunk));
  }

  async eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    try {
      return await this.#maintenance.eraseFromChunk(chunk, erasure);
    } finally {
      this.#chunkReader.reset();
    }
  }

  countMatches(chunk: ChunkRef, text: string): Promise<LineCounts> {
    return this.#maintenance.countMatches(chunk, text);
  }

  async readLocalChunk(chunk: number): Promise<ChunkLines> {
    return { lines: this.#table.readLines(chunk), extraIds: this.#table.readExtraIds(chunk) };
  }

  async wipe(): Promise<number> {
    await this.#uploader.waitUntilIdle();
    const lastSeq = this.#table.wipe();
    this.#chunkReader.reset();
    this.#outbox.clear();
    this.#seenIds.reload(Date.now());
    this.#writer.reset();
    return lastSeq;
  }

  /**
   * Sends rows to the index and uploads chunks, each whether or not the other fails. It never
   * throws: the platform gives up an alarm that throws repeatedly.
   */
  override async alarm(): Promise<void> {
    this.#alarmMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#resumeTimer);
    if (this.#canUpload) this.#writer.closeChunk();
    const [sent, uploaded] = await Promise.allSettled([
      this.#outbox.sendAndStore(),
      this.#uploader.uploadClosed(),
    ]);
    this.#table.deleteFinishedRows();
    const hasMoreToSweep = this.#sweep.run(Date.now());
    const isSent = sent.status === "fulfilled";
    const isUploaded = uploaded.status === "fulfilled" && uploaded.value;
    this.#retryMs = isSent && isUploaded ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    if (hasMoreToSweep) await this.#setAlarmBy(Date.now() + RETRY_MIN_MS);
    await this.#setNextAlarm(isSent, isUploaded);
  }

  /**
   * Sets the alarm for what is left: a repetition after a failure, closed chunks that the write
   * budget delays, or the upload of the open chunk.
   */
  async #setNextAlarm(isSent: boolean, isUploaded: boolean): Promise<void> {
    if (this.#table.isEmpty()) return;
    const nowMs = Date.now();
    const budgetMs = this.#budget.getWaitMs(nowMs);
    // Rows that the index has not applied are not delayed by the write budget.
    if (!isSent) return this.#setAlarmBy(nowMs + this.#retryMs);
    const isWaiting = !isUploaded || this.#table.localChunks.hasToUpload();
    const delayMs = isWaiting ? this.#retryMs : this.#getUploadDelayMs(nowMs);
    await this.#setAlarmBy(nowMs + Math.max(delayMs, budgetMs));
  }

  /** Commits at once after a pause, and otherwise when other calls had time to join the batch. */
  #scheduleCommit(): void {
    if (!this.#writer.hasBatches) return;
    const waitMs = this.#commitPace.getWaitMs(Date.now());
    // A batch that is full by now does not wait as long as its first call had to.
    if (this.#commitTimer !== undefined && (waitMs !== 0 || this.#commitWaitMs === 0)) return;
    clearTimeout(this.#commitTimer);
    if (waitMs === null) {
      this.#commit();
      return;
    }
    this.#commitWaitMs = waitMs;
    this.#commitTimer = setTimeout(() => this.#commit(), waitMs);
  }

  /** Writes the batch as one row, which resolves its appends. */
  #commit(): void {
    clearTimeout(this.#commitTimer);
    this.#commitTimer = undefined;
    this.#commitPace.onCommit(Date.now());
    this.#afterCommit(this.#writer.commit(Date.now(), this.#canUpload));
  }

  /** Sends what was written to the index, and uploads the chunk if it is full. */
  #afterCommit({ items, hasClosedChunk }: CommitResult): void {
    if (items.length === 0) return;
    for (const item of items) this.#outbox.enqueue(item);
    this.ctx.waitUntil(this.#sendAndUpload(hasClosedChunk));
  }

  /** Neither step waits for the other; the alarm repeats what fails. */
  async #sendAndUpload(hasClosedChunk: boolean): Promise<void> {
    const nowMs = Date.now();
    const delayMs = Math.max(this.#getUploadDelayMs(nowMs), this.#budget.getWaitMs(nowMs));
    // Also if a later alarm follows: it is in the same transaction as the rows.
    const alarm = this.#setAlarmBy(nowMs + delayMs);
    const uploaded = hasClosedChunk ? this.#uploadAndDelete() : true;
    const [sent, isUploaded] = await Promise.allSettled([
      this.#outbox.sendPaced(),
      uploaded,
      alarm,
    ]);
    const isSent = sent.status === "fulfilled";
    const isDone = isUploaded.status === "fulfilled" && isUploaded.value;
    if (!isSent || hasClosedChunk) await this.#setNextAlarm(isSent, isDone);
  }

  async #uploadAndDelete(): Promise<boolean> {
    const isUploaded = await this.#uploader.uploadClosed();
    this.#table.deleteFinishedRows();
    return isUploaded;
  }

  /**
   * After a restart: unapplied rows are sent with the next ones or by the alarm, which was set with
   * the first row.
   */
  async #resume(): Promise<void> {
    const alarmMs = await this.ctx.storage.getAlarm();
    this.#outbox.reload();
    if (alarmMs !== null) this.#alarmMs = alarmMs;
    else if (!this.#table.isEmpty()) {
      // Usually the alarm itself started the object, and runs now.
      const setAlarm = () => void this.#setAlarmBy(Date.now() + RETRY_MIN_MS);
      this.#resumeTimer = setTimeout(setAlarm, RETRY_MIN_MS);
    }
  }

  /** Tells the index that this log is new: if the index knows more of it, it rebuilds both. */
  async #announceNewLog(firstSeq: number): Promise<void> {
    try {
      await this.#index.onLogCreated(this.#shard, firstSeq);
      this.#table.markAnnounced();
    } catch (error) {
      console.warn("report log: could not announce a new log to the index", String(error));
    }
  }

  /** Sets the alarm, unless it is set to an earlier time. */
  async #setAlarmBy(atMs: number): Promise<void> {
    if (this.#alarmMs <= atMs) return;
    this.#alarmMs = atMs;
    await this.ctx.storage.setAlarm(atMs);
  }

  #getUploadDelayMs(nowMs: number): number {
    return getUploadDelayMs(this.#budget.getPaceMs(nowMs));
  }

  get #canUpload(): boolean {
    return this.#budget.getWaitMs(Date.now()) === 0;
  }

  get #index() {
    return createStubs(this.env, this.#stubOptions).index();
  }
}
