/**
 * What the Worker and the two objects say to each other. Arguments and answers cross a structured clone, so they are plain
 * data; a report travels as the line that will be stored, so that it is written as JSON once.
 */
import type { Issue, IssueList, Mark, Position } from "../core/issue.ts";
import type { Appended } from "../core/ports.ts";
import type { Digest, ReportId } from "../core/report.ts";
import type { ShardHealth, StoreHealth } from "../core/store-health.ts";
import type { DayTallies, Tally, TallyOnDay } from "../core/tally.ts";

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

/** A mark, or tallies, and the log row that they stand in. Rows number the log of a shard from 1, without gaps. */
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
  append(entries: readonly Entry[], tallies: readonly Tally[]): Promise<readonly Appended[]>;
  /** The report's line while the log still holds it, else null. */
  read(position: Position): Promise<string | null>;
  /** Where the report with this id is, over the whole retention; null when this shard never had it. */
  locate(id: ReportId): Promise<Position | null>;
  /** The same for reports of the last day, in no more time than it takes to remember: for whoever may be a stranger. */
  locateRecent(id: ReportId): Promise<Position | null>;
  /** Resolves when everything acknowledged has been handed to the index. */
  settle(): Promise<void>;
  health(): Promise<ShardHealth>;
}

/** What ProjectIndex answers to. */
export interface ProjectIndexRpc {
  /**
   * Counts what stands in whole rows of a shard's log, in order. A row counts once, however often it is sent. Resolves to the
   * last row that is counted: the log sends on from behind it.
   */
  apply(shard: string, rows: readonly Sequenced[]): Promise<number>;
  issue(digest: Digest): Promise<Issue | null>;
  /** The issue that a report with this mark counts in. */
  issueOf(mark: Mark): Promise<Digest>;
  newest(): Promise<IssueList>;
  newestNoise(): Promise<IssueList>;
  /** Issues that have all words of the text, the best match first; at most `count`. */
  search(text: string, count: number): Promise<readonly Digest[]>;
  tallies(days: number): Promise<readonly TallyOnDay[]>;
  aliases(alias: string): Promise<readonly Digest[]>;
  health(): Promise<StoreHealth>;
}
