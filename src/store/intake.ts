/**
 * The intake of one shard: what comes in becomes rows. Everything that arrives within a turn is one commit, written once; whoever
 * sent it is answered when it is durable. An id that is known, or on its way, is not written again.
 */
import { dayOf } from "../core/fold.ts";
import type { Position } from "../core/issue.ts";
import type { Appended, RestoredLine } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { ReportId } from "../core/report.ts";
import { Sampling } from "../core/sum.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import { Commit } from "./commit.ts";
import { positionOf } from "./keys.ts";
import { KnownIds } from "./known-ids.ts";
import type { LogTable } from "./log-table.ts";
import { OpenChunk } from "./open-chunk.ts";
import type { Entry, Sequenced } from "./rpc.ts";
import { sequencedOf } from "./sequenced.ts";
import { parseStoredReport } from "./stored.ts";

/** What is committed together: a chunk that is full must not become many times as large at once. */
const MAX_COMMIT_CHARS = 2 * 1024 * 1024;

/** What one shard takes in with. */
export interface IntakeFacts {
  readonly shard: string;
  readonly table: LogTable;
  readonly nowMs: () => number;
  /** True when a closed chunk could be copied now. */
  readonly mayCopy: () => boolean;
  /** Is told what the index must be told. */
  readonly handOver: (waiting: Sequenced) => void;
  /** Is told that something was written, and whether it closed a chunk. */
  readonly written: (closed: boolean) => void;
}

/** What became of one entry: it is in a commit, or its place is known already. */
interface Taken {
  readonly commit?: Commit;
  readonly id: ReportId;
  readonly known?: Position;
  readonly repeated: boolean;
  readonly counted?: boolean;
}

/** The intake of one shard. */
export class Intake {
  readonly #facts: IntakeFacts;
  readonly #sampling = new Sampling();
  /** Ids that a commit is under way for. */
  readonly #coming = new Map<ReportId, Commit>();
  /** Counted with the next commit: a retry alone is no reason to write. */
  readonly #repeats = new TallySheet();
  #waiting: Commit | null = null;
  #known: KnownIds;
  #open: OpenChunk;

  constructor(facts: IntakeFacts) {
    this.#facts = facts;
    // A restart always opens a new chunk: one that was being put is only ever put again with the same bytes.
    this.#open = new OpenChunk(facts.table.lastChunk() + 1);
    this.#known = new KnownIds(facts.table, facts.shard, facts.nowMs());
  }

  /** The ids that are known. */
  get known(): KnownIds {
    return this.#known;
  }

  /** The chunk that takes lines; those before it take no more. */
  get openChunk(): number {
    return this.#open.chunk;
  }

  /**
   * Resolves when everything is durable, with one answer an entry; rejects when it could not be written. With `ifNew` the tallies
   * count only if one of the entries is new: two who bring the same count it once.
   */
  async append(
    entries: readonly Entry[],
    tallies: readonly Tally[],
    ifNew = false,
  ): Promise<readonly Appended[]> {
    const taken = entries.map((entry) => this.#take(entry));
    const counts = tallies.length > 0 && (!ifNew || taken.some(({ repeated }) => !repeated));
    const tallied = counts ? this.#count(tallies) : [];
    const answers: Appended[] = [];
    for (const [i, { commit, id: takenId, known, repeated, counted }] of taken.entries()) {
      const id = entries[i]?.id ?? "";
      // A retry whose first copy is still on its way is durable when that copy is.
      const position = known ?? (await commit?.done)?.get(takenId);
      if (position === undefined) throw new Error("the log lost track of a report");
      const keptAs = takenId === id ? undefined : takenId;
      answers.push({ id, position, repeated, ...present({ keptAs, counted }) });
    }
    for (const { done } of tallied) await done;
    return answers;
  }

  /** Writes lines of an export, those of which no id is known; gives how many. None is counted without its body here. */
  restore(restored: readonly RestoredLine[]): number {
    const { table, shard, nowMs, handOver } = this.#facts;
    const fresh = this.#unknown(restored);
    if (fresh.length === 0) return 0;
    const open = this.#open.at(nowMs());
    const { chunk, hour, lines: firstLine } = open;
    const lines = fresh.map(({ line }) => line);
    const placed = fresh.flatMap(({ line, ids }, i) =>
      parseStoredReport(line) === null ? ids.map((id) => ({ id, line: firstLine + i })) : [],
    );
    const seqs = table.insert({ chunk, hour, lines, placed });
    open.add(lines, placed.length);
    for (const [i, { line, ids }] of fresh.entries()) {
      const place = { chunk, hour, shard, line: firstLine + i };
      const row = {
        seq: seqs[i] ?? 0,
        chunk,
        hour,
        firstLine: place.line,
        lines: [line],
        placed: [],
      };
      for (const waiting of sequencedOf(row, shard)) handOver(waiting);
      for (const id of ids) this.#known.add(id, positionOf(place), nowMs());
    }
    this.#written();
    return fresh.length;
  }

  /** Resolves when the retries that were counted meanwhile are written. */
  async settle(): Promise<void> {
    if (this.#repeats.isEmpty) return;
    for (const { done } of this.#count([])) await done;
  }

  /** From here on the open chunk takes no more lines, if it has any, and may be copied. */
  close(): void {
    if (this.#open.lines > 0) this.#open = new OpenChunk(this.#open.chunk + 1);
  }

  /** Goes on behind the last chunk that the table knows of. */
  moveOn(): void {
    const last = this.#facts.table.lastChunk();
    if (this.#open.chunk <= last && this.#open.lines === 0) this.#open = new OpenChunk(last + 1);
  }

  /** Begins anew, with what the table holds now. */
  forget(): void {
    const { table, shard, nowMs } = this.#facts;
    this.#known = new KnownIds(table, shard, nowMs());
    this.#open = new OpenChunk(table.lastChunk() + 1);
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
    const nowMs = this.#facts.nowMs();
    const isNew = this.#sampling.isNew(entry.mark, nowMs);
    const isKept = this.#sampling.keeps(entry.mark, nowMs);
    if (isKept) commit.keep(entry, isNew);
    else commit.sumUp(entry);
    this.#coming.set(entry.id, commit);
    return { commit, id: entry.id, repeated: false, ...(!isKept && { counted: true }) };
  }

  /** Puts tallies into the next commit; gives what has to be written until all of them are counted. */
  #count(tallies: readonly Tally[]): readonly Commit[] {
    const commits = new Set<Commit>();
    const fresh = tallies.filter(([, , once]) => {
      const coming = once === undefined ? undefined : this.#coming.get(once);
      if (coming !== undefined) commits.add(coming);
      return once === undefined || (coming === undefined && this.#known.get(once) === undefined);
    });
    if (fresh.length === 0 && tallies.length > 0) return [...commits];
    const commit = this.#commitWithRoom();
    for (const tally of fresh) {
      const [, , once] = tally;
      // The same twice in one call counts once, too.
      if (once !== undefined && this.#coming.has(once)) continue;
      commit.count(tally);
      if (once !== undefined) this.#coming.set(once, commit);
    }
    return [...commits, commit];
  }

  #isKnown(id: ReportId): boolean {
    return this.#coming.has(id) || this.#known.get(id) !== undefined;
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
      const { table, shard, handOver } = this.#facts;
      const nowMs = this.#facts.nowMs();
      const open = this.#open.at(nowMs);
      commit.sheet.addAll(this.#repeats.take());
      const tallied = { day: dayOf(nowMs), tallies: commit.sheet.take() };
      const first = { hour: open.hour, shard, chunk: open.chunk, line: open.lines };
      const { lines, marks, tallies, placed, positions } = commit.layOut(first, tallied);
      const seqs = table.insert({ chunk: open.chunk, hour: open.hour, lines, placed });
      open.add(lines, placed.length);
      for (const [i, marked] of marks.entries()) handOver({ seq: seqs[i] ?? 0, ...marked });
      for (const [i, tallied] of tallies.entries()) {
        handOver({ seq: seqs[marks.length + i] ?? 0, tallied });
      }
      for (const [id, position] of positions) this.#known.add(id, position, nowMs);
      commit.settle(positions);
      this.#written();
    } catch (error) {
      commit.settle(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const id of commit.ids) this.#coming.delete(id);
    }
  }

  #written(): void {
    const isFull = this.#open.isFull(this.#facts.mayCopy());
    if (isFull) this.close();
    this.#facts.written(isFull);
  }

  /** Lines of which no id is known; a line that comes twice counts once. */
  #unknown(lines: readonly RestoredLine[]): readonly RestoredLine[] {
    const seen = new Set<ReportId>();
    return lines.filter(({ ids }) => {
      const isKnown = ids.some((id) => seen.has(id) || this.#isKnown(id));
      for (const id of ids) seen.add(id);
      return !isKnown;
    });
  }
}
