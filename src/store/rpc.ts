/**
 * What the Worker and the two objects say to each other. Arguments and answers cross a structured clone, so they are plain
 * data; a report travels as the line that will be stored, so that it is written as JSON once.
 */
import type { Arrival } from "../core/arrival.ts";
import type { Choice } from "../core/decision.ts";
import type { Issue, IssueList, IssueSummary, Mark, Position } from "../core/issue.ts";
import type { Cursor, Facet, IssuePage, IssueQuery, SavedView } from "../core/issue-query.ts";
import type { NoteChange, Notes } from "../core/notes.ts";
import type { Appended, RestoredLine } from "../core/ports.ts";
import type { AuditEntry } from "../core/registry/audit.ts";
import type { Made, RegistryChange, RegistryFailure } from "../core/registry/change.ts";
import type { Deed } from "../core/registry/port.ts";
import type { Registry } from "../core/registry/registry.ts";
import type { Actor } from "../core/registry/rights.ts";
import type { ReleaseSummary } from "../core/release-summary.ts";
import type { Digest, ReportId } from "../core/report.ts";
import type { Result } from "../core/result.ts";
import type { Said } from "../core/said.ts";
import type { ShardHealth, StoreHealth } from "../core/store-health.ts";
import type { DayTallies, Tally, TallyOnDay } from "../core/tally.ts";
import type { ChunkLines } from "./chunk.ts";
import type { ErasedLine, Erasure } from "./erase-lines.ts";
import type { Place } from "./keys.ts";
import type { PlacedId } from "./packed-ids.ts";
import type { Task } from "./tasks.ts";

/** A report on its way into the log. */
export interface Entry {
  readonly id: ReportId;
  /** The id that a retry of it may have instead. */
  readonly retryId?: ReportId;
  /** How many files came with it. */
  readonly files?: number;
  /** The report as one line of JSON. */
  readonly line: string;
  /** What the index will be told; the log adds the position. */
  readonly mark: Omit<Mark, "position">;
}

/** A mark, or tallies, and the log row that they stand in. Numbers grow with each row, without gaps. */
export type Sequenced =
  | {
      readonly seq: number;
      readonly mark: Mark;
      /** What its issue is found by; of the first report of an issue and hour. */
      readonly words?: string;
    }
  | { readonly seq: number; readonly tallied: DayTallies };

/** What ReportLog answers to. */
export interface ReportLogRpc {
  /** With `ifNew` the tallies count only if one of the entries is new. */
  append(
    entries: readonly Entry[],
    tallies: readonly Tally[],
    ifNew?: boolean,
  ): Promise<readonly Appended[]>;
  /** The line at a position, from the log or from KV as it is seen from here; null when it is no longer kept. */
  read(position: Position): Promise<string | null>;
  /** Where the report with this id is, over the whole retention; null when this shard never had it. */
  locate(id: ReportId): Promise<Position | null>;
  /** The same for the newest reports of the last day, in no more time than it takes to remember: for whoever may be a stranger. */
  locateRecent(id: ReportId): Promise<Position | null>;
  /** Where reports are that a trace or a Ray ID names, as an id (`traced.ts`); the newest first. */
  traced(id: ReportId): Promise<readonly Position[]>;
  /** Resolves when everything acknowledged has been handed to the index. */
  settle(): Promise<void>;
  health(): Promise<ShardHealth>;
  /** Closes the open chunk, and says what there is before the next one. */
  cut(): Promise<Cut>;
  /** The same, and hands over everything that it holds once more: the index has begun anew. */
  recount(): Promise<Cut>;
  /**
   * Takes chunks of the record into the catalogue; chunk numbers up to `lastChunk` count as used. Gives the lines of these chunks
   * that were erased.
   */
  adopt(chunks: readonly AdoptedChunk[], lastChunk: number): Promise<readonly ErasedLine[]>;
  /**
   * Erases from one chunk, in the log and in KV; gives the lines that it met. Rejects while KV refuses: it may be asked again.
   */
  erase(chunk: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]>;
  /** Forgets everything; gives the last row's number: what comes of that or an earlier one is late. */
  wipe(): Promise<number>;
  /** The lines of a chunk that is still here, with the ids that its sums stand for; none when it is not. */
  held(chunk: number): Promise<ChunkLines>;
  /** Writes lines of an export, those that are not known yet. Gives how many were. */
  restore(lines: readonly RestoredLine[]): Promise<number>;
}

/** A chunk of one shard. */
export type ChunkPlace = Pick<Place, "chunk" | "hour">;

/** What a log holds at one moment. */
export interface Cut {
  /** Chunks from this number on are newer. */
  readonly before: number;
  /** The last row before those that are here. */
  readonly lastRow: number;
  /** Chunks whose rows are here, copied or not. */
  readonly held: readonly ChunkPlace[];
  /** Chunks that were copied so recently that KV's list may miss them. */
  readonly copied: readonly (ChunkPlace & { readonly copiedMs: number })[];
}

/** A chunk of the record, as the catalogue has it. */
export interface AdoptedChunk extends ChunkPlace {
  /** Of each line, `NO_ID` where it has none. */
  readonly ids: readonly ReportId[];
  readonly placed: readonly PlacedId[];
  readonly traces: readonly PlacedId[];
  readonly copiedMs: number;
  readonly untilMs: number;
}

/** What the index says of a delta. */
export interface Counted {
  /** The last row that is counted: the log sends on from behind it. */
  readonly seq: number;
  /** Issues of the delta of which there is plenty: their bodies need not be kept long. */
  readonly common: readonly Digest[];
}

/** What ProjectIndex answers to. */
export interface ProjectIndexRpc {
  /**
   * Counts what stands in whole rows of a shard's log, in order. A row counts once, however often it is sent. Rejects while the
   * index is made anew.
   */
  apply(shard: string, rows: readonly Sequenced[]): Promise<Counted>;
  /**
   * A log began, its rows behind this number. If earlier rows of the shard were counted it has lost its storage: both are made anew.
   */
  logBegan(shard: string, row: number): Promise<void>;
  issue(digest: Digest): Promise<Issue | null>;
  /** The issue that a report with this mark counts in. */
  issueOf(mark: Mark): Promise<Digest>;
  newest(): Promise<IssueList>;
  list(query: IssueQuery, from: Cursor | undefined): Promise<IssuePage>;
  facets(query: IssueQuery): Promise<readonly Facet[]>;
  /** Issues that share telling words, the likeliest first. */
  similar(digest: Digest): Promise<readonly IssueSummary[]>;
  releases(): Promise<readonly ReleaseSummary[]>;
  /** The newest reports, newest first. */
  arrivals(): Promise<readonly Arrival[]>;
  notes(digest: Digest): Promise<Notes>;
  /** Changes what people added; null when there is no such issue. */
  annotate(digest: Digest, change: NoteChange): Promise<Notes | null>;
  views(): Promise<readonly SavedView[]>;
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]>;
  /** Issues that have all words of the text, the best match first; at most `count`. */
  search(text: string, count: number): Promise<readonly Digest[]>;
  tallies(days: number): Promise<readonly TallyOnDay[]>;
  /** Decides about an issue; null when there is none. */
  decide(digest: Digest, choice: Choice): Promise<Issue | null>;
  /** Decides about many; gives those that there are. */
  decideAll(digests: readonly Digest[], choice: Choice): Promise<readonly Digest[]>;
  /** Puts a task behind those that are under way; it goes on by itself. */
  begin(task: Task): Promise<void>;
  /** Resolves when no snapshot is on its way into KV. */
  quiet(): Promise<void>;
  /** Begins to erase an issue; false when there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Erases one report; false when no shard has it. Rejects while KV refuses. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Takes what people did from an export, where nothing of that kind is known. */
  restoreSaid(said: readonly Said[]): Promise<void>;
  /** The shards that there are, and those that there were while the setting said more. */
  shards(): Promise<readonly string[]>;
  /** What people did: decisions, notes and views. */
  said(): Promise<readonly Said[]>;
  aliases(alias: string): Promise<readonly Digest[]>;
  health(): Promise<StoreHealth>;
}

/** What a change of the registry made, or why it was refused. */
export type ChangedRegistry = Result<{ readonly made: Made }, RegistryFailure>;

/** What Registry answers to. */
export interface RegistryRpc {
  /** The registry; null when its version is `known`. */
  copy(known: number): Registry | null;
  change(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry>;
  /** Whether `actor` may do this now; notes it in the audit log. */
  admit(actor: Actor, deed: Deed): boolean;
  /** Forgets a deleted project whose data is erased. */
  erased(project: string): Promise<void>;
  /** Entries of the audit log, the newest first, before the number `before`. */
  audit(project: string, before?: number): readonly AuditEntry[];
  /** When sessions and tokens were last used, by id, in milliseconds since 1970. */
  uses(): Readonly<Record<string, number>>;
  /** Notes that a session or a token was used. */
  used(id: string): void;
}

/** ReportLog, as a binding reaches it. */
export interface ReportLogObject extends ReportLogRpc, Rpc.DurableObjectBranded {}

/** ProjectIndex, as a binding reaches it. */
export interface ProjectIndexObject extends ProjectIndexRpc, Rpc.DurableObjectBranded {
  /** Closes every WebSocket of those who watch. */
  dismissWatchers(): void;
}

/** Registry, as a binding reaches it. */
export interface RegistryObject extends RegistryRpc, Rpc.DurableObjectBranded {}
