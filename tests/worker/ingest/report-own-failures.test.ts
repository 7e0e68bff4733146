import { afterEach, describe, expect, it } from "vitest";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { desk, log } from "../../support/store.ts";

afterEach(() => fresh());

const told = async () =>
  JSON.parse((await visit("/status", { headers: { accept: "application/json" } })).body);

describe("Errata's own failures", () => {
  it("are counted apart from everybody else's, and lead to their issues", async () => {
    await log.append([aReport(1, { release: "1.4.0" })]);
    expect(await told()).toMatchObject({ selfReportCount: 0 });
    expect((await visit("/status")).body).toMatch(/Errata’s own errors<\/dt><dd><a [^>]*>none</);

    await visit("/self-test/shell");
    expect(await told()).toMatchObject({ selfReportCount: 1 });
    const { body } = await visit("/status");
    const [, href = ""] =
      /Errata’s own errors<\/dt><dd><a href="([^"]+)">1 issue</.exec(body) ?? [];
    const query = { headers: { accept: "application/json" } };
    const { issues } = JSON.parse((await visit(href.replaceAll("&amp;", "&"), query)).body);
    expect(issues).toHaveLength(1);
    expect(issues[0].digest).not.toBe("7F3K-Q2M9");
  });

  it("do not come of an index that is away: the page says so once", async () => {
    const rejects = () => Promise.reject(new Error("away"));
    const away = { ...desk, listIssues: rejects, getHealth: rejects, listCounters: rejects };
    const { response, body, logged } = await visit("/status", { services: { projectStore: away } });
    expect([response.status, logged]).toEqual([200, []]);
    expect(body.split("Statistics are temporarily unavailable.")).toHaveLength(2);
    expect(body).not.toContain("data-notice");
    const headers = { accept: "application/json" };
    expect(
      (await visit("/status", { headers, services: { projectStore: away } })).response.status,
    ).toBe(503);
  });

  it("are not guessed at while the index is away", async () => {
    const away = { ...desk, listIssues: () => Promise.reject(new Error("away")) };
    const { body, logged } = await visit("/status", { services: { projectStore: away } });
    expect(body).not.toContain("Errata’s own errors");
    expect(logged).toEqual([]);
  });
});
