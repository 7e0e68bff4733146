/** SQLite table of uploads: bundles and single files. Synchronous. */

/**
 * `created`: the chunks are stored, the files are unknown; `converting`: the files are known;
 * `ready`: every file is converted or refused; `failed`: it has no files.
 */
type UploadState = "created" | "converting" | "ready" | "failed";

/** An upload as the object stores it. */
export interface StoredUpload {
  /** Increases with each upload. */
  readonly n: number;
  /** Names the upload outside of the object: SHA-1, in hex. */
  readonly id: string;
  /** The SHA-1 of its bytes, in hex. */
  readonly checksum: string;
  readonly release?: string;
  readonly dist?: string;
  readonly tool?: string;
  /** For an upload of one file: its name, and its URL or the prefix of an archive. */
  readonly name?: string;
  readonly url?: string;
  readonly uploadedMs: number;
  readonly state: UploadState;
  /** Why it failed. */
  readonly problem?: string;
  /** Its chunks. A ready upload has them only if it is a file without its pair. */
  readonly chunks: readonly string[];
  readonly usedMs?: number;
  /** True if its record in KV is complete. */
  readonly isSaved: boolean;
  /** How often the object has begun to read it. */
  readonly attempts: number;
}

/** An upload that is about to be stored. */
export type NewUpload = Pick<
  StoredUpload,
  | "id"
  | "checksum"
  | "release"
  | "dist"
  | "tool"
  | "name"
  | "url"
  | "uploadedMs"
  | "chunks"
  | "state"
>;

type UploadRow = {
  n: number;
  id: string;
  checksum: string;
  release: string | null;
  dist: string | null;
  tool: string | null;
  name: string | null;
  url: string | null;
  uploaded_ms: number;
  state: UploadState;
  problem: string | null;
  chunks: string;
  used_ms: number | null;
  saved: number;
  attempts: number;
};

export class UploadTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds an upload and returns its number. */
  add(upload: NewUpload): number {
    const { release, dist, tool, name, url } = upload;
    return this.#sql
      .exec<{ n: number }>(
        `INSERT INTO upload(id, checksum, release, dist, tool, name, url, uploaded_ms, state,
           chunks, saved, attempts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0) RETURNING n`,
        upload.id,
        upload.checksum,
        release ?? null,
        dist ?? null,
        tool ?? null,
        name ?? null,
        url ?? null,
        upload.uploadedMs,
        upload.state,
        JSON.stringify(upload.chunks),
      )
      .one().n;
  }

  get(n: number): StoredUpload | undefined {
    return this.#select("WHERE n = ?", n)[0];
  }

  find(id: string): StoredUpload | undefined {
    return this.#select("WHERE id = ?", id)[0];
  }

  /** The newest ready upload of these bytes, of any release. */
  findReady(checksum: string): StoredUpload | undefined {
    return this.#select(
      "WHERE checksum = ? AND state = 'ready' ORDER BY n DESC LIMIT 1",
      checksum,
    )[0];
  }

  /** Uploads that are not converted yet, in the order of their arrival. */
  listUnfinished(): readonly StoredUpload[] {
    return this.#select("WHERE state IN ('created', 'converting') ORDER BY n");
  }

  /** Uploads, newest first. */
  list(limit = -1): readonly StoredUpload[] {
    return this.#select("ORDER BY n DESC LIMIT ?", limit);
  }

  /** Finished uploads, except the newest `kept` of all. */
  listOldest(kept: number): readonly StoredUpload[] {
    return this.#select(
      `WHERE n < (SELECT n FROM upload ORDER BY n DESC LIMIT 1 OFFSET ?)
         AND state IN ('ready', 'failed')`,
      kept - 1,
    );
  }

  /** Ready uploads that are not in KV yet, oldest first. */
  listUnsaved(): readonly StoredUpload[] {
    return this.#select("WHERE state = 'ready' AND saved = 0 ORDER BY n");
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM upload LIMIT 1").toArray().length === 0;
  }

  /** True if the release has an upload that is ready. */
  hasRelease(release: string): boolean {
    const query = "SELECT 1 FROM upload WHERE release = ? AND state = 'ready' LIMIT 1";
    return this.#sql.exec(query, release).toArray().length > 0;
  }

  /** When the last ready upload before a time arrived, Unix ms; 0 if there was none. */
  getLastTime(beforeMs: number): number {
    const query = `SELECT max(uploaded_ms) AS at FROM upload
      WHERE uploaded_ms <= ? AND state = 'ready'`;
    return this.#sql.exec<{ at: number | null }>(query, beforeMs).one().at ?? 0;
  }

  /** The number of the newest upload that is ready; null if there is none. */
  getNewestReady(): number | null {
    const query = "SELECT n FROM upload WHERE state = 'ready' ORDER BY n DESC LIMIT 1";
    return this.#sql.exec<{ n: number }>(query).toArray()[0]?.n ?? null;
  }

  startConverting(n: number): void {
    this.#sql.exec("UPDATE upload SET state = 'converting' WHERE n = ?", n);
  }

  /**
   * Marks an upload whose files are all converted or refused; `problem` states that none is usable.
   * `chunks` are kept.
   */
  setReady(n: number, problem?: string, chunks: readonly string[] = []): void {
    this.#sql.exec(
      "UPDATE upload SET state = 'ready', chunks = ?, problem = ? WHERE n = ?",
      JSON.stringify(chunks),
      problem ?? null,
      n,
    );
  }

  /** Ready uploads with chunks: files that were uploaded alone, newest first. */
  listUnpaired(): readonly StoredUpload[] {
    return this.#select("WHERE state = 'ready' AND chunks <> '[]' ORDER BY n DESC");
  }

  clearChunks(n: number): void {
    this.#sql.exec("UPDATE upload SET chunks = '[]' WHERE n = ?", n);
  }

  setFailed(n: number, problem: string): void {
    this.#sql.exec(
      "UPDATE upload SET state = 'failed', chunks = '[]', problem = ? WHERE n = ?",
      problem,
      n,
    );
  }

  /** Counts an attempt to read an upload, and returns the number of attempts. */
  countAttempt(n: number): number {
    return this.#sql
      .exec<{ attempts: number }>(
        "UPDATE upload SET attempts = attempts + 1 WHERE n = ? RETURNING attempts",
        n,
      )
      .one().attempts;
  }

  setSaved(n: number, isSaved: boolean): void {
    this.#sql.exec("UPDATE upload SET saved = ? WHERE n = ?", isSaved ? 1 : 0, n);
  }

  setUsed(n: number, usedMs: number): void {
    this.#sql.exec("UPDATE upload SET used_ms = ? WHERE n = ?", usedMs, n);
  }

  delete(n: number): void {
    this.#sql.exec("DELETE FROM upload WHERE n = ?", n);
  }

  #select(clause: string, ...values: (string | number)[]): readonly StoredUpload[] {
    return this.#sql
      .exec<UploadRow>(`SELECT * FROM upload ${clause}`, ...values)
      .toArray()
      .map(toUpload);
  }
}

function toUpload(row: UploadRow): StoredUpload {
  return {
    n: row.n,
    id: row.id,
    checksum: row.checksum,
    uploadedMs: row.uploaded_ms,
    state: row.state,
    chunks: JSON.parse(row.chunks) as string[],
    isSaved: row.saved === 1,
    attempts: row.attempts,
    release: row.release ?? undefined,
    dist: row.dist ?? undefined,
    tool: row.tool ?? undefined,
    name: row.name ?? undefined,
    url: row.url ?? undefined,
    problem: row.problem ?? undefined,
    usedMs: row.used_ms ?? undefined,
  };
}
