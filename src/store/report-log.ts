/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object. What it has acknowledged is durable in
 * SQLite (the reply is held back until the row is), is sent to ProjectIndex until that has counted it, and is copied into KV
 * as immutable chunks. KV may be down, slow or over its quota: then the rows wait here and nothing else happens.
 *
 * Never does it change a closed chunk, delete a row that is not both copied and counted, or acknowledge from memory.
 */
import { DurableObject } from "cloudflare:workers";
import { dayOf, hourOf } from "../core/fold.ts";
import type { Position } from "../core/issue.ts";
import type { Appended } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { ReportId } from "../core/report.ts";
import type { ShardHealth } from "../core/store-health.ts";
import { Sampling } from "../core/sum.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import { Commit } from "./commit.ts";
import { HandOver } from "./hand-over.ts";
import { placeOf } from "./keys.ts";
import { KnownIds } from "./known-ids.ts";
import { LogTable } from "./log-table.ts";
import type { Entry, ReportLogRpc } from "./rpc.ts";
import { Sealing } from "./sealing.ts";
import { sequencedOf } from "./sequenced.ts";
import { WriteBudget } from "./write-budget.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load `SEAL_CHARS` comes first. */
const SEAL_AFTER_MS = 1_000;
/** UTF-16 units: a report is mostly ASCII, and to count its bytes would be to encode it once more. */
const SEAL_CHARS = 512 * 1024;
/** While no write is to be had a chunk grows on; with a last commit it stays below KV's 25 MiB, at three bytes a character. */
const MAX_CHUNK_CHARS = 6 * 1024 * 1024;
const MAX_CHUNK_LINES = 50_000;
/** Ids that have no line must fit into the catalogue's row beside those that have one. */
const MAX_CHUNK_SUMMED = 25_000;
/** What is committed together: a chunk that is full must not become many times as large at once. */
const MAX_COMMIT_CHARS = 2 * 1024 * 1024;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
const RETENTION_SECONDS = 30 * 86_400;

/** What became of one entry: it is in a commit, or its place is known already. */
interface Taken {
  readonly commit?: Commit;
  readonly id: ReportId;
  readonly known?: Position;
  readonly repeated: boolean;
  readonly counted?: boolean;
}

/** The chunk that takes lines. */
interface OpenChunk {
  readonly chunk: number;
  hour: string;
  lines: number;
  chars: number;
  /** Reports that its sums stand for. */
  summed: number;
}

function openChunk(chunk: number): OpenChunk {
  return { chunk, hour: "", lines: 0, chars: 0, summed: 0 };
}

/** One object a shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #table: LogTable;
  readonly #project: string;
  readonly #shard: string;
  readonly #known: KnownIds;
  readonly #budget: WriteBudget;
  readonly #sealing: Sealing;
  readonly #handOver: HandOver;
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
    this.#table = new LogTable(ctx.storage);
    // A restart always opens a new chunk: one that was being put is only ever put again with the same bytes.
    this.#open = openChunk(this.#table.lastChunk() + 1);
    this.#known = new KnownIds(this.#table, this.#shard, Date.now());
    this.#budget = new WriteBudget(ctx.storage, storeSettingsOf(env).shardWritesPerDay);
    this.#sealing = new Sealing({
      project: this.#project,
      shard: this.#shard,
      table: this.#table,
      budget: this.#budget,
      kv: () => this.env.KV,
      retentionSeconds: RETENTION_SECONDS,
      nowMs: Date.now,
    });
    this.#handOver = new HandOver(
      (rows) => this.env.PROJECT_INDEX.getByName(this.#project).apply(this.#shard, rows),
      (seq) => this.#table.setIndexed(seq),
    );
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
    return this.#table.lines(place.chunk)[place.line] ?? null;
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

  override async alarm(): Promise<void> {
    this.#alarmSet = false;
    // Neither waits for the other: an index that is away does not keep reports out of KV. Nothing is thrown here, because
    // an alarm that throws seven times is given up by the platform.
    if (this.#open.lines > 0 && this.#budget.waitMs(Date.now()) === 0) this.#closeChunk();
    const [pushed, sealed] = await Promise.allSettled([
      this.#handOver.push(),
      this.#sealing.seal(this.#open.chunk),
    ]);
    this.#table.deleteDone(Date.now() - RETENTION_SECONDS * 1000);
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
      const open = this.#open;
      if (open.lines === 0) open.hour = hourOf(nowMs);
      commit.sheet.addAll(this.#repeats.take());
      const tallied = { day: dayOf(nowMs), tallies: commit.sheet.take() };
      const first = { hour: open.hour, shard: this.#shard, chunk: open.chunk, line: open.lines };
      const { lines, marks, tallies, placed, positions } = commit.layOut(first, tallied);
      const seqs = this.#table.insert({ chunk: open.chunk, hour: open.hour, lines, placed });
      open.lines += lines.length;
      open.chars += lines.reduce((sum, line) => sum + line.length, 0);
      open.summed += placed.length;
      marks.forEach((marked, i) => {
        this.#handOver.add({ seq: seqs[i] ?? 0, ...marked });
      });
      tallies.forEach((tallied, i) => {
        this.#handOver.add({ seq: seqs[marks.length + i] ?? 0, tallied });
      });
      for (const [id, position] of positions) this.#known.add(id, position, nowMs);
      commit.settle(positions);
      const isFull = this.#isFull(nowMs);
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

  #isFull(nowMs: number): boolean {
    const { lines, chars, summed } = this.#open;
    if (lines >= MAX_CHUNK_LINES || chars >= MAX_CHUNK_CHARS || summed >= MAX_CHUNK_SUMMED) {
      return true;
    }
    return chars >= SEAL_CHARS && this.#budget.waitMs(nowMs) === 0;
  }

  /** From here on the chunk takes no more lines, and may be copied. */
  #closeChunk(): void {
    this.#open = openChunk(this.#open.chunk + 1);
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
