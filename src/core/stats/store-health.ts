/** The backlog of copies to KV and the write budget, for the status page. */

/** The KV write budget of a UTC day. */
export interface WriteBudgetUsage {
  readonly perDay: number;
  readonly usedToday: number;
}

/** The state of one shard of the log. */
export interface ShardHealth extends WriteBudgetUsage {
  readonly shard: string;
  /** Rows, and lines in them, that wait to be uploaded or counted. */
  readonly rows: number;
  readonly lines: number;
  /** `2026112117`: the hour of the oldest of them; absent when nothing waits. */
  readonly oldestHour?: string;
  /** The delay of the next upload by the write budget, in ms. */
  readonly waitMs: number;
  /** Bytes that its object stores, and what it has uploaded to KV: chunks and their lines. */
  readonly storedBytes: number;
  readonly chunks: number;
  readonly chunkLines: number;
  /** Reports uploaded until then (ms) are not found by their ids, because the storage is full. */
  readonly droppedIdsMs?: number;
}

/** How far a job on a whole project is. */
export interface JobProgress {
  readonly job: string;
  /** The number of jobs, including those that wait. */
  readonly jobs: number;
  /** The part of the job that runs. */
  readonly phase: string;
  /** Chunks or keys that are processed, and all that are known so far. */
  readonly done: number;
  readonly total: number;
}

/** The state of one project's store. A shard that does not respond is missing. */
export interface StoreHealth {
  readonly shards: readonly ShardHealth[];
  readonly snapshots: WriteBudgetUsage & {
    /** Keys whose value in KV is outdated, counted up to a maximum. */
    readonly waiting: number;
    /** True if there are more. */
    readonly hasMore?: true;
    /** For how long the oldest of them is outdated, in ms; absent if there is none. */
    readonly ageMs?: number;
    readonly waitMs: number;
    /** Bytes that the index stores. */
    readonly storedBytes: number;
  };
  /** The running job of the project. */
  readonly work?: JobProgress;
}

/** How far a project is backed up. */
export interface ProjectBackup {
  /** All days before this one, `2026-11-21`, are in the bucket. Absent before the first is. */
  readonly nextDay?: string | undefined;
  /** When and why the last run failed, or why this is unknown. Absent if it did not fail. */
  readonly failedMs?: number | undefined;
  readonly problem?: string | undefined;
}
