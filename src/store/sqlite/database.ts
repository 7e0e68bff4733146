/**
 * The database of one Durable Object: opens it under a version of the code, migrates it in numbered
 * steps, and fills new columns in turns of the alarm.
 *
 *     schema_state     one row: the version of the data, the oldest code that may work with it, and
 *                      the code that wrote last
 *     schema_backfill  one row per migration with a backfill: how far it is, and the rows that it
 *                      wrote on its last day
 *
 * The rules that migrations follow are in docs/architecture.md, *Versions of stored data*.
 */
import type { DataState, ObjectVersion } from "../../core/stats/object-version.ts";
import { RowMeter } from "../row-meter.ts";
import {
  type ExpiryClock,
  type Table,
  toCreateStatements,
  toMigrationStatements,
  type WipeGroup,
} from "./table.ts";

/**
 * Makes the rows after a cursor right, null at first. May run again at any time. `next` is null
 * after the last row.
 */
export type Backfill = (
  sql: SqlStorage,
  after: string | null,
  limit: number,
) => { readonly visited: number; readonly next: string | null };

/** A step from one version of the data to the next. Never edited after its release. */
export interface Migration {
  readonly id: number;
  /** What the declarations do not state, before and after they are applied; one transaction. */
  readonly prepare?: (sql: SqlStorage) => void;
  readonly migrate?: (sql: SqlStorage) => void;
  /** Makes a few rows right, also those that an older version wrote after a rollback. */
  readonly repair?: (sql: SqlStorage) => void;
  readonly backfill?: Backfill;
  /** Code below this version cannot work with the data any more. */
  readonly oldest?: number;
}

/** The tables of a class of objects, and all migrations, numbered from 1. */
export interface Schema {
  /** The name of the class. */
  readonly object: string;
  readonly tables: readonly Table[];
  readonly migrations: readonly Migration[];
  /** Data below this version must be opened by an earlier release first. */
  readonly floor: number;
}

type StateRow = {
  version: number;
  oldest: number;
  writer: number;
  release: string;
  at_ms: number;
};

type BackfillRow = { id: number; done: number; day: number; rows: number };

const OWN_TABLES = [
  `CREATE TABLE schema_state(id INTEGER PRIMARY KEY, version INTEGER NOT NULL,
     oldest INTEGER NOT NULL, writer INTEGER NOT NULL, release TEXT NOT NULL,
     at_ms INTEGER NOT NULL)`,
  `CREATE TABLE schema_backfill(id INTEGER PRIMARY KEY, cursor TEXT, visited INTEGER NOT NULL,
     done INTEGER NOT NULL, day INTEGER NOT NULL, rows INTEGER NOT NULL)`,
];
const HAS_TABLES = `SELECT 1 FROM sqlite_master WHERE type = 'table'
  AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 1`;

/** The oldest code that may work with data of this schema. */
export function getOldestCode({ migrations }: Schema): number {
  return Math.max(1, ...migrations.map(({ oldest = 1 }) => oldest));
}

/** A call to an object whose data this code may not touch. */
export class UnavailableData extends Error {
  constructor(object: string, { kind }: DataState) {
    const reasons = {
      ready: "is available",
      newer: "was written by a later release: deploy that release again",
      "too-old": "was written by a release that is too old: deploy the releases in between first",
      failed: "could not be migrated: see /status",
    };
    super(`the data of ${object} ${reasons[kind]}`);
  }
}

export class Database {
  readonly storage: DurableObjectStorage;
  readonly schema: Schema;
  readonly state: DataState;
  readonly #sql: SqlStorage;
  /** The ids of migrations whose backfills are not finished, ascending. */
  readonly #unfinished = new Set<number>();
  /** The rows that backfills wrote on the last day on which they wrote any. */
  #written = { day: 0, rows: 0 };

  /**
   * Opens the database, and migrates it to the version of the code. Never throws: `state` tells
   * whether the data may be used. Reads one row if nothing changed.
   */
  constructor(
    storage: DurableObjectStorage,
    schema: Schema,
    { release, nowMs }: { readonly release: string; readonly nowMs: number },
  ) {
    this.storage = storage;
    this.schema = schema;
    this.#sql = storage.sql;
    this.state = this.#open(release, nowMs);
  }

  /** The version of the data that the code writes. */
  get code(): number {
    return this.schema.migrations.length;
  }

  /** Throws if the data may not be used. */
  requireReady(): void {
    if (this.state.kind !== "ready") throw new UnavailableData(this.schema.object, this.state);
  }

  /** False while the backfill of a migration runs: then read as before the migration. */
  isFinished(migration: number): boolean {
    return !this.#unfinished.has(migration);
  }

  /** True if `runTurn` has work. */
  get hasBackfill(): boolean {
    return this.#unfinished.size > 0;
  }

  /** The rows that backfills wrote on a day, counted from 1970: as billed, with those of indexes. */
  countWritten(day: number): number {
    return this.#written.day === day ? this.#written.rows : 0;
  }

  /**
   * Runs the next turn of a backfill, for at most `limit` rows, in one transaction. Call it from
   * the alarm.
   */
  runTurn(limit: number, day: number): void {
    const [id = 0] = this.#unfinished;
    const backfill = this.schema.migrations[id - 1]?.backfill;
    if (backfill === undefined) return;
    const meter = new RowMeter(this.storage);
    const next = this.storage.transactionSync(() => {
      const query = "SELECT cursor FROM schema_backfill WHERE id = ?";
      const { cursor } = this.#sql.exec<{ cursor: string | null }>(query, id).one();
      const turn = backfill(meter.storage.sql, cursor, limit);
      this.#sql.exec(
        `UPDATE schema_backfill SET cursor = ?, visited = visited + ?, done = ?,
           rows = iif(day = ?, rows, 0) + ?, day = ?
         WHERE id = ?`,
        ...[turn.next, turn.visited, turn.next === null ? 1 : 0],
        ...[day, meter.rows + 1, day, id],
      );
      return turn.next;
    });
    this.#written = { day, rows: this.countWritten(day) + meter.rows + 1 };
    if (next === null) this.#unfinished.delete(id);
  }

  describe(): ObjectVersion {
    const row = this.#readState();
    const { version: data = 0, oldest = 0, release = "", at_ms: atMs = 0 } = row ?? {};
    const query = "SELECT id, visited FROM schema_backfill WHERE done = 0 ORDER BY id";
    const backfills =
      row === undefined ? [] : this.#sql.exec<{ id: number; visited: number }>(query).toArray();
    return {
      ...{ object: this.schema.object, state: this.state, code: this.code },
      ...{ data, oldest, release, atMs },
      backfills: backfills.map(({ id, visited }) => ({ migration: id, visited })),
    };
  }

  /** Deletes some rows of the tables of these groups; false if none is left. */
  wipeSome(groups: readonly WipeGroup[]): boolean {
    return this.schema.tables.some(({ name, wipe, rowsPerTurn, ...declared }) => {
      if (!groups.includes(wipe)) return false;
      const key = declared.key.length > 0 ? declared.key.join(", ") : "rowid";
      // In the order of the table, because neighboring rows share a page.
      const some = `SELECT ${key} FROM ${name} ORDER BY ${key} LIMIT ?`;
      const query = `DELETE FROM ${name} WHERE (${key}) IN (${some})`;
      return this.#sql.exec(query, rowsPerTurn).rowsWritten > 0;
    });
  }

  /** Deletes all rows of the tables of these groups. The caller clears its caches. */
  wipe(groups: readonly WipeGroup[]): void {
    this.storage.transactionSync(() => {
      for (const declared of this.schema.tables)
        if (groups.includes(declared.wipe)) emptyTable(this.#sql, declared, this.code);
    });
  }

  /** Deletes some expired rows of all tables; true if more may be left. */
  expireSome(clock: ExpiryClock, limit: number): boolean {
    return this.schema.tables.some(
      ({ expire }) => typeof expire === "function" && expire(this.#sql, clock, limit),
    );
  }

  #open(release: string, nowMs: number): DataState {
    let migration = 0;
    try {
      const row = this.#readState() ?? this.#create(release, nowMs);
      const { floor, migrations } = this.schema;
      if (this.code < row.oldest) return { kind: "newer", needs: row.oldest };
      if (row.version < floor) return { kind: "too-old", needs: floor };
      for (const one of migrations.slice(row.version)) {
        migration = one.id;
        this.#migrate(one);
      }
      if (row.writer !== this.code) this.#setWriter(row.writer, release, nowMs);
      if (migrations.some(({ backfill }) => backfill !== undefined)) this.#readBackfills();
      return { kind: "ready" };
    } catch (error) {
      return { kind: "failed", migration, problem: String(error) };
    }
  }

  #readBackfills(): void {
    const query = "SELECT id, done, day, rows FROM schema_backfill WHERE id <= ? ORDER BY id";
    for (const { id, done, day, rows } of this.#sql.exec<BackfillRow>(query, this.code)) {
      if (done === 0) this.#unfinished.add(id);
      if (day >= this.#written.day) this.#written = { day, rows: this.countWritten(day) + rows };
    }
  }

  #readState(): StateRow | undefined {
    try {
      const query = "SELECT version, oldest, writer, release, at_ms FROM schema_state";
      return this.#sql.exec<StateRow>(query).toArray()[0];
    } catch (error) {
      if (String(error).includes("no such table")) return undefined;
      throw error;
    }
  }

  /** A new object gets the declared tables. One from before the state row is of version 1. */
  #create(release: string, nowMs: number): StateRow {
    return this.storage.transactionSync(() => {
      const isNew = this.#sql.exec(HAS_TABLES).toArray().length === 0;
      const { tables, migrations } = this.schema;
      if (isNew) for (const declared of tables) createTable(this.#sql, declared, this.code);
      else this.#addVersion(1);
      for (const statement of OWN_TABLES) this.#sql.exec(statement);
      const version = isNew ? this.code : 1;
      const done = migrations.slice(0, version);
      const oldest = Math.max(1, ...done.map((one) => one.oldest ?? 1));
      this.#sql.exec(
        `INSERT INTO schema_state(id, version, oldest, writer, release, at_ms)
         VALUES (1, ?, ?, ?, ?, ?)`,
        ...[version, oldest, version, release, nowMs],
      );
      for (const { id, backfill } of done)
        if (backfill !== undefined) this.#addBackfill(id, { isDone: true });
      return { version, oldest, writer: version, release, at_ms: nowMs };
    });
  }

  #addVersion(version: number): void {
    const { tables, migrations } = this.schema;
    const { prepare, migrate } = migrations[version - 1] ?? {};
    prepare?.(this.#sql);
    for (const declared of tables)
      if (declared.since === version) createTable(this.#sql, declared, version);
    for (const statement of toMigrationStatements(tables, version)) this.#sql.exec(statement);
    migrate?.(this.#sql);
  }

  #migrate({ id, backfill, oldest = 1 }: Migration): void {
    this.storage.transactionSync(() => {
      this.#addVersion(id);
      if (backfill !== undefined) this.#addBackfill(id, { isDone: false });
      this.#sql.exec("UPDATE schema_state SET version = ?, oldest = max(oldest, ?)", id, oldest);
    });
  }

  #addBackfill(id: number, { isDone }: { readonly isDone: boolean }): void {
    const insert = `INSERT INTO schema_backfill(id, visited, done, day, rows)
      VALUES (?, 0, ?, 0, 0)`;
    this.#sql.exec(insert, id, isDone ? 1 : 0);
  }

  /** Another version wrote last. What an older one does not know must be made right again. */
  #setWriter(before: number, release: string, nowMs: number): void {
    this.storage.transactionSync(() => {
      this.#sql.exec(
        `UPDATE schema_backfill SET done = 0, cursor = NULL, visited = 0
         WHERE id > ? AND id <= ?`,
        ...[before, this.code],
      );
      for (const { repair } of this.schema.migrations.slice(before)) repair?.(this.#sql);
      this.#sql.exec(
        "UPDATE schema_state SET writer = ?, release = ?, at_ms = ?",
        ...[this.code, release, nowMs],
      );
    });
  }
}

/** Opens the database of an object for one of its parts alone. Throws if it is not ready. */
export function openDatabase(storage: DurableObjectStorage, schema: Schema): Database {
  const database = new Database(storage, schema, { release: "", nowMs: 0 });
  database.requireReady();
  return database;
}

/**
 * The size of a page of words in FTS5. It merges some hundred pages in one write: with its default
 * of 4,050 bytes, some writes take 30 ms (sqlite.org/fts5.html, *The 'pgsz' Configuration Option*).
 */
const FTS_PAGE_BYTES = 1_000;

function createTable(sql: SqlStorage, declared: Table, version: number): void {
  for (const statement of toCreateStatements(declared, version)) sql.exec(statement);
  const { name, fts } = declared;
  if (fts === undefined) return;
  const query = `SELECT 1 FROM ${name}_config WHERE k = 'pgsz' AND v = ?`;
  if (sql.exec(query, FTS_PAGE_BYTES).toArray().length > 0) return;
  sql.exec(`INSERT INTO ${name}(${name}, rank) VALUES ('pgsz', ${FTS_PAGE_BYTES})`);
}

function emptyTable(sql: SqlStorage, declared: Table, version: number): void {
  const { name, fts } = declared;
  if (fts === undefined) {
    sql.exec(`DELETE FROM ${name}`);
    return;
  }
  try {
    sql.exec(`DROP TABLE ${name}`);
  } catch {
    // SQLite refuses a DROP while any cursor is open. A DELETE removes the words row by row.
    sql.exec(`DELETE FROM ${name}`);
  }
  createTable(sql, declared, version);
}
