import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { pageTokens } from "#support/accounts/page-tokens.ts";
import { eventually } from "#support/eventually.ts";
import { testConfig, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const readStatus = async () =>
  JSON.parse((await visit("/status", { headers: { accept: "application/json" } })).body);

describe("Errata's own failures", () => {
  it("are counted separately from other errors, with a link to their issues", async () => {
    await log.append([createReport(1, { release: "1.4.0" })]);
    expect(await readStatus()).toMatchObject({ selfReportCount: 0 });
    expect((await visit("/status")).body).toMatch(/Errata’s own errors<\/dt><dd><a [^>]*>none</);

    await visit("/self-test/shell");
    expect(await readStatus()).toMatchObject({ selfReportCount: 1 });
    const { body } = await visit("/status");
    const [, href = ""] =
      /Errata’s own errors<\/dt><dd><a href="([^"]+)">1 issue</.exec(body) ?? [];
    const query = { headers: { accept: "application/json" } };
    const { issues } = JSON.parse((await visit(href.replaceAll("&amp;", "&"), query)).body);
    expect(issues).toHaveLength(1);
    expect(issues[0].digest).not.toBe("7F3K-Q2M9");
  });

  it("are in no list of the application's issues, and a digest still leads to them", async () => {
    const release = "7.7.7";
    await log.append([createReport(1, { release: "1.4.0" })]);
    const config = { ...testConfig, release };
    const { logged } = await visit("/self-test/shell", { services: { config } });
    const [{ digest = "" } = {}] = logged;
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ noise: "errata", release });
    const { issues } = await projectStore.listIssues(parseIssueQuery(""));
    expect(issues.map((issue) => issue.digest)).toEqual(["7F3K-Q2M9"]);
    const newest = await projectStore.listNewestIssues();
    expect(newest.issues.map((issue) => issue.digest)).toEqual(["7F3K-Q2M9"]);
    expect((await projectStore.listReleases()).map(({ name }) => name)).toEqual(["1.4.0"]);
    const releasePage = await visit(`/releases/${release}`);
    expect(releasePage.response.status).toBe(200);
    const lookup = await visit(`/lookup?q=${digest}`);
    expect(lookup.response.headers.get("location")).toBe(`/d/${digest}`);
  });

  it("of self-tests are removed with one click, and no other issue", async () => {
    await log.append([createReport(1, { message: "self-test: of the application" })]);
    await visit("/self-test/shell");
    expect((await visit("/self-test")).body).toContain("Remove these");
    const { response } = await visit("/self-test/remove", { method: "POST" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/self-test#recent"]);
    await eventually(async () => {
      expect((await projectStore.listIssues(parseIssueQuery("is:noise"))).total).toBe(0);
    });
    expect((await projectStore.listIssues(parseIssueQuery(""))).total).toBe(1);
    expect((await visit("/self-test")).body).not.toContain("Remove these");
  });

  it("in the browser are counted like those on the server, and removed with the self-tests", async () => {
    await log.append([createReport(1)]);
    const token = await pageTokens.sign({
      traceId: "e".repeat(32),
      origin: "http://localhost:8787",
    });
    const failures = { "/self-test/uncaught": "of a self-test", "/issues": "of a list" };
    for (const [path, message] of Object.entries(failures)) {
      const { response } = await visit(`/monitoring?t=${token}`, {
        method: "POST",
        headers: { origin: "http://localhost:8787" },
        body: JSON.stringify({
          ...{ errata: 1, how: "uncaught", type: "Error", message },
          url: `http://localhost:8787${path}`,
        }),
        services: { pageTokens },
      });
      expect(response.status).toBe(202);
    }
    const listMessages = async (query: string) =>
      (await projectStore.listIssues(parseIssueQuery(query))).issues.map(({ message }) => message);
    expect(await listMessages("")).toHaveLength(1);
    expect((await visit("/self-test")).body).toContain("of a self-test");
    await visit("/self-test/remove", { method: "POST" });
    await eventually(async () => {
      expect(await listMessages("is:noise")).toEqual(["of a list"]);
    });
    expect(await listMessages("")).toHaveLength(1);
  });

  it("do not include an unavailable index, which the page states once", async () => {
    const reject = () => Promise.reject(new Error("unavailable"));
    const unavailableStore = replaceMethods(projectStore, {
      listIssues: reject,
      getHealth: reject,
      listCounters: reject,
    });
    const { response, body, logged } = await visit("/status", {
      services: { projectStore: unavailableStore },
    });
    expect([response.status, logged]).toEqual([200, []]);
    expect(body.split("Statistics are temporarily unavailable.")).toHaveLength(2);
    expect(body).not.toContain("data-notice");
    const headers = { accept: "application/json" };
    expect(
      (await visit("/status", { headers, services: { projectStore: unavailableStore } })).response
        .status,
    ).toBe(503);
  });

  it("are omitted while the index is unavailable", async () => {
    const unavailableStore = replaceMethods(projectStore, {
      listIssues: () => Promise.reject(new Error("unavailable")),
    });
    const { body, logged } = await visit("/status", {
      services: { projectStore: unavailableStore },
    });
    expect(body).not.toContain("Errata’s own errors");
    expect(logged).toEqual([]);
  });
});
