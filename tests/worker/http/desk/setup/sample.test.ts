import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { countSessions } from "#src/core/stats/session-counts.ts";
import type { ProjectAdmin } from "#src/store/client/project-admin.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, finishJobs, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

// The clock of the index dates decisions; the error must recur later.
const services = { nowMs: readNowMs };
const send = (path: string, headers: Record<string, string> = {}) =>
  visit(path, { method: "POST", headers, services });
const listIssues = (query: string) => projectStore.listIssues(parseIssueQuery(query));
const sampleTotal = async () =>
  (await listIssues('env:"sample"')).total + (await listIssues('env:"sample" is:noise')).total;
const waitUntilRemoved = () => eventually(async () => expect(await sampleTotal()).toBe(0));

describe("sample data", () => {
  it("is loaded with one click: at least 12 issues and 200 reports, processed like all reports", async () => {
    const { response } = await send("/sample");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/issues"]);
    const { issues, total } = await listIssues('env:"sample"');
    expect(total).toBeGreaterThanOrEqual(12);
    const reports = issues.reduce((sum, { count, linkedCount }) => sum + count + linkedCount, 0);
    expect(reports).toBeGreaterThanOrEqual(200);
    const { body } = await visit("/issues");
    expect(body).toContain("priceInPence");
  });

  it("has an issue in every state, and a regressed one", async () => {
    await send("/sample");
    const totals = await Promise.all(
      ["resolved", "snoozed", "archived", "regressed", "noise"].map(
        async (state) => (await listIssues(`env:"sample" is:${state}`)).total,
      ),
    );
    expect(totals).toEqual([1, 1, 1, 1, 1]);
  });

  it("has feedback and browser errors on an issue of the server", async () => {
    await send("/sample");
    const [digest] = await projectStore.findIssuesByAlias("4183920571");
    const issue = await projectStore.getFreshIssue(digest ?? "");
    const kinds = new Set(issue?.latestReports.map(({ kind, side }) => `${kind} ${side}`));
    for (const kind of ["error server", "error browser", "notice browser", "feedback browser"]) {
      expect(kinds).toContain(kind);
    }
    expect(issue?.count).toBe(38);
    expect(issue?.firstRelease).toBe("shop@2.2.0");
    const latest = issue?.latestReports.find(({ isLinked }) => !isLinked);
    expect(latest?.atMs).toBe(issue?.lastSeenMs);
  });

  const countSampleSessions = async () => {
    const sessions = countSessions(await projectStore.listCounters(7));
    return sessions
      .filter(({ environment }) => environment === "sample")
      .map(({ release, counts }) => [release, counts.started, counts.crashed]);
  };

  it("has sessions, so that each release shows how many were free of crashes", async () => {
    await send("/sample");
    expect(await countSampleSessions()).toEqual([
      ["shop@2.2.0", 4_252, 9],
      ["shop@2.3.0", 6_560, 17],
      ["shop@2.4.0", 3_059, 38],
    ]);
    const { body } = await visit("/releases?streaming=off", { services });
    for (const percent of ["99.78", "99.74", "98.75"]) expect(body).toContain(percent);
  });

  it.each([
    ["in the log", false],
    ["in KV", true],
  ])(
    "is removed with its sessions and no others, %s, also after a rebuild",
    async (_, isUploaded) => {
      const sendSessions = (environment: string) =>
        visit("/api/1/envelope/", {
          method: "POST",
          headers: { "x-sentry-auth": `Sentry sentry_key=${TEST_SERVER_KEY}` },
          body: `{}\n{"type":"session"}\n${JSON.stringify({
            ...{ sid: "7c7b6585-f901-4351-bf8d-02711b721929", init: true, status: "ok" },
            attrs: { release: "shop@2.4.0", environment },
          })}\n`,
          services,
        });
      expect((await sendSessions("production")).response.status).toBe(200);
      await send("/sample");
      if (isUploaded) await uploadChunk();
      await send("/sample/remove");
      await waitUntilRemoved();
      await finishJobs();
      const listRemaining = async () =>
        countSessions(await projectStore.listCounters(7)).map(
          ({ release, environment, counts }) => [...[release, environment, counts.started]],
        );
      expect(await listRemaining()).toEqual([["shop@2.4.0", "production", 1]]);
      await uploadChunk();
      await admin.rebuildIndex();
      await finishJobs();
      expect(await listRemaining()).toEqual([["shop@2.4.0", "production", 1]]);
    },
  );

  it("is not loaded twice", async () => {
    await send("/sample");
    const before = await listIssues('env:"sample"');
    expect((await send("/sample")).response.status).toBe(303);
    const after = await listIssues('env:"sample"');
    const counts = ({ issues }: typeof before) =>
      issues.map(({ digest, count }) => [digest, count]);
    expect(counts(after)).toEqual(counts(before));
  });

  it("is removed with one click, without other data, and can be loaded again", async () => {
    await log.append([createReport(1)]);
    await send("/sample");
    const { response } = await send("/sample/remove");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/connect#sample"]);
    await waitUntilRemoved();
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1 });
    await send("/sample");
    expect(await sampleTotal()).toBeGreaterThanOrEqual(13);
    expect(
      (
        await projectStore.getFreshIssue(
          (await projectStore.findIssuesByAlias("4183920571"))[0] ?? "",
        )
      )?.count,
    ).toBe(38);
  });

  it("does not remove issues with other reports, because any sender may name this environment", async () => {
    const reportOfMixedIssue = createReport(1, { environment: "sample" });
    const reportOfSampleIssue = createReport(3, { environment: "sample", digest: "0000-0001" });
    await log.append([
      reportOfMixedIssue,
      createReport(2, { environment: "production" }),
      reportOfSampleIssue,
    ]);
    const erased: string[] = [];
    const recordingAdmin: ProjectAdmin = {
      ...admin,
      eraseSessions: async () => undefined,
      async eraseIssue(digest) {
        erased.push(digest);
        return true;
      },
    };
    await visit("/sample/remove", { method: "POST", services: { projectAdmin: recordingAdmin } });
    expect(erased).toEqual([reportOfSampleIssue.digest]);
  });

  it("is mentioned on the page while it is loaded", async () => {
    const completePage = "/connect?streaming=off";
    expect((await visit(completePage)).body).toContain("Load sample data");
    await send("/sample");
    const { body } = await visit(completePage);
    expect(body).toContain("Sample data loaded:");
    expect(body).not.toContain("Load sample data");
  });

  it("is shown as being removed during the erasure", async () => {
    await send("/sample");
    const health = await projectStore.getHealth();
    const work = { job: "erase-issue", jobs: 9, phase: "chunks", done: 0, total: 1 };
    const storeDuringErasure: ProjectStore = replaceMethods(projectStore, {
      getHealth: async () => ({ ...health, work }),
    });
    const { body } = await visit("/connect?streaming=off", {
      services: { projectStore: storeDuringErasure },
    });
    expect(body).toContain("Removing sample data:");
    expect(body).not.toContain(">Remove sample data</button>");
  });

  it("is shown as being removed, then as removed, on a streaming page", async () => {
    await send("/sample");
    await send("/sample/remove");
    const health = await projectStore.getHealth();
    let readCount = 0;
    const storeBeforeEnd: ProjectStore = replaceMethods(projectStore, {
      async getHealth() {
        readCount++;
        await waitUntilRemoved();
        return {
          ...health,
          work: { job: "erase-issue", jobs: 1, phase: "chunks", done: 0, total: 1 },
        };
      },
      listIssues: async (query) => ({
        ...(await projectStore.listIssues(query)),
        ...(readCount === 0 && { total: 9 }),
      }),
    });
    const { body } = await visit("/connect", { services: { projectStore: storeBeforeEnd } });
    expect(readCount).toBe(1);
    expect(body).toContain("Removing sample data:");
    expect(body).toContain("Sample data removed.");
  });

  it.each([
    ["reloads itself without scripts while sample data is being removed", {}, true],
    ["that the client script inserts does not reload itself", { "errata-navigation": "1" }, false],
  ])("a page %s", async (_, headers, isRefreshed) => {
    await send("/sample");
    const health = await projectStore.getHealth();
    const work = { job: "erase-issue", jobs: 9, phase: "chunks", done: 0, total: 1 };
    const services = {
      projectStore: replaceMethods(projectStore, { getHealth: async () => ({ ...health, work }) }),
    };
    const refreshTag = (path: string) =>
      `<meta http-equiv="refresh" content="2;url=${path}#sample"/>`;
    const { body } = await visit("/connect?streaming=off", { headers, services });
    expect(body.includes(refreshTag("/connect?refresh"))).toBe(isRefreshed);
    const again = await visit("/connect?refresh&streaming=off", { headers, services });
    expect(again.body.includes(refreshTag("/connect"))).toBe(isRefreshed);
    expect((await visit("/connect?streaming=off")).body).not.toContain("2;url");
  });

  it("gets a JSON response if the client accepts JSON", async () => {
    const accept = { accept: "application/json" };
    expect(JSON.parse((await send("/sample", accept)).body).sample).toBeGreaterThanOrEqual(13);
    expect((await send("/sample/remove", accept)).response.status).toBe(200);
    await waitUntilRemoved();
  });

  it.each(["/sample", "/sample/remove"])("%s is refused from another site", async (path) => {
    const { response, body } = await send(path, { "sec-fetch-site": "cross-site" });
    expect([response.status, JSON.parse(body).reason]).toEqual([403, "cross-site"]);
    expect(await sampleTotal()).toBe(0);
  });

  it.each(["/sample", "/sample/remove"])(
    "%s is 503 while the index is unavailable",
    async (path) => {
      const unavailable: ProjectStore = replaceMethods(projectStore, {
        listIssues: () => Promise.reject(new Error("unavailable")),
      });
      const { response, body } = await visit(path, {
        method: "POST",
        services: { projectStore: unavailable },
      });
      expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
    },
  );

  it.each(["/sample", "/sample/remove"])("%s is closed to the internet", async (path) => {
    const origin = "https://errata.example";
    expect((await visit(path, { method: "POST", origin })).response.status).toBe(503);
    expect(await sampleTotal()).toBe(0);
  });
});
