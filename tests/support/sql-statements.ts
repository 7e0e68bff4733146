/** Records the SQL statements of the Durable Objects, with the rows that each read and wrote. */
import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";

/** The rows that statements read and wrote together. */
export interface RowCounts {
  readonly read: number;
  readonly written: number;
}

/** The statements executed since the recording began, or since the last `take`. */
export interface StatementRecording {
  take(): RowCounts;
  /** All queries since the recording began, each with the bindings of one call. */
  readonly queries: ReadonlyMap<string, readonly unknown[]>;
}

/**
 * Records the statements about `tables` until `vi.restoreAllMocks`. `stub` is any Durable Object:
 * all of them share an isolate, and the tables tell which one executes a statement.
 */
export async function recordStatements(
  stub: DurableObjectStub,
  tables: readonly string[],
): Promise<StatementRecording> {
  const pattern = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN) (${tables.join("|")})\\b`);
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const queries = new Map<string, readonly unknown[]>();
  const sql = await runInDurableObject(stub, (_: unknown, { storage }) =>
    Object.getPrototypeOf(storage.sql),
  );
  const exec = sql.exec;
  vi.spyOn(sql, "exec").mockImplementation(function (this: SqlStorage, ...args: unknown[]) {
    const cursor = exec.apply(this, args);
    const query = String(args[0]);
    if (pattern.test(query)) {
      cursors.push(cursor);
      queries.set(query, args.slice(1));
    }
    return cursor;
  });
  return {
    queries,
    take: () =>
      cursors.splice(0).reduce(
        (sum, { rowsRead, rowsWritten }) => ({
          read: sum.read + rowsRead,
          written: sum.written + rowsWritten,
        }),
        { read: 0, written: 0 },
      ),
  };
}

/** The names of the tables that a query's plan scans. */
export function listScannedTables(
  sql: SqlStorage,
  query: string,
  bindings: readonly unknown[],
): readonly string[] {
  return sql
    .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...bindings)
    .toArray()
    .flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? []);
}
