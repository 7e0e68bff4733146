/**
 * SQLite table with the newest upload of source maps that the index knows, as one row. Unresolved
 * stacks are tried again after each upload. Synchronous.
 */
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("known_uploads", ["id"], ["newest", "walk_due"]);

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
    this.#sql.exec(SAVE, 1, uploads.newest, uploads.isWalkDue ? 1 : 0);
  }
}
