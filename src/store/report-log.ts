/**
 * ReportLog: the write-ahead log of one shard of a project, as a Durable Object. What it has acknowledged is durable in
 * SQLite (the reply is held back until the row is), is sent to ProjectIndex until that has counted it, and is copied into KV
 * as immutable chunks. KV may be down, slow or over its quota: then the rows wait here and nothing else happens.
 *
 * Never does it change a closed chunk, delete a row that is not both copied and counted, or acknowledge from memory.
 */
import { DurableObject } from "cloudflare:workers";
import { dayOf } from "../core/fold.ts";
import type { Mark, Position } from "../core/issue.ts";
import { markOf } from "../core/mark.ts";
import type { Appended } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { ReportId } from "../core/report.ts";
import type { ShardHealth } from "../core/store-health.ts";
import { Sampling, type Sum, sumKey } from "../core/sum.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import { HandOver } from "./hand-over.ts";
import { hourOf, placeOf, positionOf } from "./keys.ts";
import { KnownIds } from "./known-ids.ts";
import { LogTable } from "./log-table.ts";
import type { PlacedId } from "./packed-ids.ts";
import type { Entry, ReportLogRpc } from "./rpc.ts";
import { Sealing } from "./sealing.ts";
import { parseStoredReport, parseSumLine, parseTallyLine, sumLine, tallyLine } from "./stored.ts";
import { WriteBudget } from "./write-budget.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load `SEAL_CHARS` comes first. */
const SEAL_AFTER_MS = 1_000;
/** UTF-16 units: a report is mostly ASCII, and to count its bytes would be to encode it once more. */
const SEAL_CHARS = 512 * 1024;
/** While no write is to be had a chunk grows on, up to what KV and memory take. */
const MAX_CHUNK_CHARS = 8 * 1024 * 1024;
const MAX_CHUNK_LINES = 50_000;
/** Ids that have no line must fit into the catalogue's row beside those that have one. */
const MAX_CHUNK_SUMMED = 25_000;
const CHARS_PER_SUMMED_ID = 160;
/** What is committed together: a chunk that is full must not become many times as large at once. */
const MAX_COMMIT_CHARS = 4 * 1024 * 1024;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
const RETENTION_SECONDS = 30 * 86_400;

interface Waiting {
  readonly entries: Entry[];
  readonly sheet: TallySheet;
  /** What is counted without a line of its own, by what makes it the same. */
  readonly sums: Map<string, { sum: Sum; ids: ReportId[] }>;
  /** Of the entries' lines, and what the ids of sums weigh. */
  chars: number;
  readonly done: Promise<ReadonlyMap<ReportId, Position>>;
  readonly settle: (result: ReadonlyMap<ReportId, Position> | Error) => void;
}

/** What became of one entry: it is in a commit, or its place is known already. */
interface Taken {
  readonly commit?: Waiting;
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
  readonly #coming = new Map<ReportId, Waiting>();
  /** Counted with the next commit: a retry alone is no reason to write. */
  readonly #repeats = new TallySheet();
  readonly #sampling = new Sampling();
  #waiting: Waiting | null = null;
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
      answers.push({ id, position, repeated, ...present({ counted }) });
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
    return this.#known.get(id) ?? this.#table.find(id, this.#shard);
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
      return { id, ...present({ known, commit }), repeated: true };
    }
    const commit = this.#commitWithRoom();
    const isKept = this.#sampling.keeps(entry.mark, Date.now());
    if (isKept) {
      commit.entries.push(entry);
      commit.chars += entry.line.length;
    } else {
      this.#sumUp(entry, commit);
    }
    this.#coming.set(entry.id, commit);
    return { commit, id: entry.id, repeated: false, ...(!isKept && { counted: true }) };
  }

  /** One of a storm: it counts, its id is remembered, and its body is not kept. */
  #sumUp({ id, mark }: Entry, commit: Waiting): void {
    const key = sumKey(mark);
    const known = commit.sums.get(key) ?? { sum: { mark, times: 0, untilMs: mark.atMs }, ids: [] };
    const { sum, ids } = known;
    ids.push(id);
    commit.sums.set(key, {
      ids,
      sum: {
        mark: { ...sum.mark, atMs: Math.min(sum.mark.atMs, mark.atMs) },
        times: sum.times + 1,
        untilMs: Math.max(sum.untilMs, mark.atMs),
      },
    });
    commit.chars += CHARS_PER_SUMMED_ID;
  }

  /** Puts tallies into the next commit. */
  #count(tallies: readonly Tally[]): Waiting {
    const commit = this.#commitWithRoom();
    commit.sheet.addAll(tallies);
    return commit;
  }

  #commitWithRoom(): Waiting {
    if (this.#waiting === null || this.#waiting.chars >= MAX_COMMIT_CHARS) {
      this.#waiting = this.#nextCommit();
    }
    return this.#waiting;
  }

  /** Everything that arrives before the timer fires becomes one row: one durable write for all. */
  #nextCommit(): Waiting {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<ReportId, Position>>();
    const waiting: Waiting = {
      entries: [],
      sheet: new TallySheet(),
      sums: new Map(),
      chars: 0,
      done: promise,
      settle: (result) => (result instanceof Error ? reject(result) : resolve(result)),
    };
    // Whoever waits for it hears of a failure; nobody need wait for tallies alone.
    promise.catch(() => undefined);
    setTimeout(() => this.#commit(waiting), 0);
    return waiting;
  }

  #commit(commit: Waiting): void {
    if (this.#waiting === commit) this.#waiting = null;
    try {
      const nowMs = Date.now();
      if (this.#open.lines === 0) this.#open.hour = hourOf(nowMs);
      const { chunk, hour } = this.#open;
      const positions = new Map<ReportId, Position>();
      const marks: Mark[] = commit.entries.map(({ id, mark }, i) => {
        const line = this.#open.lines + i;
        const position = positionOf({ hour, shard: this.#shard, chunk, line });
        positions.set(id, position);
        return { ...mark, position };
      });
      const lines = commit.entries.map((entry) => entry.line);
      const placed: PlacedId[] = [];
      for (const { sum, ids } of commit.sums.values()) {
        const line = this.#open.lines + lines.length;
        const position = positionOf({ hour, shard: this.#shard, chunk, line });
        lines.push(sumLine(sum));
        marks.push({ ...sum.mark, times: sum.times, untilMs: sum.untilMs, position });
        for (const id of ids) {
          placed.push({ id, line });
          positions.set(id, position);
        }
      }
      commit.sheet.addAll(this.#repeats.take());
      const tallied = { day: dayOf(nowMs), tallies: commit.sheet.take() };
      if (tallied.tallies.length > 0) lines.push(tallyLine(tallied));
      const rows = this.#table.insert({ chunk, hour, lines, placed });
      this.#open.lines += lines.length;
      this.#open.summed += placed.length;
      this.#open.chars += lines.reduce((sum, line) => sum + line.length, 0);
      marks.forEach((mark, i) => {
        this.#handOver.add({ seq: rows[i] ?? 0, mark });
      });
      if (tallied.tallies.length > 0) this.#handOver.add({ seq: rows.at(-1) ?? 0, tallied });
      for (const [id, position] of positions) this.#known.add(id, position, nowMs);
      commit.settle(positions);
      const isFull = this.#isFull(nowMs);
      if (isFull) this.#closeChunk();
      this.ctx.waitUntil(this.#afterCommit(isFull));
    } catch (error) {
      commit.settle(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const { id } of commit.entries) this.#coming.delete(id);
      for (const { ids } of commit.sums.values()) for (const id of ids) this.#coming.delete(id);
    }
  }

  /** Nothing waits for the other, and what fails is tried again by the alarm. */
  async #afterCommit(isFull: boolean): Promise<void> {
    if (!this.#alarmSet) {
      await this.#wakeIn(Math.max(SEAL_AFTER_MS, this.#budget.waitMs(Date.now())));
    }
    const sealed = isFull && this.#sealing.seal(this.#open.chunk);
    await Promise.allSettled([this.#handOver.push(), sealed]);
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
      const { seq, hour, chunk } = row;
      row.lines.forEach((text, i) => {
        const report = parseStoredReport(text);
        const tallied = report === null ? parseTallyLine(text) : null;
        const sum = report === null ? parseSumLine(text) : null;
        const position = positionOf({ hour, shard: this.#shard, chunk, line: row.firstLine + i });
        if (report) this.#handOver.add({ seq, mark: markOf(report, position) });
        if (tallied) this.#handOver.add({ seq, tallied });
        if (sum) {
          const { mark, times, untilMs } = sum;
          this.#handOver.add({ seq, mark: { ...mark, times, untilMs, position } });
        }
      });
    }
    if (!this.#table.isEmpty()) this.ctx.waitUntil(this.#wakeIn(SEAL_AFTER_MS));
  }
}
