import {
  abortAllDurableObjects,
  createScheduledController,
  runInDurableObject,
} from "cloudflare:test";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import type { CounterDelta } from "#src/core/stats/counters.ts";
import { toIngestStats } from "#src/core/stats/outcome-totals.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import {
  createSpool,
  createSpoolKey,
  parseSpoolEntry,
  type SpoolEntry,
  splitIntoSpoolEntries,
} from "#src/store/client/spool.ts";
import { selectShard } from "#src/store/kv/keys.ts";
import type { LogEntry } from "#src/store/log/log-entries.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import worker from "#src/worker.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createRefusingKv, withKvMethods } from "#support/store/faulty-kv.ts";
import { bindings, getShard, NOW_MS, log as plainLog, uploadChunk } from "#support/store/store.ts";

/** Console messages of the levels info and warn. */
let logged: string[] = [];

beforeEach(() => {
  logged = [];
  for (const level of ["info", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => {
      logged.push(values.map((value) => JSON.stringify(value)).join(" "));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

/** A shard that refuses calls, does not respond, loses its responses, or cannot write. */
type Fault = "overloaded" | "silent" | "response-lost" | "full";

const OVERLOADED = Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });

/** A project with a clock of its own, and faults by the name of a shard. */
function createProject({ shards = 1, kv = bindings.KV, timeoutMs = 10_000 } = {}) {
  const faults = new Map<string, Fault>();
  const calls: string[] = [];
  const background: Promise<unknown>[] = [];
  const clock = { nowMs: NOW_MS };
  const REPORT_LOG = {
    getByName(name: string) {
      const real = bindings.REPORT_LOG.getByName(name);
      const call = (method: "append" | "locate" | "locateRecent") => {
        return async (...args: readonly unknown[]) => {
          calls.push(`${name} ${method}`);
          const fault = faults.get(name);
          if (fault === "overloaded") throw OVERLOADED;
          if (fault === "full" && method === "append") throw new Error("database or disk is full");
          if (fault === "silent") return new Promise(() => undefined);
          // biome-ignore lint/suspicious/noExplicitAny: any method of the object, by name
          const result = await (real as any)[method](...args);
          if (fault === "response-lost") throw new Error("Network connection lost.");
          return result;
        };
      };
      return { append: call("append"), locate: call("locate"), locateRecent: call("locateRecent") };
    },
  } as unknown as typeof bindings.REPORT_LOG;
  let minted = 0;
  const settings = {
    project: "1",
    shards,
    retentionDays: 30,
    nowMs: () => clock.nowMs,
    timeoutMs,
    drainDelayMs: 0,
    newId: () => toReportId(++minted),
    waitUntil: (work: Promise<unknown>) => background.push(work),
  };
  const faultyBindings = { ...bindings, REPORT_LOG, KV: kv };
  const spool = createSpool(faultyBindings, settings);
  return {
    faults,
    calls,
    clock,
    spool,
    log: createReportWriter(faultyBindings, { ...settings, spool }),
    projectStore: createProjectStore(bindings, settings),
    /** Resolves when the work after the responses has ended. */
    settled: () => Promise.all(background.splice(0)),
    /** Runs the cron job, after the time that is left to the responses. */
    async cron() {
      clock.nowMs += 300_000;
      await spool.drain();
    },
  };
}

const SESSION: readonly CounterDelta[] = [[["counted", "session"], 1]];
const DIGEST = "7F3K-Q2M9";

/** Reports with random-looking ids. */
const reports = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const words = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((odd) =>
      (Math.imul(n + 1, odd) >>> 0).toString(16).padStart(8, "0"),
    );
    return createReport(n, { id: words.join("") });
  });

async function spooledKeys(): Promise<string[]> {
  const { keys } = await bindings.KV.list({ prefix: "spool/" });
  return keys.map(({ name }) => name);
}

/** Every counter by name. */
async function readCounters(
  projectStore: ReturnType<typeof createProject>["projectStore"],
): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const { name, count } of await projectStore.listCounters(7)) {
    // The outcome and the item; the hour of an error is not asserted here.
    const key = name.slice(0, 2).join(" ");
    totals[key] = (totals[key] ?? 0) + count;
  }
  return totals;
}

/** The issue counts exactly these reports, and each is found with its body. */
async function expectExactly(
  expected: readonly Report[],
  projectStore: ReturnType<typeof createProject>["projectStore"],
): Promise<void> {
  expect((await projectStore.getFreshIssue(DIGEST))?.count).toBe(expected.length);
  for (const { id } of expected) {
    const at = await projectStore.locateReport(id);
    expect(at?.digest, id).toBe(DIGEST);
    expect((await projectStore.readReport({ position: at?.position ?? "" }))?.id).toBe(id);
  }
}

describe.each(["overloaded", "silent", "response-lost"] as const)(
  "while a shard is %s",
  (fault) => {
    // Long enough for a working shard on a busy machine.
    const timeoutMs = fault === "silent" ? 1_000 : 10_000;

    it("its reports are acknowledged once they are in KV, and marked as spooled", async () => {
      const { faults, log, settled } = createProject({ timeoutMs });
      faults.set("1/0", fault);
      const results = await log.append(reports(3), SESSION);
      expect(results).toEqual(
        reports(3).map(({ id }) => ({ id, isDuplicate: false, isSpooled: true })),
      );
      const [key = "", ...overrides] = await spooledKeys();
      expect(overrides).toEqual([]);
      const { entries, counters } = parseSpoolEntry((await bindings.KV.get(key)) ?? "") ?? {};
      expect(entries?.map(({ id }) => id)).toEqual(reports(3).map(({ id }) => id));
      expect(counters).toEqual(SESSION);
      await settled();
      expect(await spooledKeys()).toEqual([key]);
      expect(logged).toEqual([
        expect.stringContaining(
          `"spool: reports written to KV" {"key":"${key}","shard":"0","reports":3`,
        ),
        expect.stringContaining(
          `"spool: the log does not accept reports yet" {"key":"${key}","shard":"0"`,
        ),
      ]);
    });

    it("spooled reports are appended after the response once the shard is back", async () => {
      const { faults, log, projectStore, settled } = createProject({ timeoutMs });
      faults.set("1/0", fault);
      await log.append(reports(3), SESSION);
      faults.clear();
      await settled();
      expect(await spooledKeys()).toEqual([]);
      await expectExactly(reports(3), projectStore);
      expect((await readCounters(projectStore))["counted session"]).toBe(1);
    });

    it("the cron job appends what is left, and everything counts once", async () => {
      const { faults, log, projectStore, settled, cron } = createProject({ timeoutMs });
      faults.set("1/0", fault);
      await log.append(reports(3), SESSION);
      await settled();
      await cron();
      expect(await spooledKeys()).toHaveLength(1);
      faults.clear();
      await cron();
      await cron();
      expect(await spooledKeys()).toEqual([]);
      await expectExactly(reports(3), projectStore);
      const {
        "accepted error": accepted,
        "counted session": sessions,
        ...rest
      } = await readCounters(projectStore);
      expect([accepted, sessions, rest["duplicate error"]]).toEqual([3, 1, undefined]);
    });

    it("nothing is acknowledged if KV fails too", async () => {
      const { faults, log } = createProject({
        kv: createRefusingKv(bindings.KV, "put"),
        timeoutMs,
      });
      faults.set("1/0", fault);
      await expect(log.append(reports(1))).rejects.toThrow("neither the log nor KV accepted");
    });

    it("a report that is sent again counts once", async () => {
      const { faults, log, projectStore, settled, cron } = createProject({ timeoutMs });
      faults.set("1/0", fault);
      await log.append(reports(2), SESSION);
      await log.append(reports(2), SESSION);
      faults.clear();
      await settled();
      await cron();
      expect((await log.append(reports(2))).map(({ isDuplicate }) => isDuplicate)).toEqual([
        true,
        true,
      ]);
      await expectExactly(reports(2), projectStore);
      // Counters without an id count twice if the shard itself stored the request twice.
      const times = fault === "response-lost" ? 2 : 1;
      expect((await readCounters(projectStore))["counted session"]).toBe(times);
    });
  },
);

describe("the sender of a spooled report", () => {
  const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message: "no price" });
  const post = (log: ReturnType<typeof createProject>["log"]) =>
    visit("/monitoring", { method: "POST", body, services: { reportWriter: log } });

  it("gets status 202 with the report's codes and the word `spooled`", async () => {
    const { faults, log, projectStore, settled } = createProject();
    faults.set("1/0", "overloaded");
    const { response, body } = await post(log);
    expect(response.status).toBe(202);
    const { id, digest } = JSON.parse(body);
    expect(response.headers.get("errata-outcome")).toBe(
      `accepted;item="uncaught";id="${id}";digest="${digest}";spooled`,
    );
    faults.clear();
    await settled();
    expect((await projectStore.locateReport(id))?.digest).toBe(digest);
  });

  it("gets status 503 with Retry-After if KV fails too", async () => {
    const { faults, log } = createProject({ kv: createRefusingKv(bindings.KV, "put") });
    faults.set("1/0", "overloaded");
    const { response } = await post(log);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
  });
});

describe("the spool writes of a day", () => {
  /** 2 % of the 950 writes of the default configuration. */
  const QUOTA = 19;
  const send = (project: ReturnType<typeof createProject>, count: number, trust: Trust) =>
    Promise.all(
      reports(count).map(({ id }, n) =>
        project.log
          .append([createReport(n, { id: `${trust.length}${id.slice(1)}`, trust })])
          .then(([result]) => result?.isSpooled === true)
          .catch(() => false),
      ),
    );
  const countTrue = (results: readonly boolean[]) => results.filter(Boolean).length;

  it("are limited for public reports, separately from those of pages, and not for servers", async () => {
    const project = createProject();
    project.faults.set("1/0", "overloaded");
    expect(countTrue(await send(project, 3 * QUOTA, "public"))).toBe(QUOTA);
    expect(countTrue(await send(project, 3 * QUOTA, "page"))).toBe(QUOTA);
    expect(countTrue(await send(project, 3 * QUOTA, "server"))).toBe(3 * QUOTA);
    expect(await spooledKeys()).toHaveLength(5 * QUOTA);
    await project.settled();
  });

  it("are counted in the index, for every isolate and after its restart", async () => {
    const [one, two] = [createProject(), createProject()];
    for (const { faults } of [one, two]) faults.set("1/0", "overloaded");
    await send(one, QUOTA - 2, "public");
    await abortAllDurableObjects();
    expect(countTrue(await send(two, QUOTA, "public"))).toBe(2);
    await Promise.all([one.settled(), two.settled()]);
  });

  it("are refused without a call to the index for a minute after a refusal", async () => {
    const project = createProject();
    project.faults.set("1/0", "overloaded");
    await send(project, QUOTA + 1, "public");
    const stub = vi.spyOn(bindings.PROJECT_INDEX, "getByName");
    await send(project, 5, "public");
    expect(stub).not.toHaveBeenCalled();
    project.clock.nowMs += 60_000;
    await send(project, 1, "public");
    expect(stub).toHaveBeenCalled();
    await project.settled();
  });
});

it("a fault of one shard does not affect the reports of another", async () => {
  const { faults, log, projectStore, settled, cron } = createProject({ shards: 2 });
  faults.set("1/1", "overloaded");
  const results = await log.append(reports(30));
  for (const { id, position, isSpooled } of results) {
    expect([id, position === undefined, isSpooled === true]).toEqual(
      selectShard(id, 2) === "1" ? [id, true, true] : [id, false, false],
    );
  }
  const storedReports = reports(30).filter(({ id }) => selectShard(id, 2) === "0");
  expect(storedReports.length).toBeGreaterThan(5);
  expect((await projectStore.getFreshIssue(DIGEST))?.count).toBe(storedReports.length);
  await settled();
  faults.clear();
  await cron();
  await expectExactly(reports(30), projectStore);
});

it("counters alone are not spooled", async () => {
  const { faults, log } = createProject();
  faults.set("1/0", "overloaded");
  await expect(log.append([], SESSION)).rejects.toThrow("overloaded");
  expect(await spooledKeys()).toEqual([]);
});

describe("draining the spool", () => {
  it("counts nothing twice if KV failed to delete a drained entry", async () => {
    const { faults, log, projectStore, settled, spool, clock } = createProject({
      kv: createRefusingKv(bindings.KV, "delete"),
    });
    faults.set("1/0", "overloaded");
    await log.append(reports(3), SESSION);
    faults.clear();
    await settled();
    expect(await spooledKeys()).toHaveLength(1);
    clock.nowMs += 300_000;
    await spool.drain();
    await expectExactly(reports(3), projectStore);
    expect(await readCounters(projectStore)).toEqual({
      "accepted error": 3,
      "counted session": 1,
      "spooled error": 3,
    });
    await createProject().cron();
    expect(await spooledKeys()).toEqual([]);
    await expectExactly(reports(3), projectStore);
  });

  it("keeps entries that the log does not accept", async () => {
    const { faults, log, projectStore, settled, cron } = createProject();
    faults.set("1/0", "full");
    await log.append(reports(2));
    await settled();
    await cron();
    expect(await spooledKeys()).toHaveLength(1);
    faults.clear();
    await cron();
    await expectExactly(reports(2), projectStore);
  });

  it("leaves entries of the last minute to the response that stored them", async () => {
    const { faults, log, settled, spool, clock } = createProject();
    faults.set("1/0", "overloaded");
    await log.append(reports(1));
    await settled();
    faults.clear();
    clock.nowMs += 59_000;
    await spool.drain();
    expect(await spooledKeys()).toHaveLength(1);
    clock.nowMs += 1_000;
    await spool.drain();
    expect(await spooledKeys()).toEqual([]);
  });

  it("includes recent entries before an erasure or export, and two concurrent drains count once", async () => {
    const { faults, log, projectStore, settled, spool } = createProject();
    faults.set("1/0", "overloaded");
    await log.append(reports(3), SESSION);
    await settled();
    faults.clear();
    await Promise.all([spool.drain({ includeRecent: true }), spool.drain({ includeRecent: true })]);
    expect(await spooledKeys()).toEqual([]);
    expect(await readCounters(projectStore)).toMatchObject({
      "counted session": 1,
      "spooled error": 3,
    });
    await expectExactly(reports(3), projectStore);
  });

  it.each(["overloaded", "response-lost"] as const)(
    "appends to the id's current shard after ERRATA_SHARDS has changed, once after it was %s",
    async (fault) => {
      const one = createProject();
      one.faults.set("1/0", fault);
      await one.log.append(reports(20), SESSION);
      await one.settled();
      const four = createProject({ shards: 4 });
      await four.cron();
      expect(await spooledKeys()).toEqual([]);
      await expectExactly(reports(20), four.projectStore);
      expect((await readCounters(four.projectStore))["counted session"]).toBe(1);
      const appended = four.calls.filter((call) => call.endsWith("append"));
      expect(new Set(appended).size).toBe(fault === "overloaded" ? 4 : 0);
    },
  );

  it("searches all ids of a shard for an entry that waited for days", async () => {
    const [report = createReport(0)] = reports(1);
    const { faults, log, projectStore, settled, clock, spool } = createProject();
    faults.set("1/0", "response-lost");
    await log.append([report]);
    await settled();
    // The append was stored, and uploaded days ago.
    await getShard().flush();
    await uploadChunk();
    await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
      storage.sql.exec("UPDATE chunk SET uploaded_ms = uploaded_ms - ?", 2 * 86_400_000);
    });
    await abortAllDurableObjects();
    expect(await getShard().locateRecent(report.id)).toBeNull();
    faults.clear();
    clock.nowMs += 2 * 86_400_000;
    await spool.drain();
    expect(await spooledKeys()).toEqual([]);
    expect((await projectStore.getFreshIssue(DIGEST))?.count).toBe(1);
  });

  it("keeps and logs entries that it cannot parse, and drains the others", async () => {
    const broken = [
      "",
      "{",
      "null",
      "7",
      '{"v":2}',
      '{"v":1,"shard":"0","entries":[],"counters":[]}',
    ];
    for (const [n, value] of broken.entries()) {
      await bindings.KV.put(createSpoolKey("1", NOW_MS - 1_000, toReportId(900 + n)), value);
    }
    await bindings.KV.put("spool/1/no-moment", "{");
    await bindings.KV.put("spool/2/0000000000000.another-project", "{");
    const { faults, log, projectStore, settled, cron } = createProject();
    faults.set("1/0", "overloaded");
    await log.append(reports(2));
    await settled();
    faults.clear();
    await cron();
    expect(await spooledKeys()).toHaveLength(broken.length + 2);
    const unreadable = logged.filter((line) => line.includes("cannot parse"));
    expect(new Set(unreadable).size).toBe(broken.length + 1);
    await expectExactly(reports(2), projectStore);
  });

  it("calls an unavailable shard three times per run, and continues with the others", async () => {
    const { faults, log, projectStore, settled, cron, calls } = createProject({ shards: 2 });
    faults.set("1/0", "overloaded");
    faults.set("1/1", "overloaded");
    const expected = reports(30);
    for (const report of expected) await log.append([report]);
    await settled();
    faults.delete("1/1");
    calls.splice(0);
    await cron();
    expect(calls.filter((call) => call.startsWith("1/0"))).toHaveLength(3);
    const spooled = expected.filter(({ id }) => selectShard(id, 2) === "0");
    expect(await spooledKeys()).toHaveLength(spooled.length);
    faults.clear();
    await cron();
    await expectExactly(expected, projectStore);
  });

  it("costs one list and nothing else if the spool is empty", async () => {
    const kvCalls: string[] = [];
    const noting = (name: "list" | "get" | "delete" | "put") => {
      return (...args: never[]) => {
        kvCalls.push(name);
        return (bindings.KV[name] as (...all: never[]) => unknown)(...args);
      };
    };
    const names = ["list", "get", "delete", "put"] as const;
    const kv = withKvMethods(
      bindings.KV,
      Object.fromEntries(names.map((name) => [name, noting(name)])),
    );
    const { cron, calls } = createProject({ kv });
    await cron();
    expect([kvCalls, calls]).toEqual([["list"], []]);
  });

  it("ends before the next cron run starts", async () => {
    const { faults, log, settled, cron, clock, spool } = createProject();
    faults.set("1/0", "overloaded");
    for (const report of reports(4)) await log.append([report]);
    await settled();
    faults.clear();
    const startMs = clock.nowMs + 300_000;
    // Each read of the clock is 40 seconds later.
    let looks = 0;
    Object.defineProperty(clock, "nowMs", {
      get: () => startMs + 40_000 * looks++,
      set: () => undefined,
    });
    await spool.drain();
    const left = (await spooledKeys()).length;
    expect([left > 0, left < 4]).toEqual([true, true]);
    await cron();
  });

  it("is done by the cron job, and /status shows the number of spooled reports", async () => {
    const { faults, log, settled, clock } = createProject();
    clock.nowMs = readNowMs() - 300_000;
    faults.set("1/0", "overloaded");
    await log.append(reports(2));
    await settled();
    await worker.scheduled(createScheduledController(), { ...bindings });
    const { projectStore } = createProject();
    await expectExactly(reports(2), projectStore);
    const today = new Date(readNowMs()).toISOString().slice(0, 10);
    const account = toIngestStats(await projectStore.listCounters(7), today, 7);
    expect(account).toMatchObject({ received: { total: 2 }, spooled: { today: 2, total: 2 } });
    expect((await visit("/status")).body).toContain("queued in KV");
  });
});

it("/status does not mention the spool if nothing was spooled", async () => {
  await plainLog.append(reports(1));
  expect((await visit("/status")).body).not.toContain("queued in KV");
});

describe("a spool entry", () => {
  const createEntry = (n: number, line: string): LogEntry => {
    const { position: _, ...mark } = summarizeReport(createReport(n), "");
    return { id: mark.id, line, summary: mark };
  };

  it("is below KV's 25 MiB for the largest reports, and every report is in one entry", () => {
    // The longest line: a report with attachments, of characters that take two or three bytes.
    const chars = limits.maxReportBytes + limits.maxAttachmentsBytes;
    for (const char of ['"', "€"]) {
      const entries = Array.from({ length: 30 }, (_, n) => createEntry(n, char.repeat(chars)));
      const values = splitIntoSpoolEntries("0", entries, SESSION);
      expect(values.flatMap((value) => value.entries)).toEqual(entries);
      expect(values.map(({ counters }) => counters.length)).toEqual(
        values.map((_, n) => +(n === 0)),
      );
      for (const value of values) {
        const { length } = new TextEncoder().encode(JSON.stringify(value));
        expect(length).toBeLessThan(25 * 1024 * 1024);
      }
    }
  });

  it("holds a whole append of reports of usual size", () => {
    const entries = Array.from({ length: limits.maxReportsPerAppend }, (_, n) =>
      createEntry(n, "x".repeat(4_000)),
    );
    expect(splitIntoSpoolEntries("0", entries, [])).toHaveLength(1);
  });

  it("of version 1 can be parsed", () => {
    const first = `{"v":1,"shard":"0","entries":[{"id":"${toReportId(1)}","line":"{}","summary":{"id":"${toReportId(1)}","digest":"7F3K-Q2M9","isLinked":false,"kind":"error","side":"server","atMs":1,"type":"E"}}],"counters":[[["counted","session"],1]]}`;
    const value: SpoolEntry | null = parseSpoolEntry(first);
    expect(value).toEqual(JSON.parse(first));
  });

  it("is not parsed from any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(parseSpoolEntry(text)).toBeNull();
      }),
    );
  });
});
