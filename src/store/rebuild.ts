/**
 * Makes both objects of a project anew from what KV holds: the issues from their snapshots, and from the record every report
 * that came after them; the catalogues of the logs from the record; what people decided from their own keys. What the logs
 * still hold is counted last, by the logs handing it over as ever. Nothing is copied into KV before all is counted.
 */
import type { Issue } from "../core/issue.ts";
import type { Digest } from "../core/report.ts";
import { chunkLinesOf } from "./chunk.ts";
import { eraseLines } from "./erase-lines.ts";
import {
  chunkOfOrder,
  decisionPrefix,
  issuePrefix,
  notesPrefix,
  orderOf,
  placeOfChunkKey,
  VIEWS,
  viewsKey,
} from "./keys.ts";
import { inLanes } from "./lanes.ts";
import type { Ledger } from "./ledger.ts";
import { factsOf } from "./line-facts.ts";
import { type ChunkOfRecord, listChunks, listKeys, readChunk, UnreadableChunk } from "./record.ts";
import type { ReportLogRpc } from "./rpc.ts";
import { sequencedOf } from "./sequenced.ts";
import { storedDecision, storedIssue, storedNotes, storedViews } from "./stored.ts";
import { tracesOf } from "./traced.ts";
import { type Stop, stopsOf, type WalkTable } from "./walk-table.ts";
import type { Walker } from "./walks.ts";

const KEYS_PER_READ = 100;
/** For so long KV may show near a reader who has looked before that a chunk is not there (`desk.ts`). */
const SHOWN_AFTER_MS = 2 * 3_600_000;

/** What a walker reaches of a log. */
export type WalkedLog = Pick<ReportLogRpc, "recount" | "adopt" | "settle">;

/** What a rebuild works with. */
export interface RebuildFacts {
  readonly project: string;
  readonly ledger: Ledger;
  readonly table: WalkTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => WalkedLog;
  /** The shards that the setting names. */
  readonly shards: readonly string[];
  readonly nowMs: () => number;
  /** Resolves when no snapshot is on its way into KV. */
  readonly quiet: () => Promise<void>;
  /** Everything in the record is counted: what the logs hold may come. */
  readonly caughtUp: () => void;
}

/** The walk of one rebuild. */
export class Rebuild implements Walker {
  readonly #facts: RebuildFacts;

  constructor(facts: RebuildFacts) {
    this.#facts = facts;
  }

  async prepare(): Promise<void> {
    const { project, ledger, table, kv, log, nowMs, quiet } = this.#facts;
    // A snapshot that is being written would be made of nothing.
    await quiet();
    ledger.wipe({ decisions: false });
    for await (const chunks of listChunks(kv(), project))
      table.plan(chunks.map((chunk) => stopOf(chunk, nowMs())));
    await this.#recallPeople();
    const lastChunks = await this.#recallIssues();
    for (const [shard, chunk] of table.lastChunks()) {
      lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
    }
    for (const shard of new Set([...this.#facts.shards, ...lastChunks.keys()])) {
      // A log that has lost its storage may number behind what KV has of it, which would then pass for newer than this moment.
      await log(shard).adopt([], lastChunks.get(shard) ?? 0);
      const { before, lastRow, held, copied } = await log(shard).recount();
      ledger.issues.setCounted(shard, lastRow, 0);
      table.plan(stopsOf(project, shard, copied));
      // What the log holds it hands over by itself, and what is newer than this moment too.
      table.leaveOut(
        shard,
        before,
        held.map(({ chunk }) => chunk),
      );
    }
  }

  async visit(stops: readonly Stop[]): Promise<void> {
    const { kv } = this.#facts;
    const chunks = new Map<string, readonly string[] | null>();
    await inLanes(stops, async ({ key }) => {
      chunks.set(key, await readChunk(kv(), key).catch(readAsNothing));
    });
    // Read together, counted one after another: what an issue is called is said by its first report.
    for (const stop of stops) await this.#count(stop, chunks.get(stop.key) ?? null);
  }

  async #count({ key, shard = "", untilMs, knownMs, atMs }: Stop, read: readonly string[] | null) {
    const { project, ledger, table, log, nowMs } = this.#facts;
    const place = placeOfChunkKey(project, key);
    if (read === null || place === null) {
      const isExpired = untilMs !== undefined && untilMs <= nowMs();
      if (!isExpired && nowMs() - knownMs < SHOWN_AFTER_MS) {
        throw new Error("a chunk of the record does not show in KV yet");
      }
      table.visited(key);
      return;
    }
    const { lines: shown, placed } = chunkLinesOf(read);
    const { chunk, hour } = place;
    const facts = shown.map(factsOf);
    const ids = facts.map(({ id }) => id);
    const kept = { copiedMs: atMs, untilMs: untilMs ?? Number.MAX_SAFE_INTEGER };
    // KV may show the chunk as it was before something was erased from it: its shard knows.
    const erased = await log(shard).adopt(
      [{ chunk, hour, ids, placed, traces: tracesOf(facts), ...kept }],
      0,
    );
    const lines = eraseLines(shown, erased);
    const row = { seq: 0, chunk, hour, firstLine: 0, lines, placed };
    ledger.transaction(() => {
      ledger.counting.count([...sequencedOf(row, shard)], nowMs());
      ledger.issues.setPlace(shard, orderOf({ chunk, line: lines.length }));
      table.visited(key);
    });
  }

  async finish(): Promise<void> {
    const { ledger, log, caughtUp } = this.#facts;
    caughtUp();
    const shards = new Set([...this.#facts.shards, ...ledger.issues.shards()]);
    for (const shard of shards) await log(shard).settle();
    ledger.nameForSearch();
  }

  /** What people did, before the issues that it is about. */
  async #recallPeople(): Promise<void> {
    const { project, ledger, kv } = this.#facts;
    await this.#recallDecisions();
    const prefix = notesPrefix(project);
    const erased = new Set(ledger.gone.names("notes"));
    for await (const [key, value] of this.#values(prefix)) {
      const notes = storedNotes(value);
      const digest = key.slice(prefix.length);
      if (notes !== null && !erased.has(digest)) ledger.notes.recall(digest, notes);
    }
    ledger.merges.cool();
    const views = storedViews(await kv().get(viewsKey(project), "json"));
    if (views !== null) ledger.views.recall(VIEWS, views);
  }

  async #recallDecisions(): Promise<void> {
    const { project, ledger } = this.#facts;
    const prefix = decisionPrefix(project);
    const erased = new Set(ledger.gone.names("decision"));
    for await (const [key, value] of this.#values(prefix)) {
      const decision = storedDecision(value);
      const digest = key.slice(prefix.length);
      if (decision !== null && !erased.has(digest)) ledger.decisions.recall(digest, decision);
    }
  }

  /** The issues as their snapshots have them. Gives the highest chunk of each shard that one of them had counted. */
  async #recallIssues(): Promise<Map<string, number>> {
    const { project, ledger, nowMs } = this.#facts;
    // Their snapshots still hold what was erased: they are counted from the record, where it is gone.
    const erased = new Set(ledger.gone.names("issue"));
    const lastChunks = new Map<string, number>();
    const merged: (readonly [issue: Issue, into: Digest])[] = [];
    for await (const [, value] of this.#values(issuePrefix(project))) {
      const issue = storedIssue(value);
      // One that does not say what it has counted would be counted twice.
      if (issue?.upTo === undefined) continue;
      const digest = ledger.merges.ofSnapshot(issue.digest, issue.upTo);
      const isMerged = digest !== issue.digest;
      if (erased.has(issue.digest) && !isMerged) continue;
      if (isMerged) merged.push([issue, digest]);
      else ledger.recall(issue, nowMs());
      for (const [shard, place] of Object.entries(issue.upTo)) {
        const chunk = chunkOfOrder(place);
        lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
      }
    }
    // One that was merged, and whose new issue was copied before it was, is still to be added to that.
    for (const [issue, into] of merged) ledger.addMerged(issue, into, nowMs());
    return lastChunks;
  }

  async *#values(prefix: string): AsyncGenerator<readonly [key: string, value: unknown]> {
    const { kv } = this.#facts;
    for await (const keys of listKeys(kv(), prefix)) {
      for (let at = 0; at < keys.length; at += KEYS_PER_READ) {
        const names = keys.slice(at, at + KEYS_PER_READ).map(({ name }) => name);
        yield* await readAll(kv(), names);
      }
    }
  }
}

function stopOf({ key, shard, chunk, hour, t0, untilMs }: ChunkOfRecord, nowMs: number): Stop {
  return {
    key,
    shard,
    chunk,
    knownMs: nowMs,
    atMs: t0 ?? msOfHour(hour),
    ...(untilMs !== undefined && { untilMs }),
  };
}

/** A chunk that nobody can read must not keep the others from being counted. */
function readAsNothing(error: unknown): readonly string[] {
  if (!(error instanceof UnreadableChunk)) throw error;
  console.error("rebuild: a chunk is left out", String(error));
  return [];
}

function msOfHour(hour: string): number {
  const [year, month, day] = [hour.slice(0, 4), hour.slice(4, 6), hour.slice(6, 8)];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour.slice(8)));
}

/** Values that are JSON, by their keys: in one read, unless they are too large for one together. */
async function readAll(kv: KVNamespace, names: string[]): Promise<ReadonlyMap<string, unknown>> {
  const together = await kv.get(names, "json").catch(() => null);
  if (together !== null) return together;
  const values = new Map<string, unknown>();
  for (const name of names) values.set(name, await kv.get(name, "json"));
  return values;
}
