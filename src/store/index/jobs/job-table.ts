/**
 * SQLite tables of queued jobs and of the steps of the current one, so that a job continues after a
 * restart. A step is one KV key. Synchronous.
 */
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { chunkKey } from "../../kv/keys.ts";
import type { Job } from "../../rpc/job.ts";
import type { ChunkRef } from "../../rpc/rpc.ts";

interface QueuedJob {
  readonly id: number;
  readonly job: Job;
  /** True once all its steps are in the table. */
  readonly isPlanned: boolean;
}

export interface JobStep {
  readonly key: string;
  /** When a chunk's first report came, in ms. Steps run in this order. */
  readonly atMs: number;
  /** Shard and number of a chunk; absent for other keys. */
  readonly shard?: string;
  readonly chunk?: number;
  /** When KV deletes it, in ms. */
  readonly expiresAtMs?: number;
  /** When KV or the shard listed the key, in ms: KV may serve a cached miss for a while. */
  readonly listedAtMs: number;
}

/** Steps for the chunks of a shard. KV's list may miss the recently uploaded ones. */
export function toChunkSteps(
  project: string,
  shard: string,
  chunks: readonly (ChunkRef & { readonly uploadedMs?: number })[],
): readonly JobStep[] {
  return chunks.map(({ chunk, hour, uploadedMs = 0 }) => {
    const key = chunkKey(project, { hour, shard, chunk });
    return { key, shard, chunk, atMs: uploadedMs, listedAtMs: uploadedMs };
  });
}

export class JobTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS job(
        id INTEGER PRIMARY KEY, body TEXT NOT NULL, is_planned INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS job_step(
        key TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, shard TEXT, chunk INTEGER,
        expires_ms INTEGER, listed_ms INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  /** Appends a job, unless an equal one is waiting. */
  enqueue(job: Job): void {
    this.#sql.exec(
      `INSERT INTO job(body, is_planned) SELECT ?1, 0
       WHERE NOT EXISTS (SELECT 1 FROM job WHERE body = ?1 AND is_planned = 0)`,
      JSON.stringify(job),
    );
  }

  /** The current job; undefined if the queue is empty. */
  getCurrent(): QueuedJob | undefined {
    const [row] = this.#sql.exec<{ id: number; body: string; isPlanned: number }>(
      "SELECT id, body, is_planned AS isPlanned FROM job ORDER BY id LIMIT 1",
    );
    if (row === undefined) return undefined;
    return { id: row.id, job: JSON.parse(row.body) as Job, isPlanned: row.isPlanned === 1 };
  }

  replace(id: number, job: Job): void {
    this.#sql.exec("UPDATE job SET body = ? WHERE id = ?", JSON.stringify(job), id);
  }

  /** Removes a job and its remaining steps. */
  remove(id: number): void {
    this.#sql.exec("DELETE FROM job WHERE id = ?", id);
    this.#sql.exec("DELETE FROM job_step");
  }

  /** Adds steps; a key that already has one keeps it. */
  addSteps(steps: Iterable<JobStep>): void {
    const query = `INSERT OR IGNORE INTO job_step(
      key, at_ms, shard, chunk, expires_ms, listed_ms) VALUES (?, ?, ?, ?, ?, ?)`;
    for (const { key, atMs, shard, chunk, expiresAtMs, listedAtMs } of steps) {
      const columns = [shard, chunk, expiresAtMs].map((column) => column ?? null);
      this.#sql.exec(query, key, atMs, ...columns, listedAtMs);
    }
  }

  /** The highest chunk number of each shard that has a step. */
  listLastChunks(): ReadonlyMap<string, number> {
    const rows = this.#sql.exec<{ shard: string; chunk: number }>(
      `SELECT shard, max(chunk) AS chunk FROM job_step
       WHERE shard IS NOT NULL GROUP BY shard`,
    );
    return new Map(rows.toArray().map(({ shard, chunk }) => [shard, chunk]));
  }

  /** Removes the steps of a shard's chunks from number `from` on, and of some others. */
  skipChunks(shard: string, from: number, others: readonly number[] = []): void {
    this.#sql.exec("DELETE FROM job_step WHERE shard = ? AND chunk >= ?", shard, from);
    for (const chunk of others) {
      this.#sql.exec("DELETE FROM job_step WHERE shard = ? AND chunk = ?", shard, chunk);
    }
  }

  removeStep(key: string): void {
    this.#sql.exec("DELETE FROM job_step WHERE key = ?", key);
  }

  /** Call when all steps of the job are in the table. */
  markPlanned(id: number): void {
    this.#sql.exec("UPDATE job SET is_planned = 1 WHERE id = ?", id);
  }

  clearSteps(): void {
    this.#sql.exec("DELETE FROM job_step");
  }

  listNextSteps(count: number): readonly JobStep[] {
    return this.#sql
      .exec<{
        key: string;
        atMs: number;
        shard: string | null;
        chunk: number | null;
        expiresAtMs: number | null;
        listedAtMs: number;
      }>(
        `SELECT key, at_ms AS atMs, shard, chunk, expires_ms AS expiresAtMs,
           listed_ms AS listedAtMs
         FROM job_step ORDER BY at_ms, key LIMIT ?`,
        count,
      )
      .toArray()
      .map(({ key, atMs, listedAtMs, ...columns }): JobStep => {
        const [shard, chunk] = [columns.shard ?? undefined, columns.chunk ?? undefined];
        const expiresAtMs = columns.expiresAtMs ?? undefined;
        return { key, atMs, listedAtMs, ...omitUndefined({ shard, chunk, expiresAtMs }) };
      });
  }

  /** The number of jobs, the current one included, and of its remaining steps. */
  countRemaining(): { readonly jobs: number; readonly steps: number } {
    return this.#sql
      .exec<{ jobs: number; steps: number }>(
        "SELECT (SELECT count(*) FROM job) AS jobs, (SELECT count(*) FROM job_step) AS steps",
      )
      .one();
  }
}
