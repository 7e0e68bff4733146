/**
 * SQLite table with the newest upload of source maps that the index knows, as one row. Unresolved
 * stacks are tried again after each upload. Synchronous.
 */

interface KnownUploads {
  /** The number of the newest upload; null without uploads. */
  readonly newest: number | null;
  /** True while the newest issues are not yet resolved with it. */
  readonly isWalkDue: boolean;
}

export class KnownUploadsTable {
  readonly #sql: SqlStorage;
  #cached: KnownUploads | undefined;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS known_uploads(
      id INTEGER PRIMARY KEY, newest INTEGER, walk_due INTEGER NOT NULL)`);
  }

  get(): KnownUploads {
    this.#cached ??= this.#read();
    return this.#cached;
  }

  #read(): KnownUploads {
    const query = "SELECT newest, walk_due AS walkDue FROM known_uploads";
    const [row] = this.#sql.exec<{ newest: number | null; walkDue: number }>(query);
    return { newest: row?.newest ?? null, isWalkDue: row?.walkDue === 1 };
  }

  set(uploads: KnownUploads): void {
    this.#cached = uploads;
    this.#sql.exec(
      "INSERT OR REPLACE INTO known_uploads(id, newest, walk_due) VALUES (1, ?, ?)",
      uploads.newest,
      uploads.isWalkDue ? 1 : 0,
    );
  }
}
