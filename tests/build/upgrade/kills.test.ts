// Upgrades in real workerd that SIGKILL ends: what `worker/store/sqlite/upgrades.test.ts` proves
// with errors, with objects of the product's base class, their alarms, and restarts on one folder.

import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "#src/core/utc-time.ts";
import {
  createRehearsal,
  type Rehearsal,
  type RunningRehearsal,
} from "#support/upgrade/rehearsal.ts";
import { findClockProblem, toAheadSeconds } from "#support/upgrade/start-store.ts";

const ISSUES = 9;
/** Three turns for each of the two backfills. */
const VARS = { ROWS_PER_TURN: "4" };
const POLL = { timeout: 20_000, interval: 20 };
const OF_ADA = ["I00", "I02", "I04", "I06", "I08"];

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await createRehearsal();
});
afterAll(() => rehearsal?.remove());

type Start = Parameters<Rehearsal["start"]>;

/** Starts a release; it ends with the test at the latest. */
async function start(...args: Start): Promise<RunningRehearsal> {
  const running = await rehearsal.start(...args);
  onTestFinished(running.kill);
  return running;
}

/** Fills objects of a new store in a release. */
async function fill(release: number, names: readonly string[]): Promise<string> {
  const store = rehearsal.createStore();
  const running = await start(store, release, VARS);
  await Promise.all(
    names.map(async (name) => {
      await running.call(name, "fill", ISSUES, "ada");
      await running.call(name, "decide", "I00", "resolved", "1.4");
      await running.call(name, "append", "first");
    }),
  );
  await running.kill();
  return store;
}

/** Waits for the backfills of an object that this process has opened, and reads all of it. */
async function finish(running: RunningRehearsal, name: string) {
  await running.call(name, "waitUntilFilled");
  return {
    ...(await running.call(name, "inspect")),
    seen: await running.call(name, "read", "ada", "I00"),
  };
}

/** An upgrade from release 1 to 4 that nothing ends, and how many statements it takes. */
async function upgradeOnce() {
  const running = await start(await fill(1, ["whole"]), 4, VARS);
  const upgraded = await finish(running, "whole");
  const statements: number = await running.call("whole", "countStatements");
  await running.kill();
  return { upgraded, statements };
}

/** Starts release 4, and ends it before a statement of the upgrade of an object. */
async function killBefore(running: RunningRehearsal, name: string) {
  void running.call(name, "getVersion").catch(() => "It was killed.");
  await running.waitForLine("STOPPED");
  await running.kill();
}

const isBetween = (min: number, max: number) => (value: number) => value >= min && value <= max;

/** All rows of the tables of the only object of a store, while no process runs. */
function readTables(store: string) {
  const [file = ""] = globSync(join(store, "objects", "errata-Rehearsal", "*.sqlite"));
  const database = new DatabaseSync(file);
  const schema = database
    .prepare("SELECT name, type, sql FROM sqlite_schema WHERE name NOT GLOB '_cf_*' ORDER BY name")
    .all();
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const read = (name: string) => [name, database.prepare(`SELECT * FROM "${name}"`).all()];
  const rows = Object.fromEntries(tables.map(read));
  database.close();
  return { schema, rows };
}

describe("an upgrade from release 1 to 4 that SIGKILL ends", () => {
  it("before any statement is finished by the next start, with everything equal", async () => {
    const { upgraded, statements } = await upgradeOnce();
    expect(upgraded).toMatchObject({
      version: { state: { kind: "ready" }, data: 4, backfills: [] },
      backfills: [
        { id: 2, visited: ISSUES, done: 1 },
        { id: 3, visited: ISSUES, done: 1 },
      ],
      undeclared: [],
      seen: { issues: OF_ADA, decision: { state: "resolved", fixedIn: "1.4" } },
    });
    // Those of the migrations, and of six turns.
    expect(statements).toBeGreaterThan(40);
    const names = Array.from({ length: statements }, (_, n) => `k${n + 1}`);
    const store = await fill(1, names);
    let before: string | undefined;
    for (const [n, name] of names.entries()) {
      const running = await start(store, 4, { ...VARS, STOP: `${name} ${n + 1}` });
      if (before !== undefined) expect(await finish(running, before), before).toEqual(upgraded);
      await killBefore(running, name);
      before = name;
    }
    const last = await start(store, 4, VARS);
    for (const name of names) expect(await finish(last, name), name).toEqual(upgraded);
  });

  it("in a turn is finished by an alarm, without a request", async () => {
    const { upgraded, statements } = await upgradeOnce();
    const store = await fill(1, ["one"]);
    const stopped = await start(store, 4, { ...VARS, STOP: `one ${statements - 12}` });
    await killBefore(stopped, "one");
    expect(readTables(store).rows.schema_backfill).toMatchObject([{ done: 1 }, { done: 0 }]);
    const restarted = await start(store, 4, VARS);
    await restarted.waitForLine(" FILLED one");
    await restarted.kill();
    expect(readTables(store).rows.schema_backfill).toMatchObject([{ done: 1 }, { done: 1 }]);
    expect(await finish(await start(store, 4, VARS), "one")).toEqual(upgraded);
  });

  it("in every start, each time one statement later, is finished at last", async () => {
    const { upgraded } = await upgradeOnce();
    const store = await fill(1, ["one"]);
    let kills = 0;
    for (let isStopped = true; isStopped; kills++) {
      const running = await start(store, 4, { ...VARS, STOP: `one ${kills + 1}` });
      void running.call("one", "getVersion").catch(() => "It was killed.");
      isStopped = await Promise.race([
        running.waitForLine("STOPPED").then(() => true),
        running.waitForLine(" FILLED one").then(() => false),
      ]);
      await running.kill();
    }
    expect(kills).toBeGreaterThan(10);
    expect(await finish(await start(store, 4, VARS), "one")).toEqual(upgraded);
  });
});

describe("a backfill", () => {
  it("that fails leaves the alarm to the parts of the object, and runs again", async () => {
    const { upgraded, statements } = await upgradeOnce();
    const store = await fill(1, ["one"]);
    const failing = await start(store, 4, { ...VARS, STOP: `one ${statements - 12} error` });
    const { backfills } = await failing.call("one", "getVersion");
    expect(backfills).toHaveLength(2);
    await failing.waitForLine("Rehearsal: cannot fill a column Error: no space");
    await failing.waitForLine("UNFILLED one");
    await failing.kill();
    const restarted = await start(store, 4, VARS);
    expect(await finish(restarted, "one")).toEqual(upgraded);
  });

  // Begins at noon, because it counts the rows of a day.
  it.skipIf(findClockProblem() !== null)(
    "writes 20,000 rows a day in an object, more on larger plans, and continues the next day",
    async () => {
      const aheadSeconds = toAheadSeconds(Date.UTC(2036, 2, 3, 12));
      const store = rehearsal.createStore();
      const first = await start(store, 1, {}, aheadSeconds);
      await first.call("one", "fillMany", 55_000);
      await first.kill();
      /** The rows that are right when an alarm for the next day is set, or none. */
      const fillToday = async (vars: object, ahead = aheadSeconds) => {
        const running = await start(store, 2, vars, ahead);
        const { alarm, visited } = await vi.waitFor(async () => {
          const { backfills } = await running.call("one", "getVersion");
          const atMs: number | null = await running.call("one", "getAlarm");
          if (backfills.length > 0) expect(Number(atMs) - running.nowMs()).toBeGreaterThan(HOUR_MS);
          return { alarm: atMs, visited: backfills[0]?.visited };
        }, POLL);
        await running.kill();
        return { visited, alarm: alarm && new Date(alarm).toISOString() };
      };
      const alarm = "2036-03-04T00:00:00.000Z";
      const free = await fillToday({});
      // Each turn also writes how far it is.
      expect(free).toEqual({ visited: expect.toSatisfy(isBetween(19_500, 20_000)), alarm });
      // After a restart, the day has no more rows, unless the plan has.
      expect(await fillToday({})).toEqual(free);
      const paid = await fillToday({ ERRATA_KV_WRITES_PER_DAY: "1900" });
      expect(paid).toEqual({ visited: expect.toSatisfy(isBetween(39_000, 40_000)), alarm });
      const tomorrow = aheadSeconds + DAY_MS / 1_000;
      expect(await fillToday({}, tomorrow)).toEqual({ visited: undefined, alarm: null });
    },
  );
});

describe("two releases on one object", () => {
  it.each([
    [1, 2],
    [2, 3],
    [3, 4],
  ])("%d and %d alternate, each ended by SIGKILL, and lose nothing", async (older, newer) => {
    const store = await fill(older, ["one"]);
    const expected = new Set(OF_ADA);
    const expectAll = async (running: RunningRehearsal) => {
      const { issues } = await running.call("one", "read", "ada", "I00");
      expect(issues).toEqual([...expected].sort());
    };
    for (let round = 0; round < 6; round++) {
      const isNewer = round % 2 === 0;
      const running = await start(store, isNewer ? newer : older, VARS);
      await expectAll(running);
      await running.call("one", "saveIssue", `N0${round}`, 100, "ada");
      expected.add(`N0${round}`);
      // Both change the same row.
      await running.call("one", "saveIssue", "I01", 100 + round, isNewer ? "ada" : "bob");
      if (isNewer) expected.add("I01");
      else expected.delete("I01");
      await running.call("one", "decide", "I00", isNewer ? "resolved" : "open", `2.${round}`);
      await running.call("one", "append", `round ${round}`);
      await expectAll(running);
      // The last time, an older release interrupts the backfill.
      if (round < 4) await running.call("one", "waitUntilFilled");
      await running.kill();
    }
    const last = await start(store, newer, VARS);
    const { version, undeclared, content, seen } = await finish(last, "one");
    expect(version).toMatchObject({ data: newer, backfills: [] });
    expect(undeclared).toEqual([]);
    expect(content.match(/round \d/g)).toHaveLength(6);
    expect(seen).toMatchObject({ issues: [...expected].sort(), decision: { fixedIn: "2.5" } });
  });

  it("2 refuses the data of 4, changes nothing, and appends", async () => {
    const store = await fill(1, ["one"]);
    const newer = await start(store, 4, VARS);
    await finish(newer, "one");
    await newer.kill();
    const before = readTables(store);
    const older = await start(store, 2, VARS);
    const version = await older.call("one", "getVersion");
    expect(version).toMatchObject({ state: { kind: "newer", needs: 3 }, code: 2, data: 4 });
    for (const [method, ...args] of [
      ["read", "ada", "I00"],
      ["saveIssue", "I00", 1, "bob"],
      ["decide", "I00", "muted"],
    ] as const)
      await expect(older.call("one", method, ...args)).rejects.toThrow(/by a later release/);
    await older.call("one", "append", "acknowledged");
    await older.kill();
    const { line, ...rows } = readTables(store).rows;
    const { line: first, ...rowsBefore } = before.rows;
    expect([readTables(store).schema, rows]).toEqual([before.schema, rowsBefore]);
    expect(line).toEqual([...(first ?? []), { seq: 2, body: "acknowledged" }]);
    const { content } = await finish(await start(store, 4, VARS), "one");
    expect(content).toContain("acknowledged");
  });
});
