import { afterEach, describe, expect, it } from "vitest";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const postScope = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit("/scope", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: String(new URLSearchParams(fields)),
  });
const readBody = async (path: string, cookie: string) =>
  (await visit(path, { headers: { cookie } })).body;

describe("the environment and the period of pages", () => {
  it("are stored in cookies, and the response redirects back", async () => {
    const fields = { environment: "über all", returnTo: "/issues?q=is%3Aopen" };
    const { response } = await postScope(fields);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/issues?q=is%3Aopen",
    ]);
    const cookies = response.headers.getSetCookie();
    expect(cookies[0]).toMatch(/^errata-environment-1=%C3%BCber%20all; Max-Age=31536000; Path=\/;/);
    // A period that nobody chose stays the page's own.
    expect(cookies).toHaveLength(1);
    const period = await postScope({ period: "30d" }, { cookie: "errata-environment-1=prod" });
    expect(period.response.headers.getSetCookie().map((one) => one.split(";")[0])).toEqual([
      "errata-environment-1=prod",
      "errata-period=30d",
    ]);
  });

  it("are all environments with *", async () => {
    const { response } = await postScope(
      { environment: "*" },
      { cookie: "errata-environment-1=prod; errata-period=7d" },
    );
    expect(response.headers.getSetCookie().map((one) => one.split(";")[0])).toEqual([
      "errata-environment-1=",
    ]);
  });

  it.each([
    ["/issues", true, true],
    ["/d/7F3K-Q2M9", false, true],
    ["/releases", false, true],
    ["/csp", false, true],
    ["/all-issues", false, true],
    ["/live", true, false],
    ["/", false, false],
    ["/alerts", false, false],
    ["/settings", false, false],
    ["/status", false, false],
  ])("are shown where the content follows them: %s", async (path, hasEnvironment, hasPeriod) => {
    await log.append([createReport(1)]);
    await projectStore.listNewestIssues();
    const cookie = "errata-environment-1=staging; errata-environment-2=other; errata-period=7d";
    const body = await readBody(path, cookie);
    expect(body.includes('popoverTarget="scope-environment"')).toBe(hasEnvironment);
    expect(body.includes('popoverTarget="scope-period"')).toBe(hasPeriod);
    expect(body.includes("<bdi>staging</bdi>")).toBe(hasEnvironment);
    expect(body.includes(">7 days</span>")).toBe(hasPeriod);
    expect(body).not.toContain("<bdi>other</bdi>");
  });

  it.each([
    ["/issues", true],
    ["/csp", true],
    ["/all-issues", true],
    ["/releases", false],
  ])("say whether the period is only that of the charts: %s", async (path, isOnlyCharted) => {
    const body = await readBody(path, "errata-period=7d");
    expect(body.includes("<small>Chart<")).toBe(isOnlyCharted);
  });

  it("have the period of the switch of the home page, whose chart follows it", async () => {
    const { response } = await visit("/?period=30d");
    expect(response.headers.getSetCookie().join()).toContain("errata-period=30d; Max-Age=31536000");
    expect(await readBody("/issues", "errata-period=30d")).toContain(">30 days</span>");
    const { response: next } = await visit("/?period=30d", {
      headers: { cookie: "errata-period=30d" },
    });
    expect(next.headers.getSetCookie().join()).not.toContain("errata-period");
    const { response: day } = await visit("/?period=24h", {
      headers: { cookie: "errata-period=30d" },
    });
    expect(day.headers.getSetCookie().join()).toContain("errata-period=24h; Max-Age=31536000");
  });

  it("have the whole life of an issue on its page until a period is chosen", async () => {
    const times = [NOW_MS - 5 * 86_400_000, NOW_MS - 1_000];
    await log.append(
      times.map((atMs, n) => createReport(n + 1, { occurredAtMs: atMs, receivedAtMs: atMs })),
    );
    await projectStore.listNewestIssues();
    for (const [cookie, label, caption] of [
      ["", "30 days", "last 14 days"],
      ["errata-period=24h", "24 hours", "last 24 hours"],
      ["errata-period=7d", "7 days", "last 7 days"],
    ] as const) {
      const body = await readBody("/d/7F3K-Q2M9", cookie);
      expect(body).toContain(`<span class="long">${label}</span>`);
      expect(body).toContain(caption);
    }
  });

  it("are chosen on a page with every environment, which works without scripts", async () => {
    await log.append(
      ["production", "staging", "qa"].map((environment, n) => createReport(n + 1, { environment })),
    );
    await projectStore.listNewestIssues();
    const body = await readBody("/scope", "errata-environment-1=qa");
    const names = [...body.slice(body.indexOf("<main")).matchAll(/<bdi>(.*?)<\/bdi>/g)];
    expect(names.map(([, name]) => name).sort()).toEqual(["production", "qa", "staging"]);
  });

  it.each([
    [{ period: "1y" }, {}, 400, "bad-form"],
    [{ environment: "x".repeat(201) }, {}, 400, "bad-form"],
    [{ period: "7d" }, { "sec-fetch-site": "cross-site" }, 403, "cross-site"],
  ] as const)("are not set by %j with %j", async (fields, headers, status, reason) => {
    const { response, body } = await postScope(fields, headers);
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each(["//other.example/", "https://other.example/", "issues", "/scope", "/scope?a=b"])(
    "lead to a page of the project: %s",
    async (returnTo) => {
      const { response } = await postScope({ period: "7d", returnTo });
      expect(response.headers.get("location")).toMatch(/^\/(issues)?$/);
    },
  );

  it("are JSON for programs", async () => {
    const { body } = await visit("/scope", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"environment":"prod","period":"14d"}',
    });
    expect(JSON.parse(body)).toEqual({ environment: "prod", period: "14d" });
  });
});
