import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { CounterName } from "#src/core/stats/counters.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import { applyLog } from "#src/store/index/apply/apply-log.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  finishJobs,
  getIndex,
  log,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const sessions = (release: string, aggregate: object) =>
  `{}\n{"type":"sessions"}\n${JSON.stringify({ aggregates: [aggregate], attrs: { release } })}\n`;
const json = async (path: string) =>
  JSON.parse((await visit(path, { headers: { accept: "application/json" } })).body);

describe("invented sessions of untrusted senders", () => {
  it("do not change the crash-free rate of a release with trusted sessions", async () => {
    await sendAs("server", sessions("shop@1.0", { exited: 98, crashed: 2 }));
    await sendAs("public", sessions("shop@1.0", { crashed: 9_000_000 }));
    const { releases } = await json("/releases");
    expect(releases).toMatchObject([
      {
        name: "shop@1.0",
        crashFreePercent: 98,
        sessions: { started: 100, errored: 0, crashed: 2 },
      },
    ]);
    expect(releases[0].sessions.isPublic).toBeUndefined();
    const status = await json("/status");
    expect(status).toMatchObject({
      sessions: [{ release: "shop@1.0", started: 100, crashFreePercent: 98 }],
      publicSessions: [{ release: "shop@1.0", started: limits.maxBrowserCountPerItem }],
    });
    const { body } = await visit("/status?streaming=off");
    const [own = "", open = ""] = body
      .slice(body.indexOf('id="sessions"'))
      .split("Sessions of browsers<");
    expect(own).toContain("98.00\u00a0%");
    expect(own).not.toContain("0.00\u00a0%<");
    expect(open).toContain("0.00\u00a0%");
  });

  it("give no crash-free rate to a release that a server named, and no bar", async () => {
    await sendAs("server", sessions("shop@1.0", { exited: 100 }));
    await log.append([createReport(1, { release: "shop@1.1" })]);
    await sendAs("public", sessions("shop@1.1", { exited: 1, crashed: 9 }));
    const { releases } = await json("/releases");
    const release = releases.find(({ name }: { name: string }) => name === "shop@1.1");
    expect(release).toMatchObject({ name: "shop@1.1", sessions: { started: 10, isPublic: true } });
    expect(release).not.toHaveProperty("crashFreePercent");
    const list = (await visit("/releases?streaming=off")).body;
    const [row = ""] = list
      .split('class="list-row release-row"')
      .filter((one) => one.includes("%401.1"));
    expect(row).toContain('class="public-mark"');
    expect(row).not.toMatch(/10 %|10.0|session-bar/);
    const { body } = await visit("/releases/shop%401.1?streaming=off");
    expect(body).toContain("Sent with a public key or none.");
    expect(body).not.toMatch(/Crash-free sessions|session-bar/);
  });

  it("do not lower the level of a release that only sessions of a server name", async () => {
    await sendAs("public", sessions("shop@1.0", { exited: 1 }));
    await sendAs("server", sessions("shop@1.0", { exited: 1 }));
    await log.append([createReport(1, { release: "shop@1.1", trust: "page" })]);
    expect((await json("/releases")).releases).toMatchObject([
      { name: "shop@1.0", trust: "server" },
      { name: "shop@1.1", trust: "page" },
    ]);
  });

  it("are used, and marked, if a release has nothing from trusted senders", async () => {
    await sendAs("public", sessions("shop@1.1", { exited: 9, crashed: 1 }));
    expect((await json("/releases")).releases).toMatchObject([
      { name: "shop@1.1", crashFreePercent: 90, sessions: { started: 10, isPublic: true } },
    ]);
    expect((await visit("/releases?streaming=off")).body).toContain('class="public-mark"');
    expect((await visit("/status?streaming=off")).body).toContain("<h3>Sessions of browsers</h3>");
    const page = await visit("/releases/shop%401.1?streaming=off");
    expect(page.body).toContain("Sent with a public key or none.");
  });
});

describe("a release that only sessions name", () => {
  const DIGEST = "7F3K-Q2M9";
  const LATER_MS = Date.UTC(2100, 0, 1);
  /** After the issue was resolved in the next release, it occurs in `shop@b`. */
  const decideAndOccur = async () => {
    await projectStore.decide(DIGEST, { state: "resolved", inNextRelease: true });
    await log.append([createReport(2, { release: "shop@b", occurredAtMs: LATER_MS })]);
    return (await projectStore.getFreshIssue(DIGEST))?.state;
  };

  it("is not the next one after a decision if a server's session named it before", async () => {
    await log.append([createReport(1, { release: "shop@a" })]);
    await sendAs("server", sessions("shop@b", { exited: 1 }));
    expect(await decideAndOccur()).toBe("resolved");
  });

  it("was first seen at the same time after a rebuild", async () => {
    await log.append([createReport(1, { release: "shop@a" })]);
    await sendAs("server", sessions("shop@b", { exited: 1 }));
    await projectStore.listNewestIssues();
    await uploadChunk();
    await getIndex().waitUntilIdle();
    await admin.rebuildIndex();
    await finishJobs();
    expect(await decideAndOccur()).toBe("resolved");
  });

  it("is the next one for servers if only public sessions named it", async () => {
    await log.append([createReport(1, { release: "shop@a" })]);
    await sendAs("public", sessions("shop@b", { exited: 1 }));
    expect(await decideAndOccur()).toBe("open");
  });

  it("has the time at which the log counted its sessions, in every order of rows", async () => {
    await projectStore.listNewestIssues();
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      const count = (seq: number, atMs: number, name: CounterName) => ({
        ...{ seq, dailyCounters: { day: toUtcDay(atMs), atMs, counters: [[name, 1]] as const } },
      });
      const ofServer = ["session", "server", "shop@b", "production", "started"];
      const rows = [
        count(1, 3_000, ["session", "public", "shop@c", "", "started"]),
        count(2, 2_000, ofServer),
        count(3, 1_000, ofServer),
        count(4, 1_000, ["session", "server", "other", "other", "started"]),
        count(5, 1_000, ["session", "server", "", "production", "started"]),
      ];
      applyLog(tables, rows, 5_000);
      expect(tables.releases.getFirstSeenMs("shop@b", "server")).toBe(1_000);
      expect(tables.releases.getFirstSeenMs("shop@c", "public")).toBe(3_000);
      expect(tables.releases.getFirstSeenMs("shop@c", "page")).toBeUndefined();
      expect(tables.releases.listNewest(10)).toEqual(["shop@b", "shop@c"]);
    });
  });
});
