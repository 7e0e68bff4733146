/**
 * What a walk over the record still has before it, in the object of the index: a row a task, and a row each key that the first
 * of them is to visit. It lasts over restarts. Every method is synchronous.
 */
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { chunkKey } from "../../kv/keys.ts";
import type { Job } from "../../rpc/job.ts";
import type { ChunkRef } from "../../rpc/rpc.ts";

/** A task that is under way or waits. */
export interface QueuedJob {
  readonly id: number;
  readonly job: Job;
  /** True when everything that it visits is in the table. */
  readonly isPlanned: boolean;
}

/** A key that is to be visited. */
export interface JobStep {
  readonly key: string;
  /** When the first report of a chunk came, ms: stops are visited in this order. */
  readonly atMs: number;
  /** Of a chunk: its shard and number. */
  readonly shard?: string;
  readonly chunk?: number;
  /** Until when KV keeps it, ms. */
  readonly expiresAtMs?: number;
  /** When KV or its shard said that it is there, ms: a reader nearby may be shown that it is not for a while. */
  readonly listedAtMs: number;
}

/** Stops at chunks that the log of a shard has named: what it copied a moment ago KV's list may miss. */
export function toChunkSteps(
  project: string,
  shard: string,
  chunks: readonly (ChunkRef & { readonly copiedMs?: number })[],
): readonly JobStep[] {
  return chunks.map(({ chunk, hour, copiedMs: uploadedMs = 0 }) => {
    const key = chunkKey(project, { hour, shard, chunk });
    return { key, shard, chunk, atMs: uploadedMs, listedAtMs: uploadedMs };
  });
}

/** The tables in the storage of the object that owns them; they are made when they are missing. */
export class JobTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS task(id INTEGER PRIMARY KEY, body TEXT NOT NULL, listed INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS walk(
        key TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, shard TEXT, chunk INTEGER, until_ms INTEGER, known_ms INTEGER NOT NULL)
        WITHOUT ROWID;`);
  }

  /** Puts a task behind the others, unless the same one waits there. */
  enqueue(job: Job): void {
    this.#sql.exec(
      `INSERT INTO task(body, listed) SELECT ?1, 0
       WHERE NOT EXISTS (SELECT 1 FROM task WHERE body = ?1 AND listed = 0)`,
      JSON.stringify(job),
    );
  }

  /** The task that is under way; undefined when there is none. */
  getCurrent(): QueuedJob | undefined {
    const [row] = this.#sql.exec<{ id: number; body: string; listed: number }>(
      "SELECT id, body, listed FROM task ORDER BY id LIMIT 1",
    );
    if (row === undefined) return undefined;
    return { id: row.id, job: JSON.parse(row.body) as Job, isPlanned: row.listed === 1 };
  }

  /** Puts another task in the place of one. */
  replace(id: number, job: Job): void {
    this.#sql.exec("UPDATE task SET body = ? WHERE id = ?", JSON.stringify(job), id);
  }

  /** Ends a task; what it left to visit goes with it. */
  remove(id: number): void {
    this.#sql.exec("DELETE FROM task WHERE id = ?", id);
    this.#sql.exec("DELETE FROM walk");
  }

  /** Notes what is to be visited; what is known stays as it is. */
  addSteps(steps: Iterable<JobStep>): void {
    const query = `INSERT OR IGNORE INTO walk(key, at_ms, shard, chunk, until_ms, known_ms)
      VALUES (?, ?, ?, ?, ?, ?)`;
    for (const { key, atMs, shard, chunk, expiresAtMs, listedAtMs } of steps) {
      const columns = [shard, chunk, expiresAtMs].map((column) => column ?? null);
      this.#sql.exec(query, key, atMs, ...columns, listedAtMs);
    }
  }

  /** The highest chunk of each shard that is to be visited. */
  listLastChunks(): ReadonlyMap<string, number> {
    const rows = this.#sql.exec<{ shard: string; chunk: number }>(
      "SELECT shard, max(chunk) AS chunk FROM walk WHERE shard IS NOT NULL GROUP BY shard",
    );
    return new Map(rows.toArray().map(({ shard, chunk }) => [shard, chunk]));
  }

  /** Leaves out chunks of a shard from this number on, and some others. */
  skipChunks(shard: string, from: number, others: readonly number[] = []): void {
    this.#sql.exec("DELETE FROM walk WHERE shard = ? AND chunk >= ?", shard, from);
    for (const chunk of others) {
      this.#sql.exec("DELETE FROM walk WHERE shard = ? AND chunk = ?", shard, chunk);
    }
  }

  /** Notes that one was visited, or need not be. */
  removeStep(key: string): void {
    this.#sql.exec("DELETE FROM walk WHERE key = ?", key);
  }

  /** Notes that everything is in the table. */
  markPlanned(id: number): void {
    this.#sql.exec("UPDATE task SET listed = 1 WHERE id = ?", id);
  }

  /** Nothing to visit any more. */
  clearSteps(): void {
    this.#sql.exec("DELETE FROM walk");
  }

  /** What is to be visited next. */
  listNextSteps(count: number): readonly JobStep[] {
    return this.#sql
      .exec<{
        key: string;
        atMs: number;
        shard: string | null;
        chunk: number | null;
        untilMs: number | null;
        knownMs: number;
      }>(
        `SELECT key, at_ms AS atMs, shard, chunk, until_ms AS untilMs, known_ms AS knownMs
         FROM walk ORDER BY at_ms, key LIMIT ?`,
        count,
      )
      .toArray()
      .map(({ key, atMs, knownMs: listedAtMs, ...columns }) => {
        const [shard, chunk] = [columns.shard ?? undefined, columns.chunk ?? undefined];
        return {
          key,
          atMs,
          listedAtMs: listedAtMs,
          ...omitUndefined({ shard, chunk, untilMs: columns.untilMs ?? undefined }),
        };
      });
  }

  /** How many tasks wait, the one under way included, and how many stops that one has before it. */
  countRemaining(): { readonly tasks: number; readonly stops: number } {
    return this.#sql
      .exec<{ tasks: number; stops: number }>(
        "SELECT (SELECT count(*) FROM task) AS tasks, (SELECT count(*) FROM walk) AS stops",
      )
      .one();
  }
}
