/** Envelopes with large attachments, minidumps, and the form of `showReportDialog`. */
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { openLimiters, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const KEY = testConfig.ingestKey;
const ID = "9f8e7d6c5b4a32100123456789abcdef";
const ORIGIN = "https://shop.example";

async function send(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const { response } = await visit(path, { method: "POST", body, headers });
  return response;
}

describe("an envelope with a large attachment", () => {
  const event = `{"event_id":"${ID}"}\n{"type":"event"}\n{"message":"the cart is closed"}\n`;
  const createBody = (length: number) =>
    `${event}{"type":"attachment","length":${length},"filename":"screen.png"}\n${"x".repeat(length)}`;

  it.each([
    { name: "with a key", path: `/api/1/envelope/?sentry_key=${KEY}`, bytes: limits.maxBodyBytes },
    { name: "without a key", path: "/monitoring", bytes: limits.maxKeylessBodyBytes },
  ])("is accepted $name", async ({ path, bytes }) => {
    const response = await send(path, createBody(bytes));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: ID });
    expect(response.headers.get("errata-outcome")).toMatch(
      /accepted;item="event".*accepted;item="attachment"/,
    );
    expect((await projectStore.listNewestIssues()).total).toBe(1);
  });

  it("is refused if the event is not complete", async () => {
    const body = `{}\n{"type":"event"}\n{"message":"${"x".repeat(limits.maxBodyBytes)}"}\n`;
    const response = await send(`/api/1/envelope/?sentry_key=${KEY}`, body);
    expect(response.status).toBe(413);
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });
});

describe("the upload of a minidump", () => {
  it("gets the id of its event as text, and is counted", async () => {
    const form = new FormData();
    form.set("sentry", JSON.stringify({ event_id: ID, release: "1.2" }));
    form.set("upload_file_minidump", new File(["MDMP"], "a.dmp"));
    const response = await send(`/api/1/minidump/?sentry_key=${KEY}`, form);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("9f8e7d6c-5b4a-3210-0123-456789abcdef");
    const { issues } = await projectStore.listNewestIssues();
    expect(issues[0]).toMatchObject({ type: "Crash", release: "1.2" });
  });

  it("needs a key", async () => {
    expect((await send("/api/1/minidump/", new FormData())).status).toBe(401);
  });
});

describe("the form of showReportDialog", () => {
  const dsn = `https://${KEY}@errata.example/1`;
  const path = `/api/embed/error-page/?eventId=${ID}&dsn=${encodeURIComponent(dsn)}`;

  it("is a script that pages of other origins may load", async () => {
    const { response } = await visit(`${path}&title=%3C%2Fscript%3E`, {
      headers: { origin: ORIGIN },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.has("cross-origin-resource-policy")).toBe(false);
    const script = await response.text();
    expect(script).toContain("showModal");
    expect(script).not.toContain("</script>");
  });

  it("becomes feedback on the issue of its event", async () => {
    await send(
      `/api/1/envelope/?sentry_key=${KEY}`,
      `{"event_id":"${ID}"}\n{"type":"event"}\n{"exception":[{"type":"E","value":"broken"}]}`,
    );
    const body = new URLSearchParams({ name: "Ann", email: "ann@shop.example", comments: "Blank" });
    const response = await send(path, body, { origin: ORIGIN });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("errata-outcome")).toContain('accepted;item="user_report"');
    const { issues, total } = await projectStore.listNewestIssues();
    expect(total).toBe(1);
    const issue = await projectStore.getFreshIssue(issues[0]?.digest ?? "");
    expect(issue?.latestReports.map(({ kind }) => kind)).toContain("feedback");
  });

  it.each([
    { name: "without a comment", path, body: "name=Ann", status: 400 },
    { name: "with white space only", path, body: "comments=+%0A", status: 400 },
    {
      name: "with an unknown key",
      path: "/api/embed/error-page/?dsn=https://0000000000000000@errata.example/1",
      body: "comments=x",
      status: 401,
    },
    { name: "without a DSN", path: "/api/embed/error-page/", body: "comments=x", status: 401 },
  ])("is refused $name", async ({ path: address, body, status }) => {
    expect((await send(address, body)).status).toBe(status);
  });

  it("has the rate limits of reports", async () => {
    const limiters = { ...openLimiters, address: () => Promise.resolve(false) };
    const { response } = await visit(path, {
      method: "POST",
      body: "comments=x",
      headers: { "cf-connecting-ip": "2001:db8:5:1::1" },
      services: { limiters },
    });
    expect(response.status).toBe(429);
  });

  it("refuses other methods, and names the allowed ones", async () => {
    const { response } = await visit(path, { method: "PUT", body: "x" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, OPTIONS");
  });
});
