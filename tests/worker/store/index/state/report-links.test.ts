import { afterEach, describe, expect, it, vi } from "vitest";
import { eventually } from "#support/eventually.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { testConfig, visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, finishJobs, log, projectStore } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const ACCEPT_JSON = { headers: { accept: "application/json" } };

/** Sends a browser's Sentry event with these members and request headers. */
const send = (event: Record<string, unknown>, headers: Record<string, string> = {}) =>
  visit("/monitoring", {
    method: "POST",
    headers,
    body: JSON.stringify({
      event_id: ID,
      platform: "javascript",
      exception: { values: [{ type: "TypeError", value: "cannot hydrate" }] },
      ...event,
    }),
  });

/** Requests a failing page: its digest, and the trace in the cookie and in Server-Timing. */
async function requestFailingPage(path = "/self-test/shell") {
  const { response, body } = await visit(path);
  const digest = /data-digest="([^"]+)"|Digest: <\/?[^>]*>?([0-9A-Z-]{9})/.exec(body)?.[1] ?? "";
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const trace = /sentry-trace;desc="([0-9a-f]{32})-[0-9a-f]{16}-0"/.exec(
    response.headers.get("server-timing") ?? "",
  )?.[1];
  return { digest, cookie, trace: trace ?? "" };
}

/** The issues of applications and those of Errata itself. */
async function countIssues(): Promise<number> {
  const { total, noiseTotal = 0 } = await projectStore.listNewestIssues();
  return total + noiseTotal;
}

describe("a browser error without a digest is linked to the failed render of its page", () => {
  it.each([
    { name: "by the trace id from Server-Timing", from: "event" },
    { name: "by the correlation cookie", from: "cookie" },
  ])("$name", async ({ from }) => {
    const { digest, cookie, trace } = await requestFailingPage();
    const before = (await projectStore.getFreshIssue(digest))?.linkedCount ?? -1;
    const request = { url: "http://localhost:8787/self-test/shell?again" };
    if (from === "event") await send({ contexts: { trace: { trace_id: trace } } });
    else await send({ request }, { cookie });
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({
      count: 1,
      linkedCount: before + 1,
    });
    expect(await countIssues()).toBe(1);
  });

  it("but an issue that was erased in the meantime is not created again", async () => {
    const { digest, trace } = await requestFailingPage();
    await admin.eraseIssue(digest);
    await finishJobs();
    await send({ contexts: { trace: { trace_id: trace } } });
    expect(await projectStore.getFreshIssue(digest)).toBeNull();
    expect(await countIssues()).toBe(1);
  });

  it("and its event id leads to that issue", async () => {
    const { digest, trace } = await requestFailingPage();
    await send({ contexts: { trace: { trace_id: trace } } });
    expect((await projectStore.locateReport(ID))?.digest).toBe(digest);
  });

  it("but not with the cookie of a page that did not fail, or a forged cookie", async () => {
    const { digest } = await requestFailingPage();
    const { cookie } = await requestFailingPage("/e/0000-0000");
    await send({}, { cookie });
    await send({ event_id: toReportId(7) }, { cookie: "errata-trace=../../x" });
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ linkedCount: 0 });
    expect(await countIssues()).toBe(2);
  });

  it("but not with the cookie of another page of the same origin", async () => {
    const { digest, cookie } = await requestFailingPage();
    await send({ request: { url: "http://localhost:8787/cart" } }, { cookie });
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ linkedCount: 0 });
    expect(await countIssues()).toBe(2);
  });

  it("and the cookie is hidden from scripts and from other origins", async () => {
    const { response } = await visit("/", { origin: "https://errata.example" });
    const cookie = response.headers.get("set-cookie") ?? "";
    for (const word of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"]) {
      expect(cookie).toContain(word);
    }
  });
});

describe("a digest in an event", () => {
  const digest = "7F3K-Q2M9";
  it.each([
    { name: "in a context", event: { contexts: { Error: { digest } } } },
    { name: "of a thrown object", event: { extra: { __serialized__: { digest } } } },
    { name: "in a tag", event: { tags: [["digest", digest]] } },
    {
      name: "in the message",
      event: {
        exception: { values: [{ type: "Error", value: `Render failed. Digest: ${digest}` }] },
      },
    },
  ])("$name links the event", async ({ event }) => {
    await log.append([createReport(1)]);
    await send(event);
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ count: 1, linkedCount: 1 });
  });
});

describe("an alias", () => {
  const aliases = ["2338823894"];

  it("of a server report links browser reports to it, even if a browser report had it first", async () => {
    const earlyReport = { side: "browser", digest: "0000-0000", aliases } as const;
    await log.append([createReport(1, earlyReport)]);
    await projectStore.listNewestIssues();
    await log.append([createReport(2, { aliases })]);
    await projectStore.listNewestIssues();
    await log.append([createReport(3, { side: "browser", digest: "1111-1111", aliases })]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linkedCount: 1,
    });
    expect(await projectStore.getFreshIssue("1111-1111")).toBeNull();
  });

  it("makes the browser report's own digest lead to the issue too", async () => {
    const digest = "NN8A-S8H6";
    await log.append([createReport(1, { aliases })]);
    await log.append([createReport(2, { side: "browser", digest, aliases })]);
    const page = await visit(`/d/${digest}?report=${toReportId(2)}`);
    expect(page.response.headers.get("location")).toBe(`/d/7F3K-Q2M9?report=${toReportId(2)}`);
    const { hits } = JSON.parse((await visit(`/lookup?q=${digest}`, ACCEPT_JSON)).body);
    expect(hits).toMatchObject([{ digest: "7F3K-Q2M9" }]);
  });
});

describe("the trust in the sender of an alias", () => {
  const aliases = ["2338823894"];
  const browserReport = (n: number) =>
    createReport(n, { side: "browser", digest: "1111-1111", aliases, kind: "error" });

  it("a public report that claims to be a server cannot take an alias from a server", async () => {
    await log.append([createReport(1, { aliases })]);
    await log.append([createReport(2, { digest: "6666-6666", aliases, trust: "public" })]);
    await projectStore.listNewestIssues();
    await log.append([browserReport(3)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linkedCount: 1,
    });
  });

  it("a server takes an alias from an earlier public report that claims to be a server", async () => {
    await log.append([createReport(1, { digest: "6666-6666", aliases, trust: "public" })]);
    await projectStore.listNewestIssues();
    await log.append([createReport(2, { aliases })]);
    await projectStore.listNewestIssues();
    await log.append([browserReport(3)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ linkedCount: 1 });
  });

  it("a report with the public key, or without one, is public", async () => {
    const body = JSON.stringify({
      error: { name: "Error", message: "no price", digest: "2338823894" },
      request: { path: "/cart" },
      context: {},
    });
    const path = `/monitoring?sentry_key=${testConfig.ingestKey}`;
    for (const url of [path, "/monitoring"]) {
      const { response } = await visit(url, { method: "POST", body });
      const id = /id="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
      const position = (await projectStore.locateReport(id))?.position ?? "";
      expect((await projectStore.readReport({ position }))?.trust).toBe("public");
    }
  });
});

describe("user feedback", () => {
  const feedback = (eventId: string) =>
    `{}\n{"type":"user_report"}\n{"event_id":"${eventId}","name":"Ann","comments":"blank page"}\n`;

  it("is added to the issue of its event", async () => {
    await log.append([createReport(1)]);
    await visit("/monitoring", { method: "POST", body: feedback(toReportId(1)) });
    const issue = await projectStore.getFreshIssue("7F3K-Q2M9");
    expect(issue).toMatchObject({ count: 1, linkedCount: 1, type: "TypeError" });
    expect(issue?.latestReports.find(({ kind }) => kind === "feedback")?.message).toBe(
      "blank page",
    );
  });

  it("is added to the issue of an event in the same envelope", async () => {
    const event = `{"type":"event"}\n{"message":"m","platform":"node"}`;
    const body = `{"event_id":"${ID}"}\n${event}\n${feedback(ID).slice(3)}`;
    await visit("/monitoring", { method: "POST", body });
    const { issues } = await projectStore.listNewestIssues();
    expect(issues).toMatchObject([{ count: 1, linkedCount: 1, message: "m" }]);
  });

  it("that arrives just before its event waits for the event", async () => {
    // Pauses have their full length: the event arrives meanwhile.
    vi.restoreAllMocks();
    const response = visit("/monitoring", { method: "POST", body: feedback(toReportId(5)) });
    await eventually(async () => {
      await log.append([createReport(5)]);
      expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ linkedCount: 1 });
    });
    await response;
    expect((await projectStore.listNewestIssues()).total).toBe(1);
  });

  it("about noise is not noise", async () => {
    await log.append([createReport(1, { side: "browser", noise: "extension" })]);
    await visit("/monitoring", { method: "POST", body: feedback(toReportId(1)) });
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { kind: "feedback", count: 1 },
    ]);
  });

  it("that is sent twice counts once", async () => {
    for (let n = 0; n < 2; n++) {
      await visit("/monitoring", { method: "POST", body: feedback(toReportId(99)) });
    }
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { kind: "feedback", count: 1 },
    ]);
  });

  it("about an unknown event is an issue of its own", async () => {
    await visit("/monitoring", { method: "POST", body: feedback(toReportId(99)) });
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { kind: "feedback", count: 1 },
    ]);
  });
});

describe("a receipt", () => {
  it("is found by the framework's code, which redirects to the digest", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    const { response } = await visit("/e/2338823894@E394", { origin: "https://errata.example" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/e/7F3K-Q2M9"]);
    const unknown = await visit("/e/1234567890", { origin: "https://errata.example" });
    expect(unknown.response.status).toBe(200);
  });
});
