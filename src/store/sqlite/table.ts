/**
 * Declarations of the SQLite tables of a Durable Object: their shape, and how their rows are wiped,
 * expired and erased. The jobs that do this walk the declarations, so a table without an answer
 * does not compile. A new object is created from its declarations; an older one is migrated, and a
 * test compares both.
 */

/**
 * Which erasure of all rows includes a table: `reported` also a rebuild from KV, `triage` only the
 * erasure of the project, `never` none.
 */
export type WipeGroup = "reported" | "triage" | "never";

/** The time of an expiry, in ms, and the time before which reported data has expired. */
export interface ExpiryClock {
  readonly nowMs: number;
  readonly beforeMs: number;
}

/** A column, an index or a table that a later migration added. */
export interface Added {
  readonly since: number;
  readonly sql: string;
}

/** SQL of version 1, or of a later one. */
export type Versioned = string | Added;

/** A column or an index that migration `version` adds. */
export function since(version: number, sql: string): Added {
  return { since: version, sql };
}

/** Deletes at most `limit` expired rows. True if more may be left. */
export type Expire = (sql: SqlStorage, clock: ExpiryClock, limit: number) => boolean;

export interface Table {
  readonly name: string;
  /** The migration that adds the table. */
  readonly since: number;
  /** SQL types by name. FTS5 tables have their arguments in `fts` instead. */
  readonly columns: Readonly<Record<string, Versioned>>;
  /** The columns of the primary key, in their order; none if rows are found by an index. */
  readonly key: readonly string[];
  /** By name: what follows `ON <table>`, such as `(digest)`, after `UNIQUE` for a unique one. */
  readonly indexes: Readonly<Record<string, Versioned>>;
  readonly isWithoutRowid: boolean;
  /** The columns and options of an FTS5 table. */
  readonly fts?: string;
  /**
   * The first part of the keys of copies in KV: what must survive the loss of the object.
   * `store/kv/copy-writer.ts` writes, erases and reads them.
   */
  readonly copy?: string;
  readonly wipe: WipeGroup;
  /** Rows that a job deletes in one turn. */
  readonly rowsPerTurn: number;
  /**
   * `with`: the table whose deletion takes these rows along. `by`: the function that deletes those
   * that are too many or no longer needed.
   */
  readonly expire: "never" | { readonly with: string } | { readonly by: string } | Expire;
  /**
   * How the erasure of a text reaches the rows. `by`: the function or the phase of the job that
   * changes them. `kept`: why the text stays. `no text`: no column has words that senders or
   * members chose.
   */
  readonly erase: "no text" | { readonly by: string } | { readonly kept: string };
  /** May have more than 10,000 rows: a migration may not rewrite or index all of them at once. */
  readonly isBig: boolean;
  /** Every version appends to it, also one that may not read the other tables. */
  readonly isFrozen: boolean;
}

/** About 15 ms of CPU. */
const ROWS_PER_TURN = 1_000;

type Rules = Pick<Table, "wipe" | "expire" | "erase"> &
  Partial<Pick<Table, "rowsPerTurn" | "isBig" | "isFrozen" | "since" | "copy">>;

/** A table with these columns. Without an integer key it has no rowid, unless it says otherwise. */
export function table(
  name: string,
  columns: Table["columns"],
  key: readonly string[],
  rules: Rules & Partial<Pick<Table, "indexes" | "isWithoutRowid">>,
): Table {
  const isInteger = key.length === 1 && toSql(columns[key[0] ?? ""] ?? "").startsWith("INTEGER");
  return {
    name,
    since: 1,
    columns,
    key,
    indexes: {},
    isWithoutRowid: key.length > 0 && !isInteger,
    rowsPerTurn: ROWS_PER_TURN,
    isBig: false,
    isFrozen: false,
    ...rules,
  };
}

/** A table of JSON documents by name. */
export function documents(name: string, rules: Rules & Partial<Pick<Table, "indexes">>): Table {
  return table(name, { name: "TEXT", body: "TEXT NOT NULL" }, ["name"], rules);
}

/** A table with one row, a JSON document. */
export function value(name: string, rules: Rules): Table {
  return table(name, { id: "INTEGER", body: "TEXT NOT NULL" }, ["id"], rules);
}

/** An FTS5 table. `fts` has its columns and options. */
export function fullText(name: string, fts: string, rules: Rules): Table {
  return { ...table(name, {}, ["rowid"], rules), fts, isWithoutRowid: false };
}

/** Deletes rows whose `column` is below the bound that `toBound` computes. */
export function expireBefore(
  name: string,
  key: string,
  column: string,
  toBound: (clock: ExpiryClock) => number | string,
): Expire {
  const query = `DELETE FROM ${name} WHERE (${key}) IN (
    SELECT ${key} FROM ${name} WHERE ${column} < ? LIMIT ?)`;
  return (sql, clock, limit) => sql.exec(query, toBound(clock), limit).rowsWritten > 0;
}

/** The statements that create a table and its indexes as of a version, if they do not exist. */
export function toCreateStatements(declared: Table, version: number): readonly string[] {
  const { name, key, isWithoutRowid, fts } = declared;
  if (fts !== undefined) return [`CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5(${fts})`];
  const columns = listUntil(declared.columns, version);
  const parts = columns.map(([column, type]) => `${column} ${type}`);
  if (key.length > 0 && !parts.some((part) => part.includes("PRIMARY KEY")))
    parts.push(`PRIMARY KEY(${key.join(", ")})`);
  return [
    `CREATE TABLE IF NOT EXISTS ${name}(${parts.join(", ")})${isWithoutRowid ? " WITHOUT ROWID" : ""}`,
    ...listUntil(declared.indexes, version).map(([index, on]) => toIndexStatement(index, name, on)),
  ];
}

/** The statements of a migration that the declarations state: what has this version. */
export function toMigrationStatements(
  tables: readonly Table[],
  version: number,
): readonly string[] {
  return tables.flatMap((declared) => {
    if (declared.since > version) return [];
    if (declared.since === version) return toCreateStatements(declared, version);
    const { name } = declared;
    return [
      ...listAdded(declared.columns, version).map(
        ([column, type]) => `ALTER TABLE ${name} ADD COLUMN ${column} ${type}`,
      ),
      ...listAdded(declared.indexes, version).map(([index, on]) =>
        toIndexStatement(index, name, on),
      ),
    ];
  });
}

function listUntil(all: Table["columns"], version: number): readonly [string, string][] {
  const known = Object.entries(all).filter(([, one]) => getVersion(one) <= version);
  return known.map(([name, one]) => [name, toSql(one)]);
}

function listAdded(all: Table["columns"], version: number): readonly [string, string][] {
  const added = Object.entries(all).filter(([, one]) => getVersion(one) === version);
  return added.map(([name, one]) => [name, toSql(one)]);
}

function getVersion(one: Versioned): number {
  return typeof one === "string" ? 1 : one.since;
}

function toSql(one: Versioned): string {
  return typeof one === "string" ? one : one.sql;
}

function toIndexStatement(index: string, name: string, on: string): string {
  const isUnique = on.startsWith("UNIQUE ");
  const columns = isUnique ? on.slice("UNIQUE ".length) : on;
  return `CREATE ${isUnique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${index} ON ${name}${columns}`;
}

/**
 * The statement that adds a row or changes the named columns of the row with this key. Columns of
 * later versions keep their values, which `INSERT OR REPLACE` would reset. Bind `key`, then
 * `columns`.
 */
export function upsert(name: string, key: readonly string[], columns: readonly string[]): string {
  const all = [...key, ...columns];
  const marks = all.map(() => "?").join(", ");
  const set = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return `INSERT INTO ${name}(${all.join(", ")}) VALUES (${marks})
    ON CONFLICT(${key.join(", ")}) DO UPDATE SET ${set}`;
}
