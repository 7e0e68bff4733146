/**
 * Records the SQL statements that Durable Objects run: the rows that each read and wrote, and its
 * query plan (sqlite.org/eqp.html).
 */
import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { getIndex } from "./store.ts";

interface RecordedStatement {
  /** On one line. */
  readonly sql: string;
  rowsRead: number;
  rowsWritten: number;
}

type Exec = SqlStorage["exec"];
type Cursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

/** Starts to record the statements of all objects; `vi.restoreAllMocks` ends it. */
export function recordStatements(): Promise<StatementRecorder> {
  return runInDurableObject(
    getIndex(),
    (_: ProjectIndex, { storage }) => new StatementRecorder(storage.sql),
  );
}

export class StatementRecorder {
  #statements: RecordedStatement[] = [];
  /** The last statement of each object, and the cursor that counts its rows. */
  readonly #last = new Map<SqlStorage, readonly [RecordedStatement, Cursor]>();
  /** The steps of each statement's plan. */
  readonly #plans = new Map<string, readonly string[]>();

  /** Starts to record; `vi.restoreAllMocks` ends it. `sql` is that of any object. */
  constructor(sql: SqlStorage) {
    const prototype = Object.getPrototypeOf(sql) as SqlStorage;
    const exec: Exec = prototype.exec;
    const record = (storage: SqlStorage, query: string, bindings: readonly unknown[]) => {
      this.#count(storage);
      const cursor = exec.apply(storage, [query, ...bindings]) as Cursor;
      const statement = { sql: query.replace(/\s+/g, " ").trim(), rowsRead: 0, rowsWritten: 0 };
      this.#statements.push(statement);
      this.#last.set(storage, [statement, cursor]);
      if (!this.#plans.has(statement.sql) && /^(SELECT|INSERT|UPDATE|DELETE)/.test(statement.sql)) {
        const plan = exec.apply(storage, [`EXPLAIN QUERY PLAN ${query}`, ...bindings]) as Cursor;
        const steps = plan.toArray().map(({ detail }) => String(detail));
        this.#plans.set(statement.sql, steps);
      }
      return cursor;
    };
    vi.spyOn(prototype, "exec").mockImplementation(function (
      this: SqlStorage,
      query: string,
      ...bindings: unknown[]
    ) {
      return record(this, query, bindings);
    } as Exec);
  }

  /** The statements since the last call. */
  take(): readonly Readonly<RecordedStatement>[] {
    for (const storage of [...this.#last.keys()]) this.#count(storage);
    const statements = this.#statements;
    this.#statements = [];
    return statements;
  }

  /** The scans of whole tables and of whole indexes, with their statements. */
  listScans(): readonly { readonly sql: string; readonly scan: string }[] {
    return [...this.#plans].flatMap(([sql, steps]) =>
      steps.filter((step) => isScan(step, steps)).map((scan) => ({ sql, scan })),
    );
  }

  /** Takes the counts of an object's last statement. */
  #count(storage: SqlStorage): void {
    const [statement, cursor] = this.#last.get(storage) ?? [];
    this.#last.delete(storage);
    if (statement === undefined || cursor === undefined) return;
    try {
      statement.rowsRead = cursor.rowsRead;
      statement.rowsWritten = cursor.rowsWritten;
    } catch {
      // Only the object itself can read an unfinished cursor.
    }
  }
}

/** False for the rows of a subquery, for a JSON array, and for an FTS5 table with a condition. */
function isScan(step: string, steps: readonly string[]): boolean {
  const [verb, name = ""] = step.split(" ");
  if (verb !== "SCAN" || name.startsWith("(") || name === "CONSTANT") return false;
  const subqueries = [`CO-ROUTINE ${name}`, `MATERIALIZE ${name}`];
  if (subqueries.some((one) => steps.includes(one))) return false;
  return !step.includes("VIRTUAL TABLE") || step.endsWith(" INDEX 0:");
}
