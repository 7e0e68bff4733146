import {
  abortAllDurableObjects,
  createScheduledController,
  runInDurableObject,
} from "cloudflare:test";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Bindings } from "../../../src/config.ts";
import { limits } from "../../../src/core/limits.ts";
import { summarizeReport } from "../../../src/core/report/report-summary.ts";
import type { Report } from "../../../src/core/report.ts";
import type { CounterDelta } from "../../../src/core/stats/counters.ts";
import { toIngestStats } from "../../../src/core/stats/outcome-totals.ts";
import { createProjectStore } from "../../../src/store/client/project-store.ts";
import { createReportWriter } from "../../../src/store/client/report-writer.ts";
import { createSpool } from "../../../src/store/client/spool.ts";
import {
  createSpoolKey,
  parseSpoolEntry,
  type SpoolEntry,
  splitIntoSpoolEntries,
} from "../../../src/store/client/spool-entry.ts";
import { selectShard } from "../../../src/store/kv/keys.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import type { LogEntry } from "../../../src/store/rpc/rpc.ts";
import worker from "../../../src/worker.ts";
import { visit } from "../../support/app.ts";
import { kvWith, refusingKv } from "../../support/faulty-kv.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, NOW_MS, log as plainLog, sealNow, shard } from "../../support/store.ts";

/** What the Worker's log was told, beside errors. */
let told: string[] = [];

beforeEach(() => {
  told = [];
  for (const level of ["info", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => {
      told.push(values.map((value) => JSON.stringify(value)).join(" "));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  return fresh();
});

/** What is wrong with a shard: it takes no calls; it gives no answers; it writes, and its answer is lost; it is read, and not written. */
type Trouble = "overloaded" | "silent" | "unheard" | "full";

const OVERLOADED = Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });

/** A project whose shards are in trouble by name, with a clock of its own. */
function project({ shards = 1, kv = bindings.KV, patienceMs = 10_000 } = {}) {
  const troubles = new Map<string, Trouble>();
  const calls: string[] = [];
  const behind: Promise<unknown>[] = [];
  const clock = { nowMs: NOW_MS };
  const REPORT_LOG = {
    getByName(name: string) {
      const real = bindings.REPORT_LOG.getByName(name);
      const call = (method: "append" | "locate" | "locateRecent") => {
        return async (...given: readonly unknown[]) => {
          calls.push(`${name} ${method}`);
          const trouble = troubles.get(name);
          if (trouble === "overloaded") throw OVERLOADED;
          if (trouble === "full" && method === "append")
            throw new Error("database or disk is full");
          if (trouble === "silent") return new Promise(() => undefined);
          // biome-ignore lint/suspicious/noExplicitAny: one of the object's methods, with what it was given.
          const answer = await (real as any)[method](...given);
          if (trouble === "unheard") throw new Error("Network connection lost.");
          return answer;
        };
      };
      return { append: call("append"), locate: call("locate"), locateRecent: call("locateRecent") };
    },
  } as unknown as Bindings["REPORT_LOG"];
  let minted = 0;
  const facts = {
    project: "1",
    shards,
    retentionDays: 30,
    nowMs: () => clock.nowMs,
    timeoutMs: patienceMs,
    drainDelayMs: 0,
    newId: () => reportId(++minted),
    waitUntil: (work: Promise<unknown>) => behind.push(work),
  };
  const bound = { ...bindings, REPORT_LOG, KV: kv };
  const spool = createSpool(bound, facts);
  return {
    troubles,
    calls,
    clock,
    spool,
    log: createReportWriter(bound, { ...facts, spool }),
    desk: createProjectStore(bindings, facts),
    /** Everything that went on behind the responses has ended. */
    settled: () => Promise.all(behind.splice(0)),
    /** The cron comes, when the responses have had their own turn. */
    async cron() {
      clock.nowMs += 300_000;
      await spool.drain();
    },
  };
}

const SESSION: readonly CounterDelta[] = [[["counted", "session"], 1]];
const DIGEST = "7F3K-Q2M9";

/** Ids as clients make them. */
const reports = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const words = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((odd) =>
      (Math.imul(n + 1, odd) >>> 0).toString(16).padStart(8, "0"),
    );
    return aReport(n, { id: words.join("") });
  });

async function spooledKeys(): Promise<string[]> {
  const { keys } = await bindings.KV.list({ prefix: "spool/" });
  return keys.map(({ name }) => name);
}

/** Every number, by its name in words. */
async function numbers(desk: ReturnType<typeof project>["desk"]): Promise<Record<string, number>> {
  const tallies = await desk.listCounters(7);
  return Object.fromEntries(tallies.map(({ name, count }) => [name.join(" ").trim(), count]));
}

/** The issue counts these reports and no other, and each is found with its body. */
async function expectExactly(
  its: readonly Report[],
  desk: ReturnType<typeof project>["desk"],
): Promise<void> {
  expect((await desk.getFreshIssue(DIGEST))?.count).toBe(its.length);
  for (const { id } of its) {
    const at = await desk.locateReport(id);
    expect(at?.digest, id).toBe(DIGEST);
    expect((await desk.readReport({ position: at?.position ?? "" }))?.id).toBe(id);
  }
}

describe.each(["overloaded", "silent", "unheard"] as const)("while a shard is %s", (trouble) => {
  // Long enough for a shard that is well, however busy the machine is.
  const patienceMs = trouble === "silent" ? 1_000 : 10_000;

  it("its reports are acknowledged when they are in KV, and say that they wait", async () => {
    const { troubles, log, settled } = project({ patienceMs });
    troubles.set("1/0", trouble);
    const answers = await log.append(reports(3), SESSION);
    expect(answers).toEqual(
      reports(3).map(({ id }) => ({ id, isDuplicate: false, isSpooled: true })),
    );
    const [key = "", ...others] = await spooledKeys();
    expect(others).toEqual([]);
    const { entries, counters } = parseSpoolEntry((await bindings.KV.get(key)) ?? "") ?? {};
    expect(entries?.map(({ id }) => id)).toEqual(reports(3).map(({ id }) => id));
    expect(counters).toEqual(SESSION);
    await settled();
    expect(await spooledKeys()).toEqual([key]);
    expect(told).toEqual([
      expect.stringContaining(`"reports spooled" {"key":"${key}","shard":"0","reports":3`),
      expect.stringContaining(`"spooled reports still waiting" {"key":"${key}","shard":"0"`),
    ]);
  });

  it("what was spilled is fed behind the response as soon as the shard is back", async () => {
    const { troubles, log, desk, settled } = project({ patienceMs });
    troubles.set("1/0", trouble);
    await log.append(reports(3), SESSION);
    troubles.clear();
    await settled();
    expect(await spooledKeys()).toEqual([]);
    await expectExactly(reports(3), desk);
    expect((await numbers(desk))["counted session"]).toBe(1);
  });

  it("the cron feeds what the response could not, and counts all of it once", async () => {
    const { troubles, log, desk, settled, cron } = project({ patienceMs });
    troubles.set("1/0", trouble);
    await log.append(reports(3), SESSION);
    await settled();
    await cron();
    expect(await spooledKeys()).toHaveLength(1);
    troubles.clear();
    await cron();
    await cron();
    expect(await spooledKeys()).toEqual([]);
    await expectExactly(reports(3), desk);
    const {
      "accepted error": accepted,
      "counted session": sessions,
      ...rest
    } = await numbers(desk);
    expect([accepted, sessions, rest["duplicate error"]]).toEqual([3, 1, undefined]);
  });

  it("nothing is acknowledged that KV refuses too", async () => {
    const { troubles, log } = project({ kv: refusingKv(bindings.KV, "put"), patienceMs });
    troubles.set("1/0", trouble);
    await expect(log.append(reports(1))).rejects.toThrow("neither the log nor KV");
  });

  it("a sender that sends it again has sent it once", async () => {
    const { troubles, log, desk, settled, cron } = project({ patienceMs });
    troubles.set("1/0", trouble);
    await log.append(reports(2), SESSION);
    await log.append(reports(2), SESSION);
    troubles.clear();
    await settled();
    await cron();
    expect((await log.append(reports(2))).map(({ isDuplicate }) => isDuplicate)).toEqual([
      true,
      true,
    ]);
    await expectExactly(reports(2), desk);
    // A body that the shard itself has written twice is two bodies to whatever has no id in it, spill or no spill.
    const times = trouble === "unheard" ? 2 : 1;
    expect((await numbers(desk))["counted session"]).toBe(times);
  });
});

describe("a sender", () => {
  const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message: "no price" });
  const post = (log: ReturnType<typeof project>["log"]) =>
    visit("/monitoring", { method: "POST", body, services: { reportWriter: log } });

  it("is told that its report is taken, by which codes, and that it waits", async () => {
    const { troubles, log, desk, settled } = project();
    troubles.set("1/0", "overloaded");
    const { response, body } = await post(log);
    expect(response.status).toBe(202);
    const { id, digest } = JSON.parse(body);
    expect(response.headers.get("errata-outcome")).toBe(
      `accepted;item="uncaught";id="${id}";digest="${digest}";spooled`,
    );
    troubles.clear();
    await settled();
    expect((await desk.locateReport(id))?.digest).toBe(digest);
  });

  it("is told when to come again where KV refuses too", async () => {
    const { troubles, log } = project({ kv: refusingKv(bindings.KV, "put") });
    troubles.set("1/0", "overloaded");
    const { response } = await post(log);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
  });
});

it("of two shards the one that is well takes its reports as ever", async () => {
  const { troubles, log, desk, settled, cron } = project({ shards: 2 });
  troubles.set("1/1", "overloaded");
  const answers = await log.append(reports(40));
  for (const { id, position, isSpooled } of answers) {
    expect([id, position === undefined, isSpooled === true]).toEqual(
      selectShard(id, 2) === "1" ? [id, true, true] : [id, false, false],
    );
  }
  const taken = reports(40).filter(({ id }) => selectShard(id, 2) === "0");
  expect(taken.length).toBeGreaterThan(5);
  expect((await desk.getFreshIssue(DIGEST))?.count).toBe(taken.length);
  await settled();
  troubles.clear();
  await cron();
  await expectExactly(reports(40), desk);
});

it("tallies alone are refused and not spilled: they are worth no write", async () => {
  const { troubles, log } = project();
  troubles.set("1/0", "overloaded");
  await expect(log.append([], SESSION)).rejects.toThrow("overloaded");
  expect(await spooledKeys()).toEqual([]);
});

describe("feeding", () => {
  it("again, when KV did not forget what was fed, counts nothing again", async () => {
    const { troubles, log, desk, settled, spool, clock } = project({
      kv: refusingKv(bindings.KV, "delete"),
    });
    troubles.set("1/0", "overloaded");
    await log.append(reports(3), SESSION);
    troubles.clear();
    await settled();
    expect(await spooledKeys()).toHaveLength(1);
    clock.nowMs += 300_000;
    await spool.drain();
    await expectExactly(reports(3), desk);
    expect(await numbers(desk)).toEqual({
      "accepted error": 3,
      "counted session": 1,
      "spooled error": 3,
    });
    await project().cron();
    expect(await spooledKeys()).toEqual([]);
    await expectExactly(reports(3), desk);
  });

  it("forgets nothing that the log did not take", async () => {
    const { troubles, log, desk, settled, cron } = project();
    troubles.set("1/0", "full");
    await log.append(reports(2));
    await settled();
    await cron();
    expect(await spooledKeys()).toHaveLength(1);
    troubles.clear();
    await cron();
    await expectExactly(reports(2), desk);
  });

  it("leaves the response its own turn", async () => {
    const { troubles, log, settled, spool, clock } = project();
    troubles.set("1/0", "overloaded");
    await log.append(reports(1));
    await settled();
    troubles.clear();
    clock.nowMs += 59_000;
    await spool.drain();
    expect(await spooledKeys()).toHaveLength(1);
    clock.nowMs += 1_000;
    await spool.drain();
    expect(await spooledKeys()).toEqual([]);
  });

  it("is fed at once for whoever is about to erase or export, and by two at a time counts once", async () => {
    const { troubles, log, desk, settled, spool } = project();
    troubles.set("1/0", "overloaded");
    await log.append(reports(3), SESSION);
    await settled();
    troubles.clear();
    await Promise.all([spool.drain({ includeRecent: true }), spool.drain({ includeRecent: true })]);
    expect(await spooledKeys()).toEqual([]);
    expect(await numbers(desk)).toMatchObject({ "counted session": 1, "spooled error": 3 });
    await expectExactly(reports(3), desk);
  });

  it.each(["overloaded", "unheard"] as const)(
    "after ERRATA_SHARDS has changed goes to the shard of the id now, and counts once what was %s",
    async (trouble) => {
      const one = project();
      one.troubles.set("1/0", trouble);
      await one.log.append(reports(20), SESSION);
      await one.settled();
      const four = project({ shards: 4 });
      await four.cron();
      expect(await spooledKeys()).toEqual([]);
      await expectExactly(reports(20), four.desk);
      expect((await numbers(four.desk))["counted session"]).toBe(1);
      const appended = four.calls.filter((call) => call.endsWith("append"));
      expect(new Set(appended).size).toBe(trouble === "overloaded" ? 4 : 0);
    },
  );

  it("of what waited for days asks for all that the shard ever had", async () => {
    const [report = aReport(0)] = reports(1);
    const { troubles, log, desk, settled, clock, spool } = project();
    troubles.set("1/0", "unheard");
    await log.append([report]);
    await settled();
    // The call was heard, and what it wrote was copied days ago.
    await shard().flush();
    await sealNow();
    await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
      storage.sql.exec("UPDATE chunk SET uploaded_ms = uploaded_ms - ?", 2 * 86_400_000);
    });
    await abortAllDurableObjects();
    expect(await shard().locateRecent(report.id)).toBeNull();
    troubles.clear();
    clock.nowMs += 2 * 86_400_000;
    await spool.drain();
    expect(await spooledKeys()).toEqual([]);
    expect((await desk.getFreshIssue(DIGEST))?.count).toBe(1);
  });

  it("leaves and names what it cannot read, and feeds the others", async () => {
    const broken = [
      "",
      "{",
      "null",
      "7",
      '{"v":2}',
      '{"v":1,"shard":"0","entries":[],"counters":[]}',
    ];
    for (const [n, value] of broken.entries()) {
      await bindings.KV.put(createSpoolKey("1", NOW_MS - 1_000, reportId(900 + n)), value);
    }
    await bindings.KV.put("spool/1/no-moment", "{");
    await bindings.KV.put("spool/2/0000000000000.another-project", "{");
    const { troubles, log, desk, settled, cron } = project();
    troubles.set("1/0", "overloaded");
    await log.append(reports(2));
    await settled();
    troubles.clear();
    await cron();
    expect(await spooledKeys()).toHaveLength(broken.length + 2);
    const unreadable = told.filter((line) => line.includes("cannot be parsed"));
    expect(new Set(unreadable).size).toBe(broken.length + 1);
    await expectExactly(reports(2), desk);
  });

  it("asks a shard that is away three times a run, and goes on with the others", async () => {
    const { troubles, log, desk, settled, cron, calls } = project({ shards: 2 });
    troubles.set("1/0", "overloaded");
    troubles.set("1/1", "overloaded");
    const its = reports(30);
    for (const report of its) await log.append([report]);
    await settled();
    troubles.delete("1/1");
    calls.splice(0);
    await cron();
    expect(calls.filter((call) => call.startsWith("1/0"))).toHaveLength(3);
    const away = its.filter(({ id }) => selectShard(id, 2) === "0");
    expect(await spooledKeys()).toHaveLength(away.length);
    troubles.clear();
    await cron();
    await expectExactly(its, desk);
  });

  it("costs one list and nothing else when nothing waits", async () => {
    const asked: string[] = [];
    const noting = (name: "list" | "get" | "delete" | "put") => {
      return (...given: never[]) => {
        asked.push(name);
        return (bindings.KV[name] as (...all: never[]) => unknown)(...given);
      };
    };
    const names = ["list", "get", "delete", "put"] as const;
    const kv = kvWith(bindings.KV, Object.fromEntries(names.map((name) => [name, noting(name)])));
    const { cron, calls } = project({ kv });
    await cron();
    expect([asked, calls]).toEqual([["list"], []]);
  });

  it("ends in time for the next run", async () => {
    const { troubles, log, settled, cron, clock, spool } = project();
    troubles.set("1/0", "overloaded");
    for (const report of reports(4)) await log.append([report]);
    await settled();
    troubles.clear();
    const startMs = clock.nowMs + 300_000;
    // Each look at the clock is 40 seconds later.
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

  it("is what the Worker does on its cron, and /status says how many came that way", async () => {
    const { troubles, log, settled, clock } = project();
    clock.nowMs = Date.now() - 300_000;
    troubles.set("1/0", "overloaded");
    await log.append(reports(2));
    await settled();
    await worker.scheduled(createScheduledController(), bindings);
    const { desk } = project();
    await expectExactly(reports(2), desk);
    const today = new Date().toISOString().slice(0, 10);
    const account = toIngestStats(await desk.listCounters(7), today, 7);
    expect(account).toMatchObject({ received: { total: 2 }, spooled: { today: 2, total: 2 } });
    expect((await visit("/status")).body).toContain("waited in KV");
  });
});

it("nothing is said of a spill where there was none", async () => {
  await plainLog.append(reports(1));
  expect((await visit("/status")).body).not.toContain("waited in KV");
});

describe("a spilled value", () => {
  const entryOf = (n: number, line: string): LogEntry => {
    const { position: _, ...mark } = summarizeReport(aReport(n), "");
    return { id: mark.id, line, summary: mark };
  };

  it("is below KV's 25 MiB however large the reports are, and all of them are in one", () => {
    // The longest line there is: a report and its files, of characters that JSON writes as two or UTF-8 as three bytes.
    const chars = limits.maxReportBytes + limits.maxAttachmentsBytes;
    for (const char of ['"', "€"]) {
      const entries = Array.from({ length: 30 }, (_, n) => entryOf(n, char.repeat(chars)));
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

  it("is one, where the reports are of a usual size", () => {
    const entries = Array.from({ length: limits.maxReportsPerAppend }, (_, n) =>
      entryOf(n, "x".repeat(4_000)),
    );
    expect(splitIntoSpoolEntries("0", entries, [])).toHaveLength(1);
  });

  it("of the first version is read for ever", () => {
    const first = `{"v":1,"shard":"0","entries":[{"id":"${reportId(1)}","line":"{}","summary":{"id":"${reportId(1)}","digest":"7F3K-Q2M9","isLinked":false,"kind":"error","side":"server","atMs":1,"type":"E"}}],"counters":[[["counted","session"],1]]}`;
    const value: SpoolEntry | null = parseSpoolEntry(first);
    expect(value).toEqual(JSON.parse(first));
  });

  it("is none when it is anything else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(parseSpoolEntry(text)).toBeNull();
      }),
    );
  });
});
