/**
 * SQLite tables of queued jobs and of the KV keys that the current job has left. A job continues
 * from them after a restart. Synchronous.
 */
import type { ErasureCounts } from "../../../core/erasure.ts";
import type { IssueErasure } from "../../kv/erase-lines.ts";
import { type ChunkRef, toChunkKey } from "../../kv/keys.ts";

/** A job for a whole project, as the index stores it. */
export type Job =
  /** Rebuilds the index and the logs' catalogs from KV. */
  | { readonly kind: "rebuild" }
  /** Erases an issue with its reports, including linked browser reports. */
  | ({ readonly kind: "erase-issue" } & IssueErasure)
  /** Counts reports and issues that contain a text: a person's address, name or number. */
  | { readonly kind: "preview-erasure"; readonly id: string; readonly text: string }
  /** Erases every report that contains a text. `id` is that of its preview, if it had one. */
  | { readonly kind: "erase-text"; readonly text: string; readonly id?: string }
  /** Erases the sessions counted in an environment. */
  | { readonly kind: "erase-sessions"; readonly environment: string }
  /** Erases everything. */
  | { readonly kind: "erase-project" };

interface QueuedJob {
  readonly id: number;
  readonly job: Job;
  /** Null if it has not begun. */
  readonly state: JobState | null;
  /** How often its current step has failed. */
  readonly failures: number;
}

/** How far a job is. */
export interface JobState {
  readonly phase: string;
  /** Where the phase continues; absent at its start. */
  readonly cursor?: string;
  /** Keys that are processed, and all that are known so far. */
  readonly done: number;
  readonly total: number;
  /** The logs at the time when the job read their state, by shard. */
  readonly logs: Readonly<Record<string, LogState>>;
  /** The highest chunk number found in KV, by shard. */
  readonly lastChunks: Readonly<Record<string, number>>;
  /** The counts of an erasure so far. */
  readonly found?: ErasureCounts;
}

interface LogState {
  /** Chunks with this number or a higher one are not part of the job. */
  readonly nextChunk: number;
  /** Chunks that are not part of the job either. */
  readonly skippedChunks?: readonly number[];
  readonly lastSeq?: number;
}

/** A KV key to process. */
export interface JobKey {
  readonly key: string;
  /** When the first report of a chunk came, in ms. The order of the keys. */
  readonly atMs: number;
  /** Shard and number of a chunk; absent for other keys. */
  readonly shard?: string;
  readonly chunk?: number;
  /** When KV deletes it, in ms. */
  readonly expiresAtMs?: number;
  /** When KV or the shard listed the key, in ms. KV may serve a cached miss for a while. */
  readonly listedAtMs: number;
  /** The next line of a chunk that is processed in part. */
  readonly line?: number;
}

/** The keys of chunks of a shard. KV's list may miss the recently uploaded ones. */
export function toChunkKeys(
  project: string,
  shard: string,
  chunks: readonly (ChunkRef & { readonly uploadedMs?: number })[],
): readonly JobKey[] {
  return chunks.map(({ chunk, hour, uploadedMs = 0 }) => {
    const key = toChunkKey(project, { hour, shard, chunk });
    return { key, shard, chunk, atMs: uploadedMs, listedAtMs: uploadedMs };
  });
}

/** True for a chunk that is not part of the job. */
export function isSkipped({ shard = "", chunk = 0 }: JobKey, logs: JobState["logs"]): boolean {
  const log = logs[shard];
  return log !== undefined && (chunk >= log.nextChunk || !!log.skippedChunks?.includes(chunk));
}

const MAX_LISTED_JOBS = 100;

export class JobTable {
  readonly #sql: SqlStorage;
  /** True if the queue is known to be empty, as in nearly every query of the index. */
  #isEmpty = false;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Appends a job, unless an equal one is waiting. */
  enqueue(job: Job): void {
    this.#isEmpty = false;
    this.#sql.exec(
      `INSERT INTO job(body) SELECT ?1
       WHERE NOT EXISTS (SELECT 1 FROM job WHERE body = ?1 AND state IS NULL)`,
      JSON.stringify(job),
    );
  }

  /** The current job; undefined if the queue is empty. */
  getCurrent(): QueuedJob | undefined {
    if (this.#isEmpty) return undefined;
    const [current] = this.listJobs(1);
    this.#isEmpty = current === undefined;
    return current;
  }

  /** The first jobs of the queue, the current one first. */
  listJobs(count = MAX_LISTED_JOBS): readonly QueuedJob[] {
    return this.#sql
      .exec<{ id: number; body: string; state: string | null; failures: number }>(
        "SELECT id, body, state, failures FROM job ORDER BY id LIMIT ?",
        count,
      )
      .toArray()
      .map(({ id, body, state, failures }) => ({
        id,
        failures,
        job: JSON.parse(body) as Job,
        state: state === null ? null : (JSON.parse(state) as JobState),
      }));
  }

  saveState(id: number, state: JobState): void {
    const query = "UPDATE job SET state = ?, failures = 0 WHERE id = ?";
    this.#sql.exec(query, JSON.stringify(state), id);
  }

  /** Counts a failed step of the current job. Returns the number of consecutive failures. */
  countFailure(): number {
    const query = `UPDATE job SET failures = failures + 1 WHERE id = (SELECT min(id) FROM job)
      RETURNING failures`;
    return this.#sql.exec<{ failures: number }>(query).toArray()[0]?.failures ?? 0;
  }

  /** Removes a job whose keys are all processed. */
  remove(id: number): void {
    this.#sql.exec("DELETE FROM job WHERE id = ?", id);
  }

  /** Adds new keys and returns their number. */
  addKeys(keys: Iterable<JobKey>): number {
    const query = `INSERT OR IGNORE INTO job_key(
      key, at_ms, shard, chunk, expires_ms, listed_ms) VALUES (?, ?, ?, ?, ?, ?)`;
    let added = 0;
    for (const { key, atMs, shard, chunk, expiresAtMs, listedAtMs } of keys) {
      const columns = [shard, chunk, expiresAtMs].map((column) => column ?? null);
      const { rowsWritten } = this.#sql.exec(query, key, atMs, ...columns, listedAtMs);
      if (rowsWritten > 0) added += 1;
    }
    return added;
  }

  removeKey(key: string): void {
    this.#sql.exec("DELETE FROM job_key WHERE key = ?", key);
  }

  /** Call in the transaction that processed the lines before `line`. */
  saveLine(key: string, line: number): void {
    this.#sql.exec("UPDATE job_key SET line = ? WHERE key = ?", line, key);
  }

  listNextKeys(count: number): readonly JobKey[] {
    return this.#sql
      .exec<{
        key: string;
        atMs: number;
        shard: string | null;
        chunk: number | null;
        expiresAtMs: number | null;
        listedAtMs: number;
        line: number;
      }>(
        `SELECT key, at_ms AS atMs, shard, chunk, expires_ms AS expiresAtMs,
           listed_ms AS listedAtMs, line
         FROM job_key ORDER BY at_ms, key LIMIT ?`,
        count,
      )
      .toArray()
      .map(({ key, atMs, listedAtMs, line, ...columns }): JobKey => {
        const [shard, chunk] = [columns.shard ?? undefined, columns.chunk ?? undefined];
        const expiresAtMs = columns.expiresAtMs ?? undefined;
        return { key, atMs, listedAtMs, line, shard, chunk, expiresAtMs };
      });
  }

  /** The number of jobs, the current one included. */
  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM job").one().n;
  }
}
