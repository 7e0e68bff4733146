import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { estimateUserCount } from "#src/core/hyperloglog.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

/** A storm of one issue in two releases and two browsers. */
const storm = () =>
  log.append(
    Array.from({ length: 90 }, (_, n) =>
      createReport(n + 1, {
        side: "browser",
        release: n % 3 === 0 ? "1.3.9" : "1.4.0",
        environment: "production",
        request: { route: "/cart", userAgent: n % 2 === 0 ? CHROME : FIREFOX },
        userSketch: `${(n % 30).toString(16).padStart(2, "0")}1`,
      }),
    ),
  );

describe("an issue counts the values of its occurrences", () => {
  it("exactly, including sampled reports, and once when reports are resent after a restart", async () => {
    await storm();
    await abortAllDurableObjects();
    await storm();
    const issue = await projectStore.getFreshIssue(DIGEST);
    expect(issue?.releases?.values.map(([name, count]) => [name, count])).toEqual([
      ["1.4.0", 60],
      ["1.3.9", 30],
    ]);
    expect(issue?.browsers?.values.map(([name, count]) => [name, count])).toEqual([
      ["Firefox 153", 45],
      ["Chrome 156", 45],
    ]);
    expect(issue?.pages?.values[0]?.slice(0, 2)).toEqual(["/cart", 90]);
    expect(issue?.environments?.values[0]?.slice(0, 2)).toEqual(["production", 90]);
    expect(issue?.hours).toEqual([["2026112117", 90]]);
  });

  it("and estimates its number of users", async () => {
    await storm();
    const userCount = estimateUserCount(
      (await projectStore.getFreshIssue(DIGEST))?.serverUserSketch,
    );
    expect(userCount).toBeGreaterThanOrEqual(27);
    expect(userCount).toBeLessThanOrEqual(36);
    expect((await projectStore.listNewestIssues()).issues[0]?.userCount).toBe(userCount);
  });
});

describe("users", () => {
  const send = (n: number, user: object | undefined, address: string) =>
    visit("/monitoring", {
      method: "POST",
      headers: { "cf-connecting-ip": address, "user-agent": CHROME },
      body: JSON.stringify({ event_id: toReportId(n), message: "m", platform: "javascript", user }),
    });

  it("are identified by the application's user id, else by IP address and browser; neither is stored", async () => {
    await send(1, { id: "ann-at-home" }, "203.0.113.1");
    await send(2, { id: "ann-at-home" }, "203.0.113.2");
    await send(3, undefined, "203.0.113.3");
    const [issue] = (await projectStore.listNewestIssues()).issues;
    expect(issue?.userCount).toBe(2);
    const position = (await projectStore.locateReport(toReportId(3)))?.position ?? "";
    const stored = await projectStore.readReport({ position });
    expect(stored?.userSketch).toMatch(/^[0-9a-f]{2}[0-9a-z]$/);
    expect(JSON.stringify(stored)).not.toContain("203.0.113");
  });
});
