/**
 * Tests the other items of @sentry/browser (sessions, feedback), and the link from its errors to a
 * failed render.
 */
import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/core/issue/issue.ts";
import type { IngestStats } from "../../../src/core/stats/outcome-totals.ts";
import { eventually } from "../../support/eventually.ts";
import { openChromium } from "../browser.ts";
import { bundle } from "../bundle.ts";
import { openErrata } from "../errata.ts";
import { openShop, waitForEventId } from "./shop.ts";

const errata = openErrata();
const chromium = openChromium();
const shop = openShop(errata, chromium);

const readIssue = (url: string) => errata.json(url.replace(/\?.*/, "")) as Promise<Issue>;

describe("@sentry/browser", () => {
  it("sends sessions that are counted by release, including sessions with errors", async () => {
    const { page, sent } = await shop.visit({ dsn: errata.dsn, release: "shop@9.1" });
    await eventually(() => expect(sent[0]).toMatchObject({ items: ["session"], status: 200 }));
    await page.click("#uncaught");
    await waitForEventId(sent);
    const release = await eventually(async () => {
      const { publicSessions } = (await errata.json("/status")) as IngestStats;
      const found = publicSessions.find((row) => row.release === "shop@9.1");
      expect(found?.errored).toBe(1);
      return found;
    });
    expect(release).toMatchObject({ environment: "staging", started: 1 });
  });

  it("sends feedback that joins the issue of its error, with its attachment", async () => {
    const { page, sent } = await shop.visit({ dsn: errata.dsn });
    await page.click("#written");
    const { title, url } = await errata.find(await waitForEventId(sent));
    expect(title).toBe("Error: the receipt is blank");
    const mark = await eventually(async () => {
      const { latestReports } = await readIssue(url);
      const written = latestReports.find(({ kind }) => kind === "feedback");
      expect(written?.message).toBe("I see nothing");
      return written;
    });
    const { report } = await errata.find(mark?.id ?? "");
    expect(report).toMatchObject({
      kind: "feedback",
      detail: { contact_email: "ann@example.com" },
      attachments: [{ name: "page.txt", text: "the page, as text" }],
    });
  });

  it("links its errors on a failed page to the failed render by the trace in Server-Timing", async () => {
    // Errata's own policy allows no foreign script; a team's policy would allow the SDK.
    const page = await chromium.open({ bypassCSP: true });
    const answered = await page.goto(`${errata.url}/self-test/shell`);
    const digest = answered?.headers()["errata-digest"] ?? "";
    const before = await eventually(() => readIssue(`/d/${digest}`));
    // From another origin the browser sends no cookie, so only the trace links them.
    const dsn = errata.dsn.replace("127.0.0.1", "localhost");
    const options = JSON.stringify({ dsn, tracesSampleRate: 0 });
    await page.addScriptTag({ content: `window.sentryOptions = ${options}` });
    await page.addScriptTag({ content: await bundle("browser-page.ts", "browser") });
    await page.click("#captured");
    await eventually(async () => {
      const issue = await readIssue(`/d/${digest}`);
      expect(issue.latestReports.map(({ message }) => message)).toContain(
        "paying by invoice failed",
      );
      expect(issue.count).toBe(before.count);
    });
  });
});
