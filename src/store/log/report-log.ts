/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object.
 *
 * The path of an append:
 *
 *     append ─▶ ReportBatcher: skip known ids ─▶ sample ─▶ batch of this turn of the event loop
 *     #commit ─▶ LogWriter: one row per batch, durable before `append` resolves
 *            ├─▶ IndexOutbox ─▶ ProjectIndex, until it has applied the row
 *            └─▶ ChunkUploader ─▶ KV, when the chunk is full or the alarm runs
 *
 * A row is deleted once its chunk is in KV and the index has stored it. While KV is unavailable or
 * the write budget is used up, rows stay here and reports are still accepted. A closed chunk only
 * changes to erase from it. The parts are composed in `log-parts.ts`.
 */
import type { Bindings } from "../../bindings.ts";
import type { ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { fail, ok } from "../../core/result.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import type { ErasedLine, Erasure, LineCounts } from "../kv/erase-lines.ts";
import { parsePosition, toChunkKey } from "../kv/keys.ts";
import { toUntrustedTraceId } from "../kv/trace-ids.ts";
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
import { StoredObject } from "../sqlite/object.ts";
import { exportChunks } from "./export-chunks.ts";
import { createLogParts } from "./log-parts.ts";
import { LOG_SCHEMA } from "./log-schema.ts";
import type { CommitResult } from "./log-writer.ts";

/** About 20 ms of CPU. */
const PARKED_ROWS_PER_TURN = 100;

/** One object per shard, named by project and shard: `1/0`. */
export class ReportLog extends StoredObject implements ReportLogRpc {
  readonly #created: ReturnType<typeof createLogParts> | undefined;
  readonly #chunkReader = new SingleFlightChunkReader(() => this.env.KV);

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, LOG_SCHEMA);
    if (!this.isReady) return;
    this.#created = createLogParts(
      ctx,
      () => this.env,
      () => this.#commit(),
      this.database,
    );
    const { alarm, outbox, table } = this.#parts;
    outbox.reload();
    this.#appendParked();
    ctx.blockConcurrencyWhile(() => alarm.resume());
    const firstSeq = table.getUnannouncedSeq();
    if (firstSeq !== undefined) ctx.waitUntil(this.#announceNewLog(firstSeq));
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  /** Adds reports to the next batch. Resolves when its row is durable. */
  async append(parts: readonly AppendPart[]): Promise<readonly AppendOutcome[]> {
    if (!this.isReady) return parts.map((part) => this.#park(part));
    this.#parts.commitTimer.onCall(Date.now(), parts.length);
    const written = parts.map((part) => this.#parts.batcher.append(part, Date.now()));
    if (!this.#parts.batcher.isEmpty) this.#parts.commitTimer.schedule(Date.now());
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
      const results = this.#parts.batcher.append(part, Date.now());
      this.#commit();
      return ok(await results);
    } catch (error) {
      return fail({ reason: "not-written", cause: String(error) });
    }
  }

  /**
   * Stores a part for the version that may read the other tables. Its reports are acknowledged, and
   * count when that version appends them.
   */
  #park(part: AppendPart): AppendOutcome {
    try {
      const insert = "INSERT INTO parked_append(part) VALUES (?)";
      this.ctx.storage.sql.exec(insert, JSON.stringify(part));
      return ok(part.entries.map(({ id }) => ({ id, isDuplicate: false, isSpooled: true })));
    } catch (error) {
      return fail({ reason: "not-written", cause: String(error) });
    }
  }

  /** Appends what another version parked, some rows at a time. True if more may be left. */
  #appendParked(): boolean {
    const { sql } = this.ctx.storage;
    const query = "SELECT id, part FROM parked_append ORDER BY id LIMIT ?";
    const rows = sql.exec<{ id: number; part: string }>(query, PARKED_ROWS_PER_TURN).toArray();
    for (const { id, part } of rows) {
      try {
        this.#parts.batcher.append(JSON.parse(part) as AppendPart, Date.now());
        this.#commit();
        // In the same turn as the commit, so that both are stored or neither is.
        sql.exec("DELETE FROM parked_append WHERE id = ?", id);
      } catch (error) {
        console.error("report log: could not append parked reports", String(error));
        return false;
      }
    }
    return rows.length === PARKED_ROWS_PER_TURN;
  }

  /** Writes the batch as one row, which resolves its appends. */
  #commit(): void {
    this.#parts.commitTimer.onCommit(Date.now());
    this.#afterCommit(this.#parts.writer.commit(Date.now(), this.#canUpload));
  }

  /** Sends the written row to the index, and uploads the chunk if it is full. */
  #afterCommit({ items, hasClosedChunk }: CommitResult): void {
    if (items.length === 0) return;
    for (const item of items) this.#parts.outbox.enqueue(item);
    this.ctx.waitUntil(this.#sendAndUpload(hasClosedChunk));
  }

  /** Neither step waits for the other. The alarm repeats failed steps. */
  async #sendAndUpload(hasClosedChunk: boolean): Promise<void> {
    // Set even if a later alarm follows, because it is in the same transaction as the rows.
    const alarm = this.#parts.alarm.setForUpload();
    const uploaded = hasClosedChunk ? this.#uploadAndDelete() : true;
    const [sent, isUploaded] = await Promise.allSettled([
      this.#parts.outbox.sendPaced(),
      uploaded,
      alarm,
    ]);
    const isSent = sent.status === "fulfilled";
    const isDone = isUploaded.status === "fulfilled" && isUploaded.value;
    if (!isSent || hasClosedChunk) await this.#parts.alarm.setNext(isSent, isDone);
  }

  async #uploadAndDelete(): Promise<boolean> {
    const isUploaded = await this.#parts.uploader.uploadClosed();
    this.#parts.table.deleteFinishedRows();
    return isUploaded;
  }

  // Reads and maintenance.

  async importLines(lines: readonly ImportLine[]): Promise<number> {
    const imported = this.#parts.writer.importLines(lines, Date.now(), this.#canUpload);
    this.#afterCommit(imported);
    // The index is slower than the log: without this, it would be minutes behind a large import.
    await this.#parts.outbox.flush().catch(() => undefined);
    return imported.lineCount;
  }

  async exportChunks(range: ExportRange): Promise<ExportedPart> {
    const nowMs = Date.now;
    const { project, shard, table } = this.#parts;
    return exportChunks({ project, shard, table, kv: () => this.env.KV, nowMs }, range);
  }

  async flush(startId?: string): Promise<void> {
    const written = this.#parts.batcher.appendDuplicateCounts();
    if (!this.#parts.batcher.isEmpty) this.#commit();
    await written;
    await this.#parts.outbox.flush(startId);
  }

  async readLine(position: LogPosition): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const line = this.#parts.table.localChunks.readLines(parsed.chunk)[parsed.line];
    if (line !== undefined) return line;
    // Near another reader, KV may have cached that the chunk is missing.
    const lines = await this.#chunkReader.readLines(toChunkKey(this.#parts.project, parsed));
    return lines?.[parsed.line] ?? null;
  }

  async locate(id: ReportId, otherIds: readonly ReportId[] = []): Promise<LogPosition | null> {
    return this.#parts.seenIds.locate(id, otherIds);
  }

  async locateRecent(
    id: ReportId,
    otherIds: readonly ReportId[] = [],
  ): Promise<LogPosition | null> {
    return this.#parts.seenIds.locateRecent([id, ...otherIds]);
  }

  async locateByTrace(traceId: ReportId): Promise<TracedReports> {
    const ofServers = this.#parts.table.findByTrace(traceId, traceId);
    const others =
      ofServers.length > 0
        ? []
        : this.#parts.table.findByTrace(toUntrustedTraceId(traceId), traceId);
    return { ofServers, others };
  }

  async getHealth(): Promise<ShardHealth> {
    return this.#parts.maintenance.getHealth(this.ctx.storage.sql.databaseSize);
  }

  async checkpoint(): Promise<LogCheckpoint> {
    this.#parts.writer.closeChunk();
    return this.#parts.maintenance.checkpoint(this.#parts.writer.openChunkNumber);
  }

  async replay(): Promise<LogCheckpoint> {
    const checkpoint = await this.checkpoint();
    this.#parts.outbox.clear();
    this.#parts.table.resetStoredSeq();
    this.#parts.outbox.reload();
    if (!this.#parts.table.isEmpty()) await this.#parts.alarm.setSoon();
    return checkpoint;
  }

  async catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]> {
    for (const { ids, extraIds, uploadedMs } of this.#parts.maintenance.catalogChunks(chunks))
      this.#parts.seenIds.addToFilter([...ids, ...extraIds.map(({ id }) => id)], uploadedMs);
    this.#parts.table.reserveChunks(lastChunk);
    this.#parts.writer.skipUsedChunks();
    return chunks.flatMap(({ chunk }) => this.#parts.table.catalog.erasedLines.list(chunk));
  }

  findInChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    return this.#parts.maintenance.findInChunk(chunk, erasure);
  }

  async eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    try {
      return await this.#parts.maintenance.eraseFromChunk(chunk, erasure);
    } finally {
      this.#chunkReader.reset();
    }
  }

  countMatches(chunk: ChunkRef, text: string): Promise<LineCounts> {
    return this.#parts.maintenance.countMatches(chunk, text);
  }

  async readLocalChunk(chunk: number): Promise<ChunkLines> {
    return {
      lines: this.#parts.table.localChunks.readLines(chunk),
      extraIds: this.#parts.table.localChunks.readExtraIds(chunk),
    };
  }

  async wipe(): Promise<number> {
    await this.#parts.uploader.waitUntilIdle();
    const lastSeq = this.#parts.table.wipe();
    this.#chunkReader.reset();
    this.#parts.outbox.clear();
    this.#parts.seenIds.reload(Date.now());
    this.#parts.writer.reset();
    return lastSeq;
  }

  /**
   * Sends rows to the index and uploads chunks, even if one of them fails. Never throws: the
   * platform gives up on an alarm that throws repeatedly.
   */
  protected override async onAlarm(): Promise<void> {
    this.#parts.alarm.onRun();
    if (this.#canUpload) this.#parts.writer.closeChunk();
    const [sent, uploaded] = await Promise.allSettled([
      this.#parts.outbox.sendAndStore(),
      this.#parts.uploader.uploadClosed(),
    ]);
    this.#parts.table.deleteFinishedRows();
    const hasMoreToSweep = this.#parts.sweep.run(Date.now());
    const hasMoreParked = this.#appendParked();
    const isSent = sent.status === "fulfilled";
    const isUploaded = uploaded.status === "fulfilled" && uploaded.value;
    if (hasMoreToSweep || hasMoreParked) await this.#parts.alarm.setSoon();
    await this.#parts.alarm.onDone(isSent, isUploaded);
  }

  /**
   * Announces to the index that this log is new. If the index has counted reports of an earlier
   * log, it rebuilds both.
   */
  async #announceNewLog(firstSeq: number): Promise<void> {
    try {
      await this.#parts.index().onLogCreated(this.#parts.shard, firstSeq);
      this.#parts.table.markAnnounced();
    } catch (error) {
      console.warn("report log: could not announce a new log to the index", String(error));
    }
  }

  get #canUpload(): boolean {
    return this.#parts.budget.getWaitMs(Date.now()) === 0;
  }
}
