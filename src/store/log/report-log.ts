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
 * changes to erase from it.
 */
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { limits } from "../../core/limits.ts";
import type { ImportLine } from "../../core/ports/storage-ports.ts";
import { toStoredText } from "../../core/report/report-code.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { fail, ok } from "../../core/result.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import { toUtcHour } from "../../core/utc-time.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import type { ErasedLine, Erasure, LineCounts } from "../kv/erase-lines.ts";
import { type ChunkRef, parsePosition, toChunkKey } from "../kv/keys.ts";
import { toUntrustedTraceId } from "../kv/trace-ids.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { connectProject } from "../objects.ts";
import type { Database } from "../sqlite/database.ts";
import { StoredObject } from "../sqlite/object.ts";
import { yieldToRequests } from "../yield-to-requests.ts";
import { CatalogSweep } from "./catalog/catalog-sweep.ts";
import { ChunkRetention } from "./chunk-retention.ts";
import { ChunkUploader } from "./chunk-uploader.ts";
import { CommitTimer } from "./commit-timer.ts";
import { SeenIds } from "./dedupe/seen-ids.ts";
import { type ExportedPart, type ExportRange, exportChunks } from "./export-chunks.ts";
import { LogAlarm } from "./log-alarm.ts";
import type { AppendOutcome, AppendPart } from "./log-entries.ts";
import { type CatalogedChunk, type LogCheckpoint, LogMaintenance } from "./log-maintenance.ts";
import { LOG_SCHEMA } from "./log-schema.ts";
import { LogTable } from "./log-table.ts";
import { type CommitResult, LogWriter } from "./log-writer.ts";
import { IndexOutbox } from "./outbox.ts";
import { PublicRowBudget } from "./public-row-budget.ts";
import { ReportBatcher } from "./report-batcher.ts";

/** The reports of a trace, newest first. */
export interface TracedReports {
  readonly ofServers: readonly LogPosition[];
  /** Reports without a server key, if no server reported the trace. */
  readonly others: readonly LogPosition[];
}

/** A stored line of a trace. */
export interface TracedLine {
  readonly position: LogPosition;
  readonly line: string | null;
}

/** About 20 ms of CPU. */
const PARKED_ROWS_PER_TURN = 100;
const PARKED_CHARS_PER_TURN = 2 * 1024 * 1024;

/** One object per shard, named by project and shard: `1/0`. */
export class ReportLog extends StoredObject {
  readonly #created: ReturnType<typeof createParts> | undefined;
  readonly #chunkReader = new SingleFlightChunkReader(() => this.env.KV);

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, LOG_SCHEMA);
    if (!this.isReady) return;
    this.#created = createParts(
      ctx,
      () => this.env,
      this.database,
      () => void this.#commit(),
    );
    const { alarm, outbox, table } = this.#parts;
    outbox.reload();
    const hasMoreParked = this.#appendParked();
    ctx.blockConcurrencyWhile(async () => {
      await alarm.resume();
      // The upload of the open chunk, for which the alarm is set, may be hours away.
      if (hasMoreParked) await alarm.setSoon();
    });
    const firstSeq = table.getUnannouncedSeq();
    if (firstSeq !== undefined) ctx.waitUntil(this.#announceNewLog(firstSeq));
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  /**
   * Appends the parts of several requests. Resolves when everything is durable, with one outcome
   * per part. A part that cannot be written does not make the others fail.
   */
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

  /**
   * Appends what another version parked, some rows at a time. True if more may be left. A row that
   * cannot be written stays, and so do the rows after it.
   */
  #appendParked(): boolean {
    const { sql } = this.ctx.storage;
    const query = "SELECT id, part FROM parked_append ORDER BY id LIMIT 1";
    let chars = 0;
    // One row at a time: a row may have 2 MB.
    for (let rows = 0; rows < PARKED_ROWS_PER_TURN && chars < PARKED_CHARS_PER_TURN; rows++) {
      const [row] = sql.exec<{ id: number; part: string }>(query).toArray();
      if (row === undefined) return false;
      chars += row.part.length;
      try {
        const written = this.#parts.batcher.append(JSON.parse(row.part) as AppendPart, Date.now());
        written.catch((error: unknown) => logParked(error));
        if (!this.#commit()) return false;
        // In the same turn as the commit, so that both are stored or neither is.
        sql.exec("DELETE FROM parked_append WHERE id = ?", row.id);
      } catch (error) {
        logParked(error);
        return false;
      }
    }
    return true;
  }

  /** Appends all that another version parked: it is acknowledged. */
  async #appendAllParked(): Promise<void> {
    while (this.#appendParked()) await yieldToRequests();
  }

  /** Writes the batch as one row, which settles its appends. False if it could not be written. */
  #commit(): boolean {
    this.#parts.commitTimer.onCommit(Date.now());
    const committed = this.#parts.writer.commit(Date.now(), this.#canUpload);
    this.#afterCommit(committed);
    return committed.isWritten;
  }

  /** Sends the written row to the index, and uploads the chunk if it is full. */
  #afterCommit({ items, hasClosedChunk }: Omit<CommitResult, "isWritten">): void {
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

  /** As `ProjectAdmin.importLines`. */
  async importLines(lines: readonly ImportLine[]): Promise<number> {
    const imported = this.#parts.writer.importLines(lines, Date.now(), this.#canUpload);
    this.#afterCommit(imported);
    // The index is slower than the log: without this, it would be minutes behind a large import.
    await this.#parts.outbox.flush().catch(() => undefined);
    return imported.lineCount;
  }

  /**
   * Reads the next chunks of an export. Rejects if KV fails. A chunk of an earlier day takes no more
   * lines from now on, so that nothing is added to a day that was exported after its end.
   */
  async exportChunks(range: ExportRange): Promise<ExportedPart> {
    this.#parts.writer.closeChunkBefore(toUtcHour(Date.now()).slice(0, 8));
    return exportChunks(this.#parts.shared, range);
  }

  /**
   * Resolves when the index has applied all acknowledged rows. `startId`: the index's, if it may
   * have restarted.
   */
  async flush(startId?: string): Promise<void> {
    await this.#appendAllParked();
    const written = this.#parts.batcher.appendDuplicateCounts();
    if (!this.#parts.batcher.isEmpty) this.#commit();
    await written;
    await this.#parts.outbox.flush(startId);
  }

  /** Resolves when the index has applied all rows, and no chunk is being uploaded. */
  override async waitUntilIdle(): Promise<void> {
    await this.flush();
    await this.#parts.uploader.waitUntilIdle();
  }

  /** The line at a position, from the log or KV; null if it is no longer stored. */
  async readLine(position: LogPosition): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const line = this.#parts.table.localChunks.readLines(parsed.chunk)[parsed.line];
    if (line !== undefined) return line;
    // Near another reader, KV may have cached that the chunk is missing.
    const lines = await this.#chunkReader.readLines(toChunkKey(this.#parts.project, parsed));
    return lines?.[parsed.line] ?? null;
  }

  /**
   * The position of a report of any age, otherwise of the first of `otherIds` that is stored. Null
   * if this shard never stored one of them.
   */
  async locate(id: ReportId, otherIds: readonly ReportId[] = []): Promise<LogPosition | null> {
    return this.#parts.seenIds.locate(id, otherIds);
  }

  /**
   * Like `locate`, for reports of the last day. For an unknown id, the call costs almost nothing.
   */
  async locateRecent(
    id: ReportId,
    otherIds: readonly ReportId[] = [],
  ): Promise<LogPosition | null> {
    return this.#parts.seenIds.locateRecent([id, ...otherIds]);
  }

  /** The reports of a trace or Ray ID (as `toTraceId` returns it). */
  async locateByTrace(traceId: ReportId): Promise<TracedReports> {
    const find = (id: ReportId) =>
      this.#parts.table.findByTrace(id, toTracePart(traceId)).slice(0, limits.maxReportsPerTrace);
    const ofServers = find(traceId);
    const others = ofServers.length > 0 ? [] : find(toUntrustedTraceId(traceId));
    return { ofServers, others };
  }

  /**
   * The reports of any level with a code (as `toCodeId` returns it), in no order. Their bodies
   * contain `part` in lower case.
   */
  async locateByCode(codeId: ReportId, part: string): Promise<readonly LogPosition[]> {
    const ids = [codeId, toUntrustedTraceId(codeId)];
    return ids.flatMap((id) => this.#parts.table.findByTrace(id, part));
  }

  /** The reports of a trace, of servers first; null for a line that is no longer stored. */
  async readTrace(traceId: ReportId): Promise<readonly TracedLine[]> {
    const positions = [traceId, toUntrustedTraceId(traceId)].flatMap((id) =>
      this.#parts.table.findByTrace(id, toTracePart(traceId)).slice(0, limits.maxReportsPerTrace),
    );
    const lines = await Promise.all(positions.map((position) => this.readLine(position)));
    return positions.map((position, n) => ({ position, line: lines[n] ?? null }));
  }

  async getHealth(): Promise<ShardHealth> {
    return this.#parts.maintenance.getHealth(this.ctx.storage.sql.databaseSize);
  }

  /** Closes the open chunk. Resolves to the contents of the log before the next one. */
  async checkpoint(): Promise<LogCheckpoint> {
    await this.#appendAllParked();
    this.#parts.writer.closeChunk();
    return this.#parts.maintenance.checkpoint(this.#parts.writer.openChunkNumber);
  }

  /** Like `checkpoint`, and resends every row to the index, which was reset. */
  async replay(): Promise<LogCheckpoint> {
    const checkpoint = await this.checkpoint();
    this.#parts.outbox.clear();
    this.#parts.table.resetStoredSeq();
    this.#parts.outbox.reload();
    if (!this.#parts.table.isEmpty()) await this.#parts.alarm.setSoon();
    return checkpoint;
  }

  /**
   * Adds chunks found in KV to the catalog and reserves chunk numbers up to `lastChunk`. Resolves
   * to the lines erased from these chunks.
   */
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

  /** The lines that `eraseFromChunk` would erase. Rejects if KV fails. */
  findInChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    return this.#parts.maintenance.findInChunk(chunk, erasure);
  }

  /** Erases from one chunk, in rows and in KV. Rejects if KV fails; the call can be repeated. */
  async eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    try {
      return await this.#parts.maintenance.eraseFromChunk(chunk, erasure);
    } finally {
      this.#chunkReader.reset();
    }
  }

  /** Counts the reports of one chunk that contain a text. Rejects if KV fails. */
  countMatches(chunk: ChunkRef, text: string): Promise<LineCounts> {
    return this.#parts.maintenance.countMatches(chunk, text);
  }

  /** The lines and extra ids of a chunk whose rows are here; none if they are not. */
  async readLocalChunk(chunk: number): Promise<ChunkLines> {
    return {
      lines: this.#parts.table.localChunks.readLines(chunk),
      extraIds: this.#parts.table.localChunks.readExtraIds(chunk),
    };
  }

  /** Deletes everything. Resolves to the last row's number: rows up to it are obsolete. */
  async wipe(): Promise<number> {
    await this.#parts.uploader.waitUntilIdle();
    const lastSeq = this.#parts.table.wipe();
    this.#chunkReader.reset();
    this.#parts.outbox.clear();
    this.#parts.seenIds.reload(Date.now());
    this.#parts.writer.reset();
    return lastSeq;
  }

  protected override setAlarmBy(atMs: number): Promise<void> {
    return this.#parts.alarm.setBy(atMs);
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
      await this.#parts.index.onLogCreated(this.#parts.shard, firstSeq);
      this.#parts.table.markAnnounced();
    } catch (error) {
      console.warn("report log: could not announce a new log to the index", String(error));
    }
  }

  get #canUpload(): boolean {
    return this.#parts.budget.getWaitMs(Date.now()) === 0;
  }
}

function logParked(error: unknown): void {
  console.error("report log: could not append parked reports", String(error));
}

/** The parts of the object. `commit` writes the pending batch. */
function createParts(
  { id, storage }: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
  commit: () => void,
) {
  const [project = "", shard = ""] = (id.name ?? "").split("/");
  const settings = readStoreSettings(getEnv());
  const { index } = connectProject(getEnv, { ...settings, project });
  const nowMs = Date.now;
  const table = new LogTable(storage, shard, nowMs(), database);
  const budget = new WriteBudget(storage, settings.shardWritesPerDay);
  const retention = new ChunkRetention(settings.retentionDays);
  const shared = { project, shard, table, budget, kv: () => getEnv().KV, nowMs };
  const seenIds = new SeenIds(table, nowMs());
  const batcher = new ReportBatcher(table, seenIds);
  const publicRows = new PublicRowBudget(settings.shards, settings.rowScale);
  const uploader = new ChunkUploader({ ...shared, retention });
  return {
    ...shared,
    shared,
    index,
    seenIds,
    batcher,
    uploader,
    commitTimer: new CommitTimer(commit),
    writer: new LogWriter(shard, table, seenIds, batcher, publicRows),
    outbox: new IndexOutbox({
      log: table,
      apply: (items, startId) => index.applyRows(shard, items, startId),
      retention,
      nowMs,
    }),
    maintenance: new LogMaintenance({ ...shared, uploader }),
    sweep: new CatalogSweep(table, () => storage.sql.databaseSize),
    alarm: new LogAlarm({ storage, table, budget, nowMs }),
  };
}

/** A text that the body of a report has with this trace, Ray ID or locator, in lower case. */
function toTracePart(traceId: ReportId): string {
  // A Ray ID has half the length of a trace ID. An id of a request may be sent as a UUID.
  const sent = traceId.replace(/^0{16}/, "");
  return sent.length === traceId.length ? sent.slice(-12) : toStoredText(sent);
}
