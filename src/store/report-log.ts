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
import { type Tally, TallySheet } from "../core/tally.ts";
import type { Bindings } from "../env.ts";
import { chunkMetadata, encodeChunk } from "./chunk.ts";
import { inTime } from "./in-time.ts";
import { chunkKey, hourOf, placeOf, positionOf } from "./keys.ts";
import { inLanes } from "./lanes.ts";
import { LogTable } from "./log-table.ts";
import { NO_ID } from "./packed-ids.ts";
import { MAX_IDS, RecentIds } from "./recent-ids.ts";
import type { Entry, ReportLogRpc, Sequenced } from "./rpc.ts";
import { parseStoredReport, parseTallyLine, tallyLine } from "./stored.ts";

/** From the first report of a chunk to its copy in KV, in a quiet hour. Under load `SEAL_CHARS` comes first. */
const SEAL_AFTER_MS = 1_000;
/** UTF-16 units: a report is mostly ASCII, and to count its bytes would be to encode it once more. */
const SEAL_CHARS = 512 * 1024;
/** KV takes one write a second per key: a refused put is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;
/** A report that is sent again within this time counts once. */
const REMEMBER_MS = 24 * 3_600_000;
const MARKS_PER_DELTA = 500;
/** A chunk is closed at so many reports as well: what names them must fit into one row. */
const LINES_PER_CHUNK = 5_000;
/** KV or an index that does not answer is tried again; nobody waits for it for ever. */
const PUT_PATIENCE_MS = 20_000;
const APPLY_PATIENCE_MS = 10_000;
const RETENTION_SECONDS = 30 * 86_400;

interface Waiting {
  readonly entries: Entry[];
  readonly sheet: TallySheet;
  readonly done: Promise<ReadonlyMap<ReportId, Position>>;
  readonly settle: (result: ReadonlyMap<ReportId, Position> | Error) => void;
}

/** One object a shard, named by project and shard: `1/0`. */
export class ReportLog extends DurableObject<Bindings> implements ReportLogRpc {
  readonly #table: LogTable;
  readonly #project: string;
  readonly #shard: string;
  readonly #known = new RecentIds(REMEMBER_MS, Date.now());
  /** Ids that a commit is under way for. */
  readonly #coming = new Map<ReportId, Waiting>();
  /** What the index has not confirmed yet, in the order of its rows. */
  #unindexed: Sequenced[] = [];
  /** Counted with the next commit: a retry alone is no reason to write. */
  readonly #repeats = new TallySheet();
  #waiting: Waiting | null = null;
  #open: { chunk: number; hour: string; lines: number; chars: number };
  #pushing: Promise<void> | null = null;
  #sealing: Promise<boolean> | null = null;
  #retryMs = RETRY_MIN_MS;
  #alarmSet = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    [this.#project = "", this.#shard = ""] = (ctx.id.name ?? "").split("/");
    this.#table = new LogTable(ctx.storage);
    // A restart always opens a new chunk: one that was being put is only ever put again with the same bytes.
    this.#open = { chunk: this.#table.lastChunk() + 1, hour: "", lines: 0, chars: 0 };
    const nowMs = Date.now();
    const known = this.#table.knownSince(nowMs - REMEMBER_MS, this.#shard, MAX_IDS);
    for (const { id, position } of known) this.#known.add(id, position, nowMs);
    this.#recall();
  }

  async append(
    entries: readonly Entry[],
    tallies: readonly Tally[] = [],
  ): Promise<readonly Appended[]> {
    const taken = entries.map((entry) => this.#take(entry));
    const counted = tallies.length > 0 ? this.#count(tallies) : undefined;
    const answers: Appended[] = [];
    for (const [i, { commit, id: takenId, known, repeated }] of taken.entries()) {
      const id = entries[i]?.id ?? "";
      // A retry whose first copy is still on its way is durable when that copy is.
      const position = known ?? (await commit?.done)?.get(takenId);
      if (position === undefined) throw new Error("the log lost track of a report");
      answers.push({ id, position, repeated });
    }
    await counted?.done;
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
    while (this.#unindexed.length > 0) await this.#push();
  }

  override async alarm(): Promise<void> {
    this.#alarmSet = false;
    // Neither waits for the other: an index that is away does not keep reports out of KV. Nothing is thrown here, because
    // an alarm that throws seven times is given up by the platform.
    if (this.#open.lines > 0) this.#closeChunk();
    const [pushed, sealed] = await Promise.allSettled([this.#push(), this.#seal()]);
    this.#table.deleteDone(Date.now() - RETENTION_SECONDS * 1000);
    const done = pushed.status === "fulfilled" && sealed.status === "fulfilled" && sealed.value;
    this.#retryMs = done ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    if (!this.#table.isEmpty()) await this.#wakeIn(this.#retryMs);
  }

  /** Puts a report into the next commit, unless it is known or on its way already. */
  #take(entry: Entry): { commit?: Waiting; id: ReportId; known?: Position; repeated: boolean } {
    for (const id of [entry.id, entry.retryId ?? entry.id]) {
      const known = this.#known.get(id);
      const commit = this.#coming.get(id);
      if (known === undefined && commit === undefined) continue;
      this.#repeats.add(["repeated", entry.mark.kind]);
      return { id, ...present({ known, commit }), repeated: true };
    }
    this.#waiting ??= this.#nextCommit();
    const commit = this.#waiting;
    commit.entries.push(entry);
    this.#coming.set(entry.id, commit);
    return { commit, id: entry.id, repeated: false };
  }

  /** Puts tallies into the next commit. */
  #count(tallies: readonly Tally[]): Waiting {
    this.#waiting ??= this.#nextCommit();
    this.#waiting.sheet.addAll(tallies);
    return this.#waiting;
  }

  /** Everything that arrives before the timer fires becomes one row: one durable write for all. */
  #nextCommit(): Waiting {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<ReportId, Position>>();
    setTimeout(() => this.#commit(), 0);
    return {
      entries: [],
      sheet: new TallySheet(),
      done: promise,
      settle: (result) => (result instanceof Error ? reject(result) : resolve(result)),
    };
  }

  #commit(): void {
    const commit = this.#waiting;
    this.#waiting = null;
    if (commit === null) return;
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
      commit.sheet.addAll(this.#repeats.take());
      const counted = { day: dayOf(nowMs), tallies: commit.sheet.take() };
      if (counted.tallies.length > 0) lines.push(tallyLine(counted));
      const rows = this.#table.insert({ chunk, hour, lines });
      this.#open.lines += lines.length;
      this.#open.chars += lines.reduce((sum, line) => sum + line.length, 0);
      marks.forEach((mark, i) => {
        this.#unindexed.push({ seq: rows[i] ?? 0, mark });
      });
      if (counted.tallies.length > 0) this.#unindexed.push({ seq: rows.at(-1) ?? 0, counted });
      for (const [id, position] of positions) this.#known.add(id, position, nowMs);
      commit.settle(positions);
      const isFull = this.#open.lines >= LINES_PER_CHUNK || this.#open.chars >= SEAL_CHARS;
      if (isFull) this.#closeChunk();
      this.ctx.waitUntil(this.#afterCommit(isFull));
    } catch (error) {
      commit.settle(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const { id } of commit.entries) this.#coming.delete(id);
    }
  }

  /** Nothing waits for the other, and what fails is tried again by the alarm. */
  async #afterCommit(isFull: boolean): Promise<void> {
    if (!this.#alarmSet) await this.#wakeIn(SEAL_AFTER_MS);
    await Promise.allSettled([this.#push(), isFull && this.#seal()]);
  }

  /** From here on the chunk takes no more lines, and may be copied. */
  #closeChunk(): void {
    this.#open = { chunk: this.#open.chunk + 1, hour: "", lines: 0, chars: 0 };
  }

  async #wakeIn(ms: number): Promise<void> {
    this.#alarmSet = true;
    await this.ctx.storage.setAlarm(Date.now() + ms);
  }

  /** Hands marks and tallies to the index until it has all. One push at a time; whoever comes meanwhile waits for that one. */
  #push(): Promise<void> {
    this.#pushing ??= this.#pushAll().finally(() => {
      this.#pushing = null;
    });
    return this.#pushing;
  }

  async #pushAll(): Promise<void> {
    while (this.#unindexed.length > 0) {
      const rows = this.#unindexed.slice(0, this.#deltaSize());
      const index = this.env.PROJECT_INDEX.getByName(this.#project);
      const counted = await inTime(index.apply(this.#shard, rows), APPLY_PATIENCE_MS);
      this.#unindexed = this.#unindexed.filter(({ seq }) => seq > counted);
      this.#table.setIndexed(counted);
    }
  }

  /** A row is sent whole: the index counts by rows, and the second half of one would look like a repetition. */
  #deltaSize(): number {
    let size = Math.min(MARKS_PER_DELTA, this.#unindexed.length);
    const lastSeq = this.#unindexed[size - 1]?.seq;
    while (size < this.#unindexed.length && this.#unindexed[size]?.seq === lastSeq) size++;
    return size;
  }

  /** Copies closed chunks into KV. True when nothing is left that was refused. */
  #seal(): Promise<boolean> {
    this.#sealing ??= this.#sealAll().finally(() => {
      this.#sealing = null;
    });
    return this.#sealing;
  }

  async #sealAll(): Promise<boolean> {
    let refused = 0;
    await inLanes(this.#table.closedChunks(this.#open.chunk), async ({ chunk, hour }) => {
      try {
        await this.#copy(chunk, hour);
      } catch (error) {
        refused++;
        console.warn("report log: put refused", { chunk, error: String(error) });
      }
    });
    return refused === 0;
  }

  async #copy(chunk: number, hour: string): Promise<void> {
    const lines = this.#table.lines(chunk);
    const key = chunkKey(this.#project, { hour, shard: this.#shard, chunk });
    const options = { metadata: chunkMetadata(lines), expirationTtl: RETENTION_SECONDS };
    await inTime(this.env.KV.put(key, await encodeChunk(lines), options), PUT_PATIENCE_MS);
    const ids = lines.map((line) => parseStoredReport(line)?.id ?? NO_ID);
    this.#table.sealed({ chunk, hour, ids, sealedMs: Date.now() });
  }

  /** After a restart: what is in the log but not yet counted is handed over again, and copied again. */
  #recall(): void {
    for (const row of this.#table.uncounted()) {
      const { seq, hour, chunk } = row;
      row.lines.forEach((text, i) => {
        const report = parseStoredReport(text);
        const counted = report === null ? parseTallyLine(text) : null;
        const at = { hour, shard: this.#shard, chunk, line: row.firstLine + i };
        if (report) this.#unindexed.push({ seq, mark: markOf(report, positionOf(at)) });
        if (counted) this.#unindexed.push({ seq, counted });
      });
    }
    if (!this.#table.isEmpty()) this.ctx.waitUntil(this.#wakeIn(SEAL_AFTER_MS));
  }
}
