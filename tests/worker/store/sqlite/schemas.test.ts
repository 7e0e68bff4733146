import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { REGISTRY_SCHEMA } from "#src/store/accounts/registry-schema.ts";
import { ALERT_SCHEMA } from "#src/store/alerts/tables/alert-schema.ts";
import { ARTIFACT_SCHEMA } from "#src/store/artifacts/tables/artifact-schema.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { LOG_SCHEMA } from "#src/store/log/log-schema.ts";
import { Database, type Migration } from "#src/store/sqlite/database.ts";
import { type Table, toCreateStatements } from "#src/store/sqlite/table.ts";
import { checkMigrations, describeDatabase, findUndeclared } from "#support/store/check-schema.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getAlertSender,
  getIndex,
  getShard,
  getSourceMaps,
} from "#support/store/store.ts";

/** The version of the data in each release. A release adds a number and a dump of its store. */
const RELEASED = {
  Registry: [1, 2, 3],
  ReportLog: [1],
  ProjectIndex: [1, 2, 3, 4, 5],
  SourceMaps: [1, 2],
  AlertSender: [1, 2, 3, 4, 5, 6],
};

const OBJECTS = [
  { schema: LOG_SCHEMA, getStub: getShard },
  { schema: INDEX_SCHEMA, getStub: getIndex },
  { schema: ARTIFACT_SCHEMA, getStub: getSourceMaps },
  { schema: ALERT_SCHEMA, getStub: getAlertSender },
  { schema: REGISTRY_SCHEMA, getStub: () => bindings.REGISTRY.getByName("registry") },
] as const;

afterEach(() => emptyStore());

function inStorage<T>(
  getStub: () => unknown,
  work: (storage: DurableObjectStorage) => T | Promise<T>,
): Promise<T> {
  return runInDurableObject(getStub() as DurableObjectStub, (_, { storage }) => work(storage));
}

/** Replaces a table that a migration changes by the table of version 1. */
function makeFirstVersion(sql: SqlStorage, declared: Table) {
  const statements = toCreateStatements(declared, 1);
  const isChanged = `${statements}` !== `${toCreateStatements(declared, Number.MAX_VALUE)}`;
  if (!isChanged && declared.since === 1) return;
  sql.exec(`DROP TABLE ${declared.name}`);
  if (declared.since === 1) for (const statement of statements) sql.exec(statement);
}

const opening = { release: "test", nowMs: 1 };

describe.each(OBJECTS)("the tables of $schema.object", ({ schema, getStub }) => {
  it("are those that are declared, with every column and index", async () => {
    const found = await inStorage(getStub, ({ sql }) => findUndeclared(sql, schema));
    expect(found).toEqual([]);
  });

  it("are equal in a new object and in one from before versions", async () => {
    const [created, migrated, version] = await inStorage(getStub, async (storage) => {
      const before = describeDatabase(storage.sql);
      storage.sql.exec("DROP TABLE schema_state; DROP TABLE schema_backfill");
      for (const declared of schema.tables) makeFirstVersion(storage.sql, declared);
      const database = new Database(storage, schema, opening);
      return [before, describeDatabase(storage.sql), database.describe()] as const;
    });
    expect(migrated).toEqual(created);
    expect(version).toMatchObject({ state: { kind: "ready" }, data: schema.migrations.length });
  });

  it("can be recreated if an object from before versions lacks them", async () => {
    const [created, migrated] = await inStorage(getStub, async (storage) => {
      const before = describeDatabase(storage.sql);
      storage.sql.exec("DROP TABLE schema_state; DROP TABLE schema_backfill");
      // One table of that time is enough to tell the object from a new one.
      for (const { name } of schema.tables.slice(1)) storage.sql.exec(`DROP TABLE ${name}`);
      new Database(storage, schema, opening);
      return [before, describeDatabase(storage.sql)] as const;
    });
    expect(migrated).toEqual(created);
  });

  it("follow the rules of migrations", () => {
    const released = RELEASED[schema.object as keyof typeof RELEASED];
    expect(checkMigrations(schema, released)).toEqual([]);
    expect(released.at(-1)).toBe(schema.migrations.length);
  });

  it("cost one read row to open again, one more for each backfill, and no written row", async () => {
    const rows = await inStorage(getStub, (storage) => {
      let [read, written] = [0, 0];
      const exec: SqlStorage["exec"] = (query, ...values) => {
        const cursor = storage.sql.exec(query, ...values);
        const all = cursor.toArray();
        read += cursor.rowsRead;
        written += cursor.rowsWritten;
        return Object.assign(all, { toArray: () => all }) as never;
      };
      const watched = { sql: { exec }, transactionSync: storage.transactionSync } as never;
      new Database(watched, schema, opening);
      return { read, written };
    });
    const migrations: readonly Migration[] = schema.migrations;
    const backfills = migrations.filter(({ backfill }) => backfill !== undefined);
    expect(rows).toEqual({ read: 1 + backfills.length, written: 0 });
  });
});
