/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object. What it has acknowledged is durable in
 * SQLite (the reply is held back until the row is), is sent to ProjectIndex until that has counted it, and is copied into KV
 * as immutable chunks. KV may be down, slow or over its quota: then the rows wait here and nothing else happens.
 *
 * Never does it change a closed chunk, delete a row that is not both copied and counted, or acknowledge from memory.
 */
import { DurableObject } from "cloudflare:workers";
import { dayOf } from "../core/fold.ts";
import type { Position } from "../core/issue.ts";
import type { Appended, RestoredLine } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { retentionSeconds } from "../core/retention.ts";
import type { ShardHealth } from "../core/store-health.ts";
import { Sampling } from "../core/sum.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import { Commit } from "./commit.ts";
import type { ErasedLine, Erasure } from "./erase-lines.ts";
import { HandOver } from "./hand-over.ts";
import { chunkKey, placeOf, positionOf } from "./keys.ts";
import { KnownIds } from "./known-ids.ts";
import { LogTable } from "./log-table.ts";
import { objectsOf } from "./objects.ts";
import { OpenChunk } from "./open-chunk.ts";
import { readChunk } from "./record.ts";
import type { AdoptedChunk, ChunkPlace, Cut, Entry, HeldChunk, ReportLogRpc } from "./rpc.ts";
import { Sealing } from "./sealing.ts";
import { sequencedOf } from "./sequenced.ts";
import { parseSumLine } from "./stored.ts";
import { Upkeep } from "./upkeep.ts";
import { WriteBudget } from "./write-budget.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load its size comes first. */
const SEAL_AFTER_MS = 1_000;
/** What is committed together: a chunk that is full must not become many times as large at once. */
const MAX_COMMIT_CHARS = 2 * 1024 * 1024;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
/** Issues that a shard knows to be common; of the others chunks are kept longer than they need be. */
const MAX_COMMON = 10_000;

/** What became of one entry: it is in a commit, or its place is known already. */
interface Taken {
  readonly commit?: Commit;
  readonly id: ReportId;
  readonly known?: Position;
  readonly repeated: boolean;
  readonly counted?: boolean;
}

/** One object a shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #table: LogTable;
  readonly #project: string;
  readonly #shard: string;
  #known: KnownIds;
  readonly #budget: WriteBudget;
  readonly #sealing: Sealing;
  readonly #handOver: HandOver;
  readonly #upkeep: Upkeep;
  /** Issues of which there is plenty, as far as the index has said so since the object is awake. */
  readonly #common = new Set<Digest>();
  /** Ids that a commit is under way for. */
  readonly #coming = new Map<ReportId, Commit>();
  /** Counted with the next commit: a retry alone is no reason to write. */
  readonly #repeats = new TallySheet();
  readonly #sampling = new Sampling();
  #waiting: Commit | null = null;
  #open: OpenChunk;
  #retryMs = RETRY_MIN_MS;
  #alarmSet = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    [this.#project = "", this.#shard = ""] = (ctx.id.name ?? "").split("/");
    this.#table = new LogTable(ctx.storage, Date.now());
    // A restart always opens a new chunk: one that was being put is only ever put again with the same bytes.
    this.#open = new OpenChunk(this.#table.lastChunk() + 1);
    this.#known = new KnownIds(this.#table, this.#shard, Date.now());
    const settings = storeSettingsOf(env);
    const facts = { project: this.#project, ...settings };
    this.#budget = new WriteBudget(ctx.storage, settings.shardWritesPerDay);
    const own = {
      project: this.#project,
      shard: this.#shard,
      table: this.#table,
      budget: this.#budget,
      kv: () => this.env.KV,
      nowMs: Date.now,
    };
    this.#sealing = new Sealing({
      ...own,
      // A chunk is kept as long as the most important report in it.
      retentionSeconds: (digests) =>
        retentionSeconds(
          settings.retentionDays,
          [...digests].every((it) => this.#common.has(it)),
        ),
    });
    this.#upkeep = new Upkeep({ ...own, sealing: this.#sealing });
    this.#handOver = new HandOver({
      apply: (rows) => objectsOf(this.env, facts).index().apply(this.#shard, rows),
      counted: ({ seq, common }) => {
        this.#table.setIndexed(seq);
        this.#noteCommon(common);
      },
    });
    this.#recall();
  }

  async append(
    entries: readonly Entry[],
    tallies: readonly Tally[] = [],
  ): Promise<readonly Appended[]> {
    const taken = entries.map((entry) => this.#take(entry));
    const tallied = tallies.length > 0 ? this.#count(tallies) : undefined;
    const answers: Appended[] = [];
    for (const [i, { commit, id: takenId, known, repeated, counted }] of taken.entries()) {
      const id = entries[i]?.id ?? "";
      // A retry whose first copy is still on its way is durable when that copy is.
      const position = known ?? (await commit?.done)?.get(takenId);
      if (position === undefined) throw new Error("the log lost track of a report");
      const keptAs = takenId === id ? undefined : takenId;
      answers.push({ id, position, repeated, ...present({ keptAs, counted }) });
    }
    await tallied?.done;
    return answers;
  }

  async read(position: Position): Promise<string | null> {
    const place = placeOf(position);
    if (place === null) return null;
    const line = this.#table.lines(place.chunk)[place.line];
    if (line !== undefined) return line;
    // Whoever looked for the chunk before it was copied is told for long that there is none. Nobody has looked from here.
    const read = await readChunk(this.env.KV, chunkKey(this.#project, place));
    return read?.[place.line] ?? null;
  }

  async locate(id: ReportId): Promise<Position | null> {
    return this.#known.get(id) ?? this.#known.find(id);
  }

  async locateRecent(id: ReportId): Promise<Position | null> {
    return this.#known.get(id) ?? null;
  }

  async settle(): Promise<void> {
    if (!this.#repeats.isEmpty) await this.#count([]).done;
    while (!this.#handOver.isDone) await this.#handOver.push();
  }

  async health(): Promise<ShardHealth> {
    const { rows, reports, oldestHour } = this.#table.backlog();
    const waitMs = this.#budget.waitMs(Date.now());
    const spending = this.#budget.spending(Date.now());
    return present({ shard: this.#shard, rows, reports, oldestHour, waitMs, ...spending });
  }

  async cut(): Promise<Cut> {
    if (this.#open.lines > 0) this.#closeChunk();
    return this.#upkeep.cut(this.#open.chunk);
  }

  async recount(): Promise<Cut> {
    const cut = await this.cut();
    this.#handOver.clear();
    this.#table.uncount();
    this.#recall();
    return cut;
  }

  async adopt(chunks: readonly AdoptedChunk[], lastChunk: number): Promise<void> {
    for (const { ids, placed, copiedMs } of this.#upkeep.adopt(chunks)) {
      this.#known.note([...ids, ...placed.map(({ id }) => id)], copiedMs);
    }
    this.#table.setFloor(lastChunk);
    if (this.#open.chunk <= this.#table.lastChunk() && this.#open.lines === 0) {
      this.#open = new OpenChunk(this.#table.lastChunk() + 1);
    }
  }

  async restore(restored: readonly RestoredLine[]): Promise<number> {
    const fresh = restored.filter(({ ids }) => ids.every((id) => !this.#isKnown(id)));
    if (fresh.length === 0) return 0;
    const nowMs = Date.now();
    const open = this.#open.at(nowMs);
    const { chunk, hour, lines: firstLine } = open;
    const lines = fresh.map(({ line }) => line);
    const placed = fresh.flatMap(({ line, ids }, i) =>
      parseSumLine(line) === null ? [] : ids.map((id) => ({ id, line: firstLine + i })),
    );
    const seqs = this.#table.insert({ chunk, hour, lines, placed });
    open.add(lines, placed.length);
    for (const [i, { line, ids }] of fresh.entries()) {
      const at = { chunk, hour, firstLine: firstLine + i };
      const row = { seq: seqs[i] ?? 0, ...at, lines: [line], placed: [] };
      for (const waiting of sequencedOf(row, this.#shard)) this.#handOver.add(waiting);
      const position = positionOf({ hour, chunk, shard: this.#shard, line: at.firstLine });
      for (const id of ids) this.#known.add(id, position, nowMs);
    }
    const isFull = open.isFull(this.#budget.waitMs(nowMs) === 0);
    if (isFull) this.#closeChunk();
    this.ctx.waitUntil(this.#afterCommit(isFull));
    return fresh.length;
  }

  erase(chunk: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]> {
    return this.#upkeep.erase(chunk, erasure);
  }

  async held(chunk: number): Promise<HeldChunk> {
    const placed = this.#table.placed(chunk);
    const lines = this.#table.lines(chunk);
    return { lines, placed };
  }

  async wipe(): Promise<void> {
    await this.#sealing.idle();
    this.#table.wipe();
    this.#handOver.clear();
    this.#known = new KnownIds(this.#table, this.#shard, Date.now());
    this.#open = new OpenChunk(this.#table.lastChunk() + 1);
  }

  override async alarm(): Promise<void> {
    this.#alarmSet = false;
    // Neither waits for the other: an index that is away does not keep reports out of KV. Nothing is thrown here, because
    // an alarm that throws seven times is given up by the platform.
    if (this.#open.lines > 0 && this.#budget.waitMs(Date.now()) === 0) this.#closeChunk();
    const [pushed, sealed] = await Promise.allSettled([
      this.#handOver.push(),
      this.#sealing.seal(this.#open.chunk),
    ]);
    this.#table.deleteDone(Date.now());
    const done = pushed.status === "fulfilled" && sealed.status === "fulfilled" && sealed.value;
    this.#retryMs = done ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    if (this.#table.isEmpty()) return;
    // What the index has not counted does not wait for tomorrow's writes.
    const budgetMs = pushed.status === "fulfilled" ? this.#budget.waitMs(Date.now()) : 0;
    await this.#wakeIn(Math.max(this.#retryMs, budgetMs));
  }

  /** Puts a report into the next commit, unless it is known or on its way already. */
  #take(entry: Entry): Taken {
    for (const id of [entry.id, entry.retryId ?? entry.id]) {
      const known = this.#known.get(id);
      const commit = this.#coming.get(id);
      if (known === undefined && commit === undefined) continue;
      this.#repeats.add(["repeated", entry.mark.kind]);
      if (entry.files !== undefined) this.#repeats.add(["repeated", "attachment"], entry.files);
      return { id, ...present({ known, commit }), repeated: true };
    }
    const commit = this.#commitWithRoom();
    const isNew = this.#sampling.isNew(entry.mark, Date.now());
    const isKept = this.#sampling.keeps(entry.mark, Date.now());
    if (isKept) commit.keep(entry, isNew);
    else commit.sumUp(entry);
    this.#coming.set(entry.id, commit);
    return { commit, id: entry.id, repeated: false, ...(!isKept && { counted: true }) };
  }

  /** Puts tallies into the next commit. */
  #count(tallies: readonly Tally[]): Commit {
    const commit = this.#commitWithRoom();
    commit.sheet.addAll(tallies);
    return commit;
  }

  /** Everything that arrives before the timer fires becomes one row: one durable write for all. */
  #commitWithRoom(): Commit {
    if (this.#waiting !== null && this.#waiting.chars < MAX_COMMIT_CHARS) return this.#waiting;
    const commit = new Commit();
    setTimeout(() => this.#write(commit), 0);
    this.#waiting = commit;
    return commit;
  }

  #write(commit: Commit): void {
    if (this.#waiting === commit) this.#waiting = null;
    try {
      const nowMs = Date.now();
      const open = this.#open.at(nowMs);
      commit.sheet.addAll(this.#repeats.take());
      const tallied = { day: dayOf(nowMs), tallies: commit.sheet.take() };
      const first = { hour: open.hour, shard: this.#shard, chunk: open.chunk, line: open.lines };
      const { lines, marks, tallies, placed, positions } = commit.layOut(first, tallied);
      const seqs = this.#table.insert({ chunk: open.chunk, hour: open.hour, lines, placed });
      open.add(lines, placed.length);
      marks.forEach((marked, i) => {
        this.#handOver.add({ seq: seqs[i] ?? 0, ...marked });
      });
      tallies.forEach((tallied, i) => {
        this.#handOver.add({ seq: seqs[marks.length + i] ?? 0, tallied });
      });
      for (const [id, position] of positions) this.#known.add(id, position, nowMs);
      commit.settle(positions);
      const isFull = open.isFull(this.#budget.waitMs(nowMs) === 0);
      if (isFull) this.#closeChunk();
      this.ctx.waitUntil(this.#afterCommit(isFull));
    } catch (error) {
      commit.settle(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const id of commit.ids) this.#coming.delete(id);
    }
  }

  /** Nothing waits for the other, and what fails is tried again by the alarm. */
  async #afterCommit(isFull: boolean): Promise<void> {
    if (!this.#alarmSet) {
      await this.#wakeIn(Math.max(SEAL_AFTER_MS, this.#budget.waitMs(Date.now())));
    }
    const sealed = isFull && this.#sealing.seal(this.#open.chunk);
    const [pushed] = await Promise.allSettled([this.#handOver.push(), sealed]);
    // The alarm may be set for tomorrow's writes; the index is asked again before.
    const isLate = pushed.status === "rejected" && this.#budget.waitMs(Date.now()) > this.#retryMs;
    if (isLate) await this.#wakeIn(this.#retryMs);
  }

  /** From here on the chunk takes no more lines, and may be copied. */
  #closeChunk(): void {
    this.#open = new OpenChunk(this.#open.chunk + 1);
  }

  #isKnown(id: ReportId): boolean {
    return this.#coming.has(id) || this.#known.get(id) !== undefined;
  }

  #noteCommon(digests: readonly Digest[]): void {
    if (this.#common.size + digests.length > MAX_COMMON) this.#common.clear();
    for (const digest of digests) this.#common.add(digest);
  }

  async #wakeIn(ms: number): Promise<void> {
    this.#alarmSet = true;
    await this.ctx.storage.setAlarm(Date.now() + ms);
  }

  /** After a restart: what is in the log but not yet counted is handed over again, and copied again. */
  #recall(): void {
    for (const row of this.#table.uncounted()) {
      for (const waiting of sequencedOf(row, this.#shard)) this.#handOver.add(waiting);
    }
    if (!this.#table.isEmpty()) this.ctx.waitUntil(this.#wakeIn(SEAL_AFTER_MS));
  }
}
