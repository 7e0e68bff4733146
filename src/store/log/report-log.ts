/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object.
 *
 * The path of an append:
 *
 *     append ─▶ PendingBatches: skip known ids ─▶ sample ─▶ batch of this turn of the event loop
 *     #commit ─▶ LogWriter: one row per batch, durable before `append` resolves
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
import { CommitTimer } from "./commit-timer.ts";
import { SeenIds } from "./dedupe/seen-ids.ts";
import { exportChunks } from "./export-chunks.ts";
import { LogMaintenance } from "./log-maintenance.ts";
import { LogTable } from "./log-table.ts";
import { type CommitResult, LogWriter } from "./log-writer.ts";
import { IndexOutbox } from "./outbox.ts";
import { PendingBatches } from "./pending-batches.ts";
import { RetryAlarm } from "./retry-alarm.ts";

/** One object per shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #project: string;
  readonly #shard: string;
  readonly #stubOptions: StubOptions;
  readonly #table: LogTable;
  readonly #budget: WriteBudget;
  readonly #seenIds: SeenIds;
  readonly #batches: PendingBatches;
  readonly #commitTimer: CommitTimer;
  readonly #writer: LogWriter;
  readonly #outbox: IndexOutbox;
  readonly #uploader: ChunkUploader;
  readonly #maintenance: LogMaintenance;
  readonly #sweep: CatalogSweep;
  readonly #alarm: RetryAlarm;
  readonly #chunkReader = new SingleFlightChunkReader(() => this.env.KV);

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
    this.#batches = new PendingBatches(table, this.#seenIds);
    this.#commitTimer = new CommitTimer(() => this.#commit());
    this.#writer = new LogWriter(shard, table, this.#seenIds, this.#batches);
    this.#outbox = new IndexOutbox({
      log: table,
      apply: (items, startId) => this.#index.applyRows(shard, items, startId),
      retention,
      nowMs,
    });
    this.#uploader = new ChunkUploader({ ...shared, retention });
    this.#maintenance = new LogMaintenance({ ...shared, uploader: this.#uploader });
    this.#sweep = new CatalogSweep(table, () => ctx.storage.sql.databaseSize);
    this.#alarm = new RetryAlarm({ storage: ctx.storage, table, budget, nowMs });
    this.#outbox.reload();
    ctx.blockConcurrencyWhile(() => this.#alarm.resume());
    const firstSeq = table.getUnannouncedSeq();
    if (firstSeq !== undefined) ctx.waitUntil(this.#announceNewLog(firstSeq));
  }

  /** Adds reports to the next batch. Resolves when its row is durable. */
  async append(parts: readonly AppendPart[]): Promise<readonly AppendOutcome[]> {
    this.#commitTimer.onCall(Date.now(), parts.length);
    const written = parts.map((part) => this.#batches.append(part, Date.now()));
    if (!this.#batches.isEmpty) this.#commitTimer.schedule(Date.now());
    const settled = await Promise.allSettled(written);
    return Promise.all(
      settled.map((one, n) =>
        one.status === "fulfilled" ? ok(one.value) : this.#appendAlone(parts[n]),
      ),
    );
  }

  /** Writes a part as a separate row: another part of its batch may have caused the failure. */
  async #appendAlone(part?: AppendPart): Promise<AppendOutcome> {
    try {
      if (part === undefined) throw new Error("the part is missing");
      this.#commit();
      const results = this.#batches.append(part, Date.now());
      this.#commit();
      return ok(await results);
    } catch (error) {
      return fail({ reason: "not-written", cause: String(error) });
    }
  }

  /** Writes the batch as one row, which resolves its appends. */
  #commit(): void {
    this.#commitTimer.onCommit(Date.now());
    this.#afterCommit(this.#writer.commit(Date.now(), this.#canUpload));
  }

  /** Sends the written row to the index, and uploads the chunk if it is full. */
  #afterCommit({ items, hasClosedChunk }: CommitResult): void {
    if (items.length === 0) return;
    for (const item of items) this.#outbox.enqueue(item);
    this.ctx.waitUntil(this.#sendAndUpload(hasClosedChunk));
  }

  /** Neither step waits for the other. The alarm repeats failed steps. */
  async #sendAndUpload(hasClosedChunk: boolean): Promise<void> {
    // Set even if a later alarm follows, because it is in the same transaction as the rows.
    const alarm = this.#alarm.setForUpload();
    const uploaded = hasClosedChunk ? this.#uploadAndDelete() : true;
    const [sent, isUploaded] = await Promise.allSettled([
      this.#outbox.sendPaced(),
      uploaded,
      alarm,
    ]);
    const isSent = sent.status === "fulfilled";
    const isDone = isUploaded.status === "fulfilled" && isUploaded.value;
    if (!isSent || hasClosedChunk) await this.#alarm.setNext(isSent, isDone);
  }

  async #uploadAndDelete(): Promise<boolean> {
    const isUploaded = await this.#uploader.uploadClosed();
    this.#table.deleteFinishedRows();
    return isUploaded;
  }

  // Reads and maintenance.

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
    const written = this.#batches.appendDuplicateCounts();
    if (!this.#batches.isEmpty) this.#commit();
    await written;
    await this.#outbox.flush(startId);
  }

  async readLine(position: LogPosition): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const line = this.#table.localChunks.readLines(parsed.chunk)[parsed.line];
    if (line !== undefined) return line;
    // Near another reader, KV may have cached that the chunk is missing.
    const lines = await this.#chunkReader.readLines(chunkKey(this.#project, parsed));
    return lines?.[parsed.line] ?? null;
  }

  async locate(id: ReportId, otherIds: readonly ReportId[] = []): Promise<LogPosition | null> {
    return this.#seenIds.locate(id, otherIds);
  }

  async locateRecent(
    id: ReportId,
    otherIds: readonly ReportId[] = [],
  ): Promise<LogPosition | null> {
    return this.#seenIds.locateRecent([id, ...otherIds]);
  }

  async locateByTrace(traceId: ReportId): Promise<TracedReports> {
    const ofServers = this.#table.findByTrace(traceId, traceId);
    const others =
      ofServers.length > 0 ? [] : this.#table.findByTrace(toUntrustedTraceId(traceId), traceId);
    return { ofServers, others };
  }

  async getHealth(): Promise<ShardHealth> {
    return this.#maintenance.getHealth(this.ctx.storage.sql.databaseSize);
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
    if (!this.#table.isEmpty()) await this.#alarm.setSoon();
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

  findInChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    return this.#maintenance.findInChunk(chunk, erasure);
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
    return {
      lines: this.#table.localChunks.readLines(chunk),
      extraIds: this.#table.localChunks.readExtraIds(chunk),
    };
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
   * Sends rows to the index and uploads chunks, even if one of them fails. Never throws: the
   * platform gives up on an alarm that throws repeatedly.
   */
  override async alarm(): Promise<void> {
    this.#alarm.onRun();
    if (this.#canUpload) this.#writer.closeChunk();
    const [sent, uploaded] = await Promise.allSettled([
      this.#outbox.sendAndStore(),
      this.#uploader.uploadClosed(),
    ]);
    this.#table.deleteFinishedRows();
    const hasMoreToSweep = this.#sweep.run(Date.now());
    const isSent = sent.status === "fulfilled";
    const isUploaded = uploaded.status === "fulfilled" && uploaded.value;
    if (hasMoreToSweep) await this.#alarm.setSoon();
    await this.#alarm.onDone(isSent, isUploaded);
  }

  /**
   * Announces to the index that this log is new. If the index has counted reports of an earlier
   * log, it rebuilds both.
   */
  async #announceNewLog(firstSeq: number): Promise<void> {
    try {
      await this.#index.onLogCreated(this.#shard, firstSeq);
      this.#table.markAnnounced();
    } catch (error) {
      console.warn("report log: could not announce a new log to the index", String(error));
    }
  }

  get #canUpload(): boolean {
    return this.#budget.getWaitMs(Date.now()) === 0;
  }

  get #index() {
    return createStubs(this.env, this.#stubOptions).index();
  }
}
