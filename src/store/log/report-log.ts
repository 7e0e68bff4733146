/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object. What it has acknowledged is durable in
 * SQLite (the reply is held back until the row is), is sent to ProjectIndex until that has counted it, and is copied into KV
 * as chunks. KV may be down, slow or over its quota: then the rows wait here and nothing else happens.
 *
 * Never does it change a closed chunk but to erase from it, delete a row that is not both copied and counted, or acknowledge
 * from memory.
 */
import { DurableObject } from "cloudflare:workers";
import { type Bindings, readStoreSettings } from "../../config.ts";
import { getRetentionSeconds } from "../../core/issue/retention.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { AppendResult, ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import type { ErasedLine, Erasure } from "../kv/erase-lines.ts";
import { chunkKey, parsePosition } from "../kv/keys.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { toSequencedItems } from "../rpc/log-entries.ts";
import type {
  CatalogedChunk,
  ChunkRef,
  LogCheckpoint,
  LogEntry,
  ReportLogRpc,
  SequencedItem,
} from "../rpc/rpc.ts";
import { createStubs, type StubOptions } from "../rpc/stubs.ts";
import { ChunkUploader } from "./chunk-uploader.ts";
import { LogMaintenance } from "./log-maintenance.ts";
import { LogTable } from "./log-table.ts";
import { LogWriter } from "./log-writer.ts";
import { IndexOutbox } from "./outbox.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load its size comes first. */
const UPLOAD_AFTER_MS = 1_000;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
/** Issues that a shard knows to be common; of the others chunks are kept longer than they need be. */
const MAX_COMMON_ISSUES = 10_000;

/** One object a shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #project: string;
  readonly #stubOptions: StubOptions;
  readonly #shard: string;
  readonly #table: LogTable;
  readonly #budget: WriteBudget;
  readonly #writer: LogWriter;
  readonly #uploader: ChunkUploader;
  readonly #outbox: IndexOutbox;
  readonly #maintenance: LogMaintenance;
  readonly #chunkReader = new SingleFlightChunkReader(() => this.env.KV);
  /** Issues of which there is plenty, as far as the index has said so since the object is awake. */
  readonly #commonIssues = new Set<Digest>();
  #retryMs = RETRY_MIN_MS;
  #isAlarmSet = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const [project = "", shard = ""] = (ctx.id.name ?? "").split("/");
    const table = new LogTable(ctx.storage, Date.now());
    const settings = readStoreSettings(env);
    const budget = new WriteBudget(ctx.storage, settings.shardWritesPerDay);
    const shared = { project, shard, table, budget, kv: () => this.env.KV, nowMs: Date.now };
    this.#project = project;
    this.#stubOptions = { project, ...omitUndefined({ location: settings.location }) };
    this.#shard = shard;
    this.#table = table;
    this.#budget = budget;
    this.#outbox = new IndexOutbox({
      nowMs: Date.now,
      apply: (rows) => createStubs(this.env, this.#stubOptions).index().applyRows(shard, rows),
      readUnsent: () => readUnapplied(table, shard),
      onApplied: ({ seq, commonIssues }) => {
        table.setAppliedSeq(seq);
        this.#addCommonIssues(commonIssues);
      },
    });
    this.#writer = new LogWriter({
      ...shared,
      canUpload: () => budget.getWaitMs(Date.now()) === 0,
      enqueue: (item) => this.#outbox.enqueue(item),
      onWritten: (hasClosedChunk) => ctx.waitUntil(this.#afterWrite(hasClosedChunk)),
    });
    this.#uploader = new ChunkUploader({
      ...shared,
      // A chunk is kept as long as the most important report in it.
      getRetentionSeconds: (digests) =>
        getRetentionSeconds(
          settings.retentionDays,
          [...digests].every((digest) => this.#commonIssues.has(digest)),
        ),
    });
    this.#maintenance = new LogMaintenance({ ...shared, uploader: this.#uploader });
    this.#resume();
    const firstSeq = table.getUnannouncedSeq();
    if (firstSeq !== undefined) ctx.waitUntil(this.#announceNewLog(firstSeq));
  }

  append(
    entries: readonly LogEntry[],
    counters: readonly CounterDelta[] = [],
    ifNew = false,
  ): Promise<readonly AppendResult[]> {
    return this.#writer.append(entries, counters, ifNew);
  }

  async importLines(restored: readonly ImportLine[]): Promise<number> {
    return this.#writer.importLines(restored);
  }

  async readLine(position: LogPosition): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const line = this.#table.readLines(parsed.chunk)[parsed.line];
    if (line !== undefined) return line;
    // Whoever looked for the chunk before it was copied is told for long that there is none. Nobody has looked from here.
    const read = await this.#chunkReader.readLines(chunkKey(this.#project, parsed));
    return read?.[parsed.line] ?? null;
  }

  async locate(id: ReportId): Promise<LogPosition | null> {
    return this.#writer.seenIds.get(id) ?? this.#writer.seenIds.findStored(id);
  }

  async locateRecent(id: ReportId): Promise<LogPosition | null> {
    return this.#writer.seenIds.getRecent(id) ?? null;
  }

  async locateByTrace(id: ReportId): Promise<readonly LogPosition[]> {
    const item = this.#table.rows.findByTrace(id, this.#shard);
    return [...item, ...this.#table.catalog.findByTrace(id, this.#shard)];
  }

  async flush(): Promise<void> {
    await this.#writer.flush();
    await this.#outbox.flush();
  }

  async getHealth(): Promise<ShardHealth> {
    const { rows, lines, oldestHour } = this.#table.getBacklog();
    const waitMs = this.#budget.getWaitMs(Date.now());
    const usage = this.#budget.getUsage(Date.now());
    const { chunks, lines: uploadedLines } = this.#table.catalog.countTotals();
    const storedBytes = this.ctx.storage.sql.databaseSize;
    const archived = { storedBytes, chunks, chunkLines: uploadedLines };
    return omitUndefined({
      shard: this.#shard,
      rows,
      lines,
      oldestHour,
      waitMs,
      ...archived,
      ...usage,
    });
  }

  async checkpoint(): Promise<LogCheckpoint> {
    this.#writer.closeChunk();
    return this.#maintenance.checkpoint(this.#writer.openChunkNumber);
  }

  async replay(): Promise<LogCheckpoint> {
    const checkpoint = await this.checkpoint();
    this.#outbox.clear();
    this.#table.resetAppliedSeq();
    this.#resume();
    return checkpoint;
  }

  async catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]> {
    for (const { ids, extraIds, uploadedMs } of this.#maintenance.catalogChunks(chunks)) {
      this.#writer.seenIds.addToFilter([...ids, ...extraIds.map(({ id }) => id)], uploadedMs);
    }
    this.#table.reserveChunks(lastChunk);
    this.#writer.skipUsedChunks();
    return chunks.flatMap(({ chunk }) => this.#table.catalog.listErasedLines(chunk));
  }

  async eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    try {
      return await this.#maintenance.eraseFromChunk(chunk, erasure);
    } finally {
      this.#chunkReader.reset();
    }
  }

  async readLocalChunk(chunk: number): Promise<ChunkLines> {
    return { lines: this.#table.readLines(chunk), extraIds: this.#table.readExtraIds(chunk) };
  }

  async wipe(): Promise<number> {
    await this.#uploader.waitUntilIdle();
    const lastSeq = this.#table.wipe();
    this.#chunkReader.reset();
    this.#outbox.clear();
    this.#writer.reset();
    return lastSeq;
  }

  override async alarm(): Promise<void> {
    this.#isAlarmSet = false;
    // Neither waits for the other: an index that is away does not keep reports out of KV. Nothing is thrown here, because
    // an alarm that throws seven times is given up by the platform.
    if (this.#budget.getWaitMs(Date.now()) === 0) this.#writer.closeChunk();
    const [sent, uploaded] = await Promise.allSettled([
      this.#outbox.send(),
      this.#uploader.uploadClosed(this.#writer.openChunkNumber),
    ]);
    this.#table.deleteFinishedRows(Date.now());
    const isDone = sent.status === "fulfilled" && uploaded.status === "fulfilled" && uploaded.value;
    this.#retryMs = isDone ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    if (this.#table.isEmpty()) return;
    // What the index has not counted does not wait for tomorrow's writes.
    const budgetMs = sent.status === "fulfilled" ? this.#budget.getWaitMs(Date.now()) : 0;
    await this.#setAlarmIn(Math.max(this.#retryMs, budgetMs));
  }

  /** Nothing waits for the other, and what fails is tried again by the alarm. */
  async #afterWrite(hasClosedChunk: boolean): Promise<void> {
    if (!this.#isAlarmSet) {
      await this.#setAlarmIn(Math.max(UPLOAD_AFTER_MS, this.#budget.getWaitMs(Date.now())));
    }
    const uploaded = hasClosedChunk && this.#uploader.uploadClosed(this.#writer.openChunkNumber);
    const [sent] = await Promise.allSettled([this.#outbox.sendPaced(), uploaded]);
    // The alarm may be set for tomorrow's writes; the index is asked again before.
    const isLate = sent.status === "rejected" && this.#budget.getWaitMs(Date.now()) > this.#retryMs;
    if (isLate) await this.#setAlarmIn(this.#retryMs);
  }

  #addCommonIssues(digests: readonly Digest[]): void {
    if (this.#commonIssues.size + digests.length > MAX_COMMON_ISSUES) this.#commonIssues.clear();
    for (const digest of digests) this.#commonIssues.add(digest);
  }

  async #setAlarmIn(ms: number): Promise<void> {
    this.#isAlarmSet = true;
    await this.ctx.storage.setAlarm(Date.now() + ms);
  }

  /** An index that knows more of this shard than the shard itself makes it anew. Tried again with the next start. */
  async #announceNewLog(firstSeq: number): Promise<void> {
    try {
      await createStubs(this.env, this.#stubOptions).index().onLogCreated(this.#shard, firstSeq);
      this.#table.markAnnounced();
    } catch (error) {
      console.warn("report log: the index was not told of a new log", String(error));
    }
  }

  /** After a restart: what is in the log but not yet counted is handed over again, and copied again. */
  #resume(): void {
    this.#outbox.reload();
    if (!this.#table.isEmpty()) this.ctx.waitUntil(this.#setAlarmIn(UPLOAD_AFTER_MS));
  }
}

/** What the index has not confirmed, oldest first. */
function* readUnapplied(table: LogTable, shard: string): Generator<SequencedItem> {
  for (const row of table.readUnapplied()) yield* toSequencedItems(row, shard);
}
