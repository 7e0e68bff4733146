/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object. What it has acknowledged is durable in
 * SQLite (the reply is held back until the row is), is sent to ProjectIndex until that has counted it, and is copied into KV
 * as chunks. KV may be down, slow or over its quota: then the rows wait here and nothing else happens.
 *
 * Never does it change a closed chunk but to erase from it, delete a row that is not both copied and counted, or acknowledge
 * from memory.
 */
import { DurableObject } from "cloudflare:workers";
import type { Position } from "../core/issue.ts";
import type { Appended, RestoredLine } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { retentionSeconds } from "../core/retention.ts";
import type { ShardHealth } from "../core/store-health.ts";
import type { Tally } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import type { ChunkLines } from "./chunk.ts";
import { ChunkReads } from "./chunk-reads.ts";
import type { ErasedLine, Erasure } from "./erase-lines.ts";
import { HandOver } from "./hand-over.ts";
import { Intake } from "./intake.ts";
import { chunkKey, placeOf } from "./keys.ts";
import { LogTable } from "./log-table.ts";
import { type ObjectFacts, objectsOf } from "./objects.ts";
import type { AdoptedChunk, ChunkPlace, Cut, Entry, ReportLogRpc, Sequenced } from "./rpc.ts";
import { Sealing } from "./sealing.ts";
import { sequencedOf } from "./sequenced.ts";
import { Upkeep } from "./upkeep.ts";
import { WriteBudget } from "./write-budget.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load its size comes first. */
const SEAL_AFTER_MS = 1_000;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
/** Issues that a shard knows to be common; of the others chunks are kept longer than they need be. */
const MAX_COMMON = 10_000;

/** One object a shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #project: string;
  readonly #facts: ObjectFacts;
  readonly #shard: string;
  readonly #table: LogTable;
  readonly #budget: WriteBudget;
  readonly #intake: Intake;
  readonly #sealing: Sealing;
  readonly #handOver: HandOver;
  readonly #upkeep: Upkeep;
  readonly #reads = new ChunkReads(() => this.env.KV);
  /** Issues of which there is plenty, as far as the index has said so since the object is awake. */
  readonly #common = new Set<Digest>();
  #retryMs = RETRY_MIN_MS;
  #alarmSet = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const [project = "", shard = ""] = (ctx.id.name ?? "").split("/");
    const table = new LogTable(ctx.storage, Date.now());
    const settings = storeSettingsOf(env);
    const budget = new WriteBudget(ctx.storage, settings.shardWritesPerDay);
    const own = { project, shard, table, budget, kv: () => this.env.KV, nowMs: Date.now };
    this.#project = project;
    this.#facts = { project, ...present({ location: settings.location }) };
    this.#shard = shard;
    this.#table = table;
    this.#budget = budget;
    this.#handOver = new HandOver({
      nowMs: Date.now,
      apply: (rows) => objectsOf(this.env, this.#facts).index().apply(shard, rows),
      behind: () => uncounted(table, shard),
      counted: ({ seq, common }) => {
        table.setIndexed(seq);
        this.#noteCommon(common);
      },
    });
    this.#intake = new Intake({
      ...own,
      mayCopy: () => budget.waitMs(Date.now()) === 0,
      handOver: (waiting) => this.#handOver.add(waiting),
      written: (closed) => ctx.waitUntil(this.#afterCommit(closed)),
    });
    this.#sealing = new Sealing({
      ...own,
      // A chunk is kept as long as the most important report in it.
      retentionSeconds: (digests) =>
        retentionSeconds(
          settings.retentionDays,
          [...digests].every((digest) => this.#common.has(digest)),
        ),
    });
    this.#upkeep = new Upkeep({ ...own, sealing: this.#sealing });
    this.#recall();
    const began = table.unannounced();
    if (began !== undefined) ctx.waitUntil(this.#announce(began));
  }

  append(
    entries: readonly Entry[],
    tallies: readonly Tally[] = [],
    ifNew = false,
  ): Promise<readonly Appended[]> {
    return this.#intake.append(entries, tallies, ifNew);
  }

  async restore(restored: readonly RestoredLine[]): Promise<number> {
    return this.#intake.restore(restored);
  }

  async read(position: Position): Promise<string | null> {
    const place = placeOf(position);
    if (place === null) return null;
    const line = this.#table.lines(place.chunk)[place.line];
    if (line !== undefined) return line;
    // Whoever looked for the chunk before it was copied is told for long that there is none. Nobody has looked from here.
    const read = await this.#reads.lines(chunkKey(this.#project, place));
    return read?.[place.line] ?? null;
  }

  async locate(id: ReportId): Promise<Position | null> {
    return this.#intake.known.get(id) ?? this.#intake.known.find(id);
  }

  async locateRecent(id: ReportId): Promise<Position | null> {
    return this.#intake.known.recent(id) ?? null;
  }

  async traced(id: ReportId): Promise<readonly Position[]> {
    const waiting = this.#table.rows.traced(id, this.#shard);
    return [...waiting, ...this.#table.catalogue.traced(id, this.#shard)];
  }

  async settle(): Promise<void> {
    await this.#intake.settle();
    await this.#handOver.settle();
  }

  async health(): Promise<ShardHealth> {
    const { rows, lines, oldestHour } = this.#table.backlog();
    const waitMs = this.#budget.waitMs(Date.now());
    const spending = this.#budget.spending(Date.now());
    const { chunks, lines: copiedLines } = this.#table.catalogue.size();
    const storedBytes = this.ctx.storage.sql.databaseSize;
    const kept = { storedBytes, chunks, copiedLines };
    return present({ shard: this.#shard, rows, lines, oldestHour, waitMs, ...kept, ...spending });
  }

  async cut(): Promise<Cut> {
    this.#intake.close();
    return this.#upkeep.cut(this.#intake.openChunk);
  }

  async recount(): Promise<Cut> {
    const cut = await this.cut();
    this.#handOver.clear();
    this.#table.uncount();
    this.#recall();
    return cut;
  }

  async adopt(chunks: readonly AdoptedChunk[], lastChunk: number): Promise<readonly ErasedLine[]> {
    for (const { ids, placed, copiedMs } of this.#upkeep.adopt(chunks)) {
      this.#intake.known.note([...ids, ...placed.map(({ id }) => id)], copiedMs);
    }
    this.#table.setFloor(lastChunk);
    this.#intake.moveOn();
    return chunks.flatMap(({ chunk }) => this.#table.catalogue.erasedOf(chunk));
  }

  async erase(chunk: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]> {
    try {
      return await this.#upkeep.erase(chunk, erasure);
    } finally {
      this.#reads.forget();
    }
  }

  async held(chunk: number): Promise<ChunkLines> {
    return { lines: this.#table.lines(chunk), placed: this.#table.placed(chunk) };
  }

  async wipe(): Promise<number> {
    await this.#sealing.idle();
    const last = this.#table.wipe();
    this.#reads.forget();
    this.#handOver.clear();
    this.#intake.forget();
    return last;
  }

  override async alarm(): Promise<void> {
    this.#alarmSet = false;
    // Neither waits for the other: an index that is away does not keep reports out of KV. Nothing is thrown here, because
    // an alarm that throws seven times is given up by the platform.
    if (this.#budget.waitMs(Date.now()) === 0) this.#intake.close();
    const [pushed, sealed] = await Promise.allSettled([
      this.#handOver.push(),
      this.#sealing.seal(this.#intake.openChunk),
    ]);
    this.#table.deleteDone(Date.now());
    const done = pushed.status === "fulfilled" && sealed.status === "fulfilled" && sealed.value;
    this.#retryMs = done ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    if (this.#table.isEmpty()) return;
    // What the index has not counted does not wait for tomorrow's writes.
    const budgetMs = pushed.status === "fulfilled" ? this.#budget.waitMs(Date.now()) : 0;
    await this.#wakeIn(Math.max(this.#retryMs, budgetMs));
  }

  /** Nothing waits for the other, and what fails is tried again by the alarm. */
  async #afterCommit(closed: boolean): Promise<void> {
    if (!this.#alarmSet) {
      await this.#wakeIn(Math.max(SEAL_AFTER_MS, this.#budget.waitMs(Date.now())));
    }
    const sealed = closed && this.#sealing.seal(this.#intake.openChunk);
    const [pushed] = await Promise.allSettled([this.#handOver.pushPaced(), sealed]);
    // The alarm may be set for tomorrow's writes; the index is asked again before.
    const isLate = pushed.status === "rejected" && this.#budget.waitMs(Date.now()) > this.#retryMs;
    if (isLate) await this.#wakeIn(this.#retryMs);
  }

  #noteCommon(digests: readonly Digest[]): void {
    if (this.#common.size + digests.length > MAX_COMMON) this.#common.clear();
    for (const digest of digests) this.#common.add(digest);
  }

  async #wakeIn(ms: number): Promise<void> {
    this.#alarmSet = true;
    await this.ctx.storage.setAlarm(Date.now() + ms);
  }

  /** An index that knows more of this shard than the shard itself makes it anew. Tried again with the next start. */
  async #announce(began: number): Promise<void> {
    try {
      await objectsOf(this.env, this.#facts).index().logBegan(this.#shard, began);
      this.#table.announced();
    } catch (error) {
      console.warn("report log: the index was not told of a new log", String(error));
    }
  }

  /** After a restart: what is in the log but not yet counted is handed over again, and copied again. */
  #recall(): void {
    this.#handOver.recall();
    if (!this.#table.isEmpty()) this.ctx.waitUntil(this.#wakeIn(SEAL_AFTER_MS));
  }
}

/** What the index has not confirmed, oldest first. */
function* uncounted(table: LogTable, shard: string): Generator<Sequenced> {
  for (const row of table.uncounted()) yield* sequencedOf(row, shard);
}
