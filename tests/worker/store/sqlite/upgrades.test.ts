/** Upgrades of stored data: from every release, interrupted at every statement, and rolled back. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { Database, UnavailableData } from "#src/store/sqlite/database.ts";
import { checkMigrations, describeDatabase, findUndeclared } from "#support/store/check-schema.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings } from "#support/store/store.ts";
import { createSchema, RehearsedStore, type Release } from "#support/upgrade/rehearsed-releases.ts";

const RELEASES: readonly Release[] = [1, 2, 3, 4];
const ISSUES = 25;
const TURN = 4;
const DAY = 20_000;
const OWN_TABLES = ["schema_state", "schema_backfill"];

afterEach(() => emptyStore());

/** Runs `work` in an object without tables. */
function inEmptyStorage<T>(work: (storage: DurableObjectStorage) => T): Promise<T> {
  const stub = bindings.PROJECT_INDEX.getByName("rehearsal");
  return runInDurableObject(stub as DurableObjectStub, async (_, { storage }) => {
    await storage.deleteAll();
    return work(storage);
  });
}

function fill(store: RehearsedStore): void {
  for (let n = 0; n < ISSUES; n++)
    store.saveIssue({
      digest: `I${String(n).padStart(2, "0")}`,
      atMs: n,
      ...(n % 2 === 0 ? { assignee: "ada" } : {}),
    });
  store.decide("I00", "resolved", "1.4");
  store.append("first");
}

function dropAll(sql: SqlStorage): void {
  const { tables } = createSchema(1);
  for (const name of [...tables.map((one) => one.name), ...OWN_TABLES])
    sql.exec(`DROP TABLE IF EXISTS ${name}`);
}

const OF_ADA = Array.from({ length: 13 }, (_, n) => `I${String(2 * n).padStart(2, "0")}`);

function expectContent(store: RehearsedStore): void {
  expect(store.listOf("ada")).toEqual(OF_ADA);
  expect(store.getDecision("I00")).toEqual({ state: "resolved", fixedIn: "1.4" });
}

/** Statements of `sql` throw once `left` of them ran. */
function failAfter(storage: DurableObjectStorage, left: number): DurableObjectStorage {
  let rest = left;
  const exec: SqlStorage["exec"] = (query, ...values) => {
    if (rest-- <= 0) throw new Error("no space");
    return storage.sql.exec(query, ...values);
  };
  return {
    sql: { exec },
    transactionSync: (work: () => unknown) => storage.transactionSync(work),
  } as never;
}

describe("an upgrade", () => {
  it.each(
    RELEASES.flatMap((from) => RELEASES.filter((to) => to > from).map((to) => [from, to] as const)),
  )(
    "from release %d to %d keeps everything, and ends with the tables of a new object",
    async (from, to) => {
      const [created, migrated, undeclared] = await inEmptyStorage((storage) => {
        fill(new RehearsedStore(storage, from));
        const store = new RehearsedStore(storage, to);
        expectContent(store);
        for (let turn = 0; store.database.hasBackfill; turn++) {
          store.database.runTurn(TURN, DAY);
          expectContent(store);
          expect(turn).toBeLessThan(50);
        }
        expect(store.database.describe()).toMatchObject({ data: to, backfills: [] });
        const found = describeDatabase(storage.sql);
        const missing = findUndeclared(storage.sql, createSchema(to));
        for (const { name } of createSchema(to).tables) storage.sql.exec(`DROP TABLE ${name}`);
        storage.sql.exec("DROP TABLE schema_state; DROP TABLE schema_backfill");
        new RehearsedStore(storage, to);
        return [describeDatabase(storage.sql), found, missing];
      });
      expect(migrated).toEqual(created);
      expect(undeclared).toEqual([]);
    },
  );

  it("that fails at any statement leaves data that the next start upgrades", async () => {
    await inEmptyStorage((storage) => {
      let failed = 0;
      for (let left = 0; ; left++) {
        dropAll(storage.sql);
        fill(new RehearsedStore(storage, 1));
        const { state } = new RehearsedStore(failAfter(storage, left), 4).database;
        if (state.kind === "ready") break;
        failed++;
        expect(state).toMatchObject({ kind: "failed", problem: "Error: no space" });
        const store = new RehearsedStore(storage, 4);
        while (store.database.hasBackfill) store.database.runTurn(TURN, DAY);
        expectContent(store);
        expect(findUndeclared(storage.sql, createSchema(4))).toEqual([]);
      }
      // Each statement of the migrations failed once.
      expect(failed).toBeGreaterThan(10);
    });
  });

  it("of nothing, a new object, may fail at any statement as well", async () => {
    await inEmptyStorage((storage) => {
      new RehearsedStore(storage, 4);
      const created = describeDatabase(storage.sql);
      let failed = 0;
      for (let left = 0; ; left++) {
        dropAll(storage.sql);
        const { state } = new RehearsedStore(failAfter(storage, left), 4).database;
        if (state.kind === "ready") break;
        failed++;
        expect(new RehearsedStore(storage, 4).database.state).toEqual({ kind: "ready" });
        expect(describeDatabase(storage.sql)).toEqual(created);
      }
      expect(failed).toBeGreaterThan(5);
    });
  });

  it("does not let an object throw: its state tells what failed", async () => {
    await inEmptyStorage((storage) => {
      fill(new RehearsedStore(storage, 1));
      const { database } = new RehearsedStore(failAfter(storage, 2), 3);
      expect(database.state).toEqual({ kind: "failed", migration: 2, problem: "Error: no space" });
      expect(() => database.requireReady()).toThrow(UnavailableData);
    });
  });

  it("runs a backfill again when it was interrupted in a turn", async () => {
    await inEmptyStorage((storage) => {
      fill(new RehearsedStore(storage, 1));
      new RehearsedStore(storage, 2);
      for (let left = 0; ; left++) {
        const store = new RehearsedStore(failAfter(storage, left + 2), 2);
        if (!store.database.hasBackfill) break;
        try {
          store.database.runTurn(TURN, DAY);
        } catch {
          // The next start continues.
        }
        expectContent(new RehearsedStore(storage, 2));
      }
      expect(new RehearsedStore(storage, 2).database.describe().backfills).toEqual([]);
    });
  });
});

describe("two releases on one object", () => {
  it.each([
    [1, 2],
    [2, 3],
    [3, 4],
  ] as const)("%d and %d alternate, and lose nothing", async (older, newer) => {
    await inEmptyStorage((storage) => {
      fill(new RehearsedStore(storage, older));
      const expected = new Set(OF_ADA);
      for (let round = 0; round < 6; round++) {
        const store = new RehearsedStore(storage, round % 2 === 0 ? newer : older);
        expect(store.database.state.kind).toBe("ready");
        expect(store.listOf("ada")).toEqual([...expected].sort());
        const digest = `N0${round}`;
        store.saveIssue({ digest, atMs: 100, assignee: "ada" });
        expected.add(digest);
        // Both change the same row.
        store.saveIssue({
          digest: "I01",
          atMs: 100 + round,
          ...(round % 2 === 0 ? { assignee: "ada" } : {}),
        });
        if (round % 2 === 0) expected.add("I01");
        else expected.delete("I01");
        store.decide("I00", round % 2 === 0 ? "resolved" : "open", `2.${round}`);
        expect(store.listOf("ada")).toEqual([...expected].sort());
        // The last time, an older release interrupts the backfill.
        const turns = round < 4 ? Number.POSITIVE_INFINITY : 1;
        for (let turn = 0; turn < turns && store.database.hasBackfill; turn++)
          store.database.runTurn(TURN, DAY);
        expect(store.listOf("ada")).toEqual([...expected].sort());
      }
      const last = new RehearsedStore(storage, newer);
      while (last.database.hasBackfill) last.database.runTurn(TURN, DAY);
      expect(last.listOf("ada")).toEqual([...expected].sort());
      expect(last.getDecision("I00")).toMatchObject({ fixedIn: "2.5" });
    });
  });

  it("a release refuses the data of the next but one, changes nothing, and may append", async () => {
    await inEmptyStorage((storage) => {
      fill(new RehearsedStore(storage, 1));
      const newer = new RehearsedStore(storage, 4);
      while (newer.database.hasBackfill) newer.database.runTurn(TURN, DAY);
      const before = [newer.dump(), describeDatabase(storage.sql), newer.database.describe()];
      const older = new RehearsedStore(storage, 2);
      expect(older.database.state).toEqual({ kind: "newer", needs: 3 });
      expect(() => older.database.requireReady()).toThrow(/later release/);
      expect([newer.dump(), describeDatabase(storage.sql), newer.database.describe()]).toEqual(
        before,
      );
      older.append("acknowledged");
      expect(new RehearsedStore(storage, 4).dump()).toContain("acknowledged");
    });
  });

  it("data below the floor asks for a release in between", async () => {
    await inEmptyStorage((storage) => {
      fill(new RehearsedStore(storage, 1));
      const schema = { ...createSchema(4), floor: 2 };
      const database = new Database(storage, schema, { release: "0.4.0", nowMs: 4 });
      expect(database.state).toEqual({ kind: "too-old", needs: 2 });
      expectContent(new RehearsedStore(storage, 1));
    });
  });
});

it("the rehearsed migrations follow the rules, and the rules find those that do not", () => {
  expect(checkMigrations(createSchema(4), [1, 2, 3, 4])).toEqual([]);
  // Release 3 may not raise the oldest code to its own version.
  const { migrations, ...schema } = createSchema(3);
  const raised = { ...schema, migrations: migrations.map((one) => ({ ...one, oldest: one.id })) };
  expect(checkMigrations(raised, [1, 2, 3])).toEqual([
    "Rehearsal migration 2: code of version 1 must still work",
    "Rehearsal migration 3: code of version 2 must still work",
  ]);
  const [issue, ...others] = schema.tables;
  const indexed = {
    ...schema,
    migrations,
    tables: [
      { ...issue, indexes: { issue_by_shape: { since: 3, sql: "(shape)" } } } as typeof issue &
        object,
      ...others,
    ],
  };
  expect(checkMigrations(indexed as never, [1, 2, 3])).toEqual([
    "Rehearsal migration 3: CREATE INDEX IF NOT EXISTS issue_by_shape ON issue(shape)",
  ]);
});
