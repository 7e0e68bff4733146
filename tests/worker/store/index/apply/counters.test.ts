import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { CounterDelta, DailyCounter } from "#src/core/stats/counters.ts";
import { toIngestStats } from "#src/core/stats/outcome-totals.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { CounterTable } from "#src/store/index/tables/counter-table.ts";
import { decodeChunk } from "#src/store/kv/chunk.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getIndex,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const event = `{"type":"event"}\n{"message":"m","platform":"javascript"}\n`;

/** Counters by their names, joined by spaces. */
async function readCounters(): Promise<Record<string, number>> {
  const counters = await projectStore.listCounters(7);
  return Object.fromEntries(counters.map(({ name, count }) => [name.join(" ").trim(), count]));
}

describe("each accepted item is counted once, with its outcome and reason,", () => {
  it("and the outcomes add up to the number of items sent", async () => {
    const items = [
      `{"type":"session"}\n{"init":true,"status":"ok","attrs":{"release":"1.4.0"}}\n`,
      `{"type":"transaction"}\n{}\n`,
      `{"type":"invention"}\nx\n`,
      `{"type":"event"}\n{"level":"error"}\n`,
      `{"type":"event"}\nno json\n`,
      `{"type":"user_report"}\n{"event_id":"${ID}","comments":"blank page"}\n`,
      `{"type":"attachment","length":1}\nx\n`,
    ];
    const body = `{"event_id":"${ID}"}\n${event}${items.join("")}`;
    const { response } = await visit("/monitoring", { method: "POST", body });
    expect(response.headers.get("errata-outcome")?.split(", ")).toHaveLength(8);
    await visit("/monitoring", { method: "POST", body: `{"event_id":"${ID}"}\n${event}` });
    await visit("/monitoring", { method: "POST", body: "no format at all" });
    expect(await readCounters()).toEqual({
      "accepted message": 1,
      "accepted feedback": 1,
      "accepted attachment": 1,
      "counted session": 1,
      "counted transaction": 1,
      "dropped other not-stored": 1,
      "invalid event missing-field": 1,
      "invalid event not-json": 1,
      "invalid body unknown-format": 1,
      "duplicate message": 1,
      "session public 1.4.0  started": 1,
    });
    const { outcomes, received } = toIngestStats(
      await projectStore.listCounters(7),
      "2026-11-21",
      7,
    );
    expect(received.total).toBe(8 + 1 + 1);
    expect(outcomes.reduce((sum, { total }) => sum + total, 0)).toBe(received.total);
  });

  it("across restarts of the objects, and however often the log sends its rows", async () => {
    for (let round = 0; round < 4; round++) {
      await log.append([createReport(round)], [[["counted", "session"], 2]]);
      if (round % 2 === 0) await abortAllDurableObjects();
    }
    expect(await readCounters()).toEqual({
      "accepted error  2026112117 server": 4,
      "counted session": 8,
    });
    await uploadChunk();
    await abortAllDurableObjects();
    await log.append([], [[["counted", "session"], 1]]);
    expect(await readCounters()).toEqual({
      "accepted error  2026112117 server": 4,
      "counted session": 9,
    });
  });
});

describe("a session", () => {
  const sid = "7c1f0e3a52d94b6e8f0a1b2c3d4e5f60";
  const createSessions = (release: string) => ({
    send(...updates: readonly object[]) {
      const items = updates.map((update) => {
        const session = { sid, attrs: { release, environment: "production" }, ...update };
        return `{"type":"session"}\n${JSON.stringify(session)}\n`;
      });
      return visit("/monitoring", { method: "POST", body: `{}\n${items.join("")}` });
    },
    async readCounts() {
      const { publicSessions } = toIngestStats(await projectStore.listCounters(7), "2026-11-21", 7);
      const { started, errored, unhandled, crashed } =
        publicSessions.find((row) => row.release === release) ??
        expect.fail("no session is counted");
      return { started, errored, unhandled, crashed };
    },
  });

  it("counts each of its states once, however often it is sent, across a restart and an upload", async () => {
    const { send, readCounts } = createSessions("2.0.0");
    await send({ init: true, status: "ok", errors: 0 });
    await send({ status: "ok", errors: 1 });
    await send({ status: "ok", errors: 1, did: "u42" });
    expect(await readCounts()).toEqual({ started: 1, errored: 1, unhandled: 0, crashed: 0 });
    await abortAllDurableObjects();
    await send({ status: "unhandled", errors: 1 }, { status: "unhandled", errors: 1 });
    await uploadChunk();
    await abortAllDurableObjects();
    await Promise.all([
      send({ status: "unhandled", errors: 1, did: "u42" }),
      send({ status: "crashed", errors: 1 }),
      send({ status: "crashed", errors: 1, did: "u42" }),
    ]);
    expect(await readCounts()).toEqual({ started: 1, errored: 1, unhandled: 1, crashed: 1 });
  });

  it("is distinct from other sessions, and one without an id counts each time", async () => {
    const { send, readCounts } = createSessions("2.0.1");
    const crash = { status: "crashed" };
    await send({ sid: `1${sid.slice(1)}`, init: true, ...crash });
    await send({ sid: `2${sid.slice(1)}`, ...crash });
    await send({ sid: "none", ...crash }, { sid: "none", ...crash });
    expect(await readCounts()).toMatchObject({ started: 1, errored: 4, crashed: 4 });
  });

  it("is deduplicated in a project with many shards", async () => {
    const writer = createReportWriter(bindings, { project: "1", shards: 8, nowMs: readNowMs });
    const crashed = (n: number): readonly CounterDelta[] => [
      [["session", "page", "2.0.2", "", "crashed"], 1, `${n}d1f0e3a52d94b6e8f0a1b2c3d4e5f62`],
    ];
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 10; n++) await writer.append([], crashed(n));
    }
    expect(await createSessions("2.0.2").readCounts()).toMatchObject({ crashed: 10 });
  });

  it("is not found as a report", async () => {
    const { send } = createSessions("2.0.3");
    await send({ sid: `3${sid.slice(1)}`, status: "crashed" });
    for (const suffix of [0, 2]) {
      expect(await projectStore.locateReport(`3${sid.slice(1, -1)}${suffix}`)).toBeNull();
    }
  });
});

describe("a request with many counter names", () => {
  const wide = "\u0001語".repeat(100);
  /** Items of 100 releases with the longest names. */
  const hostile = (n: number) =>
    Array.from({ length: 100 }, (_, i) => {
      const attrs = { release: `${n}.${i}${wide}`, environment: wide };
      return `{"type":"sessions"}\n${JSON.stringify({ attrs, aggregates: [{ exited: 1, errored: 1 }] })}\n`;
    }).join("");

  it("adds a bounded number of names and does not affect concurrent requests", async () => {
    const bodies = Array.from({ length: 12 }, (_, n) => `{}\n${hostile(n)}`);
    const genuine = `{"event_id":"${ID}"}\n${event}`;
    const visits = await Promise.all(
      [...bodies, genuine].map((body) => visit("/monitoring", { method: "POST", body })),
    );
    expect(visits.map(({ response }) => response.status)).toEqual(visits.map(() => 200));
    const counters = await projectStore.listCounters(1);
    const names = counters.filter(({ name: [first] }) => first === "session");
    expect(names.length).toBeLessThanOrEqual(12 * limits.maxBrowserCounterNamesPerBody);
    const started = names.filter(({ name }) => name.at(-1) === "started");
    expect(started.reduce((sum, { count }) => sum + count, 0)).toBe(12 * 100 * 2);
    expect((await readCounters())["accepted message"]).toBe(1);
  });

  it("is sent to an index that was unavailable in calls of bounded size", async () => {
    const counters = Array.from(
      { length: 150 },
      (_, i): CounterDelta => [["session", "page", `${i}${wide}`, wide, "started"], 1],
    );
    await runInDurableObject(getShard(), (instance: ReportLog) => {
      const PROJECT_INDEX = {
        getByName: () => ({ applyRows: () => Promise.reject(new Error("unavailable")) }),
      };
      Object.assign(instance, { env: { ...bindings, PROJECT_INDEX } });
    });
    for (let n = 0; n < 60; n++) await log.append([createReport(n)], counters);
    await runInDurableObject(getShard(), (instance: ReportLog) => {
      Object.assign(instance, { env: bindings });
    });
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(60);
  });
});

describe("a chunk", () => {
  it("has counters among the reports without changing the positions of reports", async () => {
    const [first] = await log.append([createReport(1)], [[["counted", "session"], 3]]);
    const [second] = await log.append([createReport(2)]);
    await uploadChunk();
    const [key = ""] = await listChunkKeys();
    const lines = await decodeChunk((await bindings.KV.get(key, "arrayBuffer")) as ArrayBuffer);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: createReport(1).id },
      { daily: 1, counters: [[["counted", "session"], 3]] },
      { id: createReport(2).id },
    ]);
    await abortAllDurableObjects();
    for (const { id, position = "" } of [first, second].filter((result) => result !== undefined)) {
      expect(await projectStore.locateReport(id)).toEqual({ digest: "7F3K-Q2M9", position, id });
      expect((await projectStore.readReport({ position }))?.id).toBe(id);
    }
  });
});

describe("the counter table", () => {
  const withTable = (work: (table: CounterTable) => readonly DailyCounter[]) =>
    runInDurableObject(getIndex(), (_: ProjectIndex, state) =>
      work(new CounterTable(state.storage)),
    );

  it("has a bounded number of names per day and group, and merges the smallest into other", async () => {
    const excess = 25;
    const rows = await withTable((table) => {
      table.add({
        day: "2026-10-01",
        counters: [[["session", "page", "web@2.0.0", "", "started"], 90]],
      });
      for (let n = 0; n < limits.maxCounterNamesPerDay + excess; n++) {
        table.add({
          day: "2026-10-01",
          counters: [[["session", "page", `r${n}`, "", "started"], 1]],
        });
      }
      table.add({ day: "2026-10-01", counters: [[["counted", "session"], 7]] });
      return table.listSince("2026-10-01").filter(({ day }) => day === "2026-10-01");
    });
    expect(rows.length).toBeLessThanOrEqual(limits.maxCounterNamesPerDay + 1);
    const named = (name: string) => rows.find((row) => row.name.join(" ") === name)?.count;
    expect(named("session page web@2.0.0  started")).toBe(90);
    expect(named("session page other other started")).toBe(limits.maxCounterNamesPerDay / 2);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(
      90 + limits.maxCounterNamesPerDay + excess + 7,
    );
    expect(named("counted session")).toBe(7);
  });

  it("limits the names of sessions per trust level, so that public sessions displace no others", async () => {
    const day = "2026-10-01";
    const rows = await withTable((table) => {
      const trusted = ["server", "page"].map((trust) => ["session", trust, "web@2", "", "started"]);
      table.add({ day, counters: trusted.map((name): CounterDelta => [name, 1]) });
      for (let n = 0; n < 2 * limits.maxCounterNamesPerDay; n++)
        table.add({ day, counters: [[["session", "public", `r${n}`, "", "started"], 1_000]] });
      return table.listSince(day).filter((row) => row.day === day);
    });
    const named = (trust: string) => rows.filter(({ name }) => name[1] === trust);
    expect(named("server")).toHaveLength(1);
    expect(named("page")).toHaveLength(1);
    expect(named("public").length).toBeLessThanOrEqual(limits.maxCounterNamesPerDay);
  });

  it("removes the sessions of the sample exactly, also those that were merged", async () => {
    const day = "2026-10-01";
    const rows = await withTable((table) => {
      for (let n = 0; n < limits.maxCounterNamesPerDay + 5; n++) {
        const environment = n % 10 === 0 ? "sample" : "production";
        table.add({ day, counters: [[["session", "server", `r${n}`, environment, "started"], 1]] });
      }
      table.removeSessions("sample");
      return table.listSince(day).filter((row) => row.day === day);
    });
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    const sampled = Math.ceil((limits.maxCounterNamesPerDay + 5) / 10);
    expect(total).toBe(limits.maxCounterNamesPerDay + 5 - sampled);
    expect(rows.filter(({ name }) => name[3] === "sample")).toEqual([]);
  });

  it("deletes expired days", async () => {
    const rows = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      for (const day of ["2026-08-01", "2026-11-21"])
        tables.counters.add({ day, counters: [[["counted", "session"], 1]] });
      const beforeMs = Date.UTC(2026, 10, 1);
      expect(tables.deleteExpired(beforeMs, beforeMs)).toBe(true);
      expect(tables.deleteExpired(beforeMs, beforeMs)).toBe(false);
      return tables.counters.listSince("2026-01-01");
    });
    expect(rows.map(({ day }) => day)).toEqual(["2026-11-21"]);
  });
});
