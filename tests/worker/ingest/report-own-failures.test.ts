import { afterEach, describe, expect, it } from "vitest";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { log, projectStore } from "../../support/store.ts";

afterEach(() => fresh());

const readStatus = async () =>
  JSON.parse((await visit("/status", { headers: { accept: "application/json" } })).body);

describe("Errata's own failures", () => {
  it("are counted separately from other errors, with a link to their issues", async () => {
    await log.append([aReport(1, { release: "1.4.0" })]);
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

  it("do not include an unavailable index, which the page states once", async () => {
    const reject = () => Promise.reject(new Error("unavailable"));
    const unavailableStore = {
      ...projectStore,
      listIssues: reject,
      getHealth: reject,
      listCounters: reject,
    };
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
    const unavailableStore = {
      ...projectStore,
      listIssues: () => Promise.reject(new Error("unavailable")),
    };
    const { body, logged } = await visit("/status", {
      services: { projectStore: unavailableStore },
    });
    expect(body).not.toContain("Errata’s own errors");
    expect(logged).toEqual([]);
  });
});
