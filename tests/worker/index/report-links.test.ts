import { afterEach, describe, expect, it } from "vitest";
import { testConfig, visit } from "../../support/app.ts";
import { eventually } from "../../support/eventually.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { desk, keeping, log, workDone } from "../../support/store.ts";

afterEach(() => fresh());

const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const JSON_WANTED = { headers: { accept: "application/json" } };

/** A browser's Sentry event, with these members, after whatever the browser sends with it. */
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

/** A page that fails: the digest of its failure, and what the browser was told of its trace. */
async function failedPage(path = "/self-test/shell") {
  const { response, body } = await visit(path);
  const digest = /data-digest="([^"]+)"|Digest: <\/?[^>]*>?([0-9A-Z-]{9})/.exec(body)?.[1] ?? "";
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const trace = /sentry-trace;desc="([0-9a-f]{32})-[0-9a-f]{16}-0"/.exec(
    response.headers.get("server-timing") ?? "",
  )?.[1];
  return { digest, cookie, trace: trace ?? "" };
}

describe("a browser's error finds the failed render behind its page, without a digest", () => {
  it.each([
    { name: "by the trace that Server-Timing told it", from: "event" },
    { name: "by the correlation cookie", from: "cookie" },
  ])("$name", async ({ from }) => {
    const { digest, cookie, trace } = await failedPage();
    const before = (await desk.getFreshIssue(digest))?.linkedCount ?? -1;
    const request = { url: "http://localhost:8787/self-test/shell?again" };
    if (from === "event") await send({ contexts: { trace: { trace_id: trace } } });
    else await send({ request }, { cookie });
    expect(await desk.getFreshIssue(digest)).toMatchObject({ count: 1, linked: before + 1 });
    expect((await desk.listNewestIssues()).issues).toHaveLength(1);
  });

  it("but brings no issue back that was erased meanwhile", async () => {
    const { digest, trace } = await failedPage();
    await keeping.eraseIssue(digest);
    await workDone();
    await send({ contexts: { trace: { trace_id: trace } } });
    expect(await desk.getFreshIssue(digest)).toBeNull();
    expect((await desk.listNewestIssues()).issues).toHaveLength(1);
  });

  it("and its event id leads to that issue", async () => {
    const { digest, trace } = await failedPage();
    await send({ contexts: { trace: { trace_id: trace } } });
    expect((await desk.locateReport(ID))?.digest).toBe(digest);
  });

  it("but not from a page that did not fail, nor by a forged cookie", async () => {
    const { digest } = await failedPage();
    const { cookie } = await failedPage("/e/0000-0000");
    await send({}, { cookie });
    await send({ event_id: reportId(7) }, { cookie: "errata-trace=../../x" });
    expect(await desk.getFreshIssue(digest)).toMatchObject({ linked: 0 });
    expect((await desk.listNewestIssues()).issues).toHaveLength(2);
  });

  it("and not by the cookie from another page of the same origin: that is a fault of its own", async () => {
    const { digest, cookie } = await failedPage();
    await send({ request: { url: "http://localhost:8787/cart" } }, { cookie });
    expect(await desk.getFreshIssue(digest)).toMatchObject({ linked: 0 });
    expect((await desk.listNewestIssues()).issues).toHaveLength(2);
  });

  it("the cookie is for this origin's own requests alone, and no script's", async () => {
    const { response } = await visit("/", { origin: "https://errata.example" });
    const cookie = response.headers.get("set-cookie") ?? "";
    for (const word of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"]) {
      expect(cookie).toContain(word);
    }
  });
});

describe("a digest in an event", () => {
  const own = "7F3K-Q2M9";
  it.each([
    { name: "in a context", event: { contexts: { Error: { digest: own } } } },
    { name: "of a thrown object", event: { extra: { __serialized__: { digest: own } } } },
    { name: "in a tag", event: { tags: [["digest", own]] } },
    {
      name: "in the message",
      event: { exception: { values: [{ type: "Error", value: `Render failed. Digest: ${own}` }] } },
    },
  ])("$name links it", async ({ event }) => {
    await log.append([aReport(1)]);
    await send(event);
    expect(await desk.getFreshIssue(own)).toMatchObject({ count: 1, linked: 1 });
  });
});

describe("a foreign digest", () => {
  const aliases = ["2338823894"];

  it("that a server has claimed leads browsers to it, also when a browser named it first", async () => {
    const early = { side: "browser", digest: "0000-0000", aliases } as const;
    await log.append([aReport(1, early)]);
    await desk.listNewestIssues();
    await log.append([aReport(2, { aliases })]);
    await desk.listNewestIssues();
    await log.append([aReport(3, { side: "browser", digest: "1111-1111", aliases })]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1, linked: 1 });
    expect(await desk.getFreshIssue("1111-1111")).toBeNull();
  });

  it("leads the browser's own digest there too: that is what its sender was told", async () => {
    const own = "NN8A-S8H6";
    await log.append([aReport(1, { aliases })]);
    await log.append([aReport(2, { side: "browser", digest: own, aliases })]);
    const page = await visit(`/d/${own}?report=${reportId(2)}`);
    expect(page.response.headers.get("location")).toBe(`/d/7F3K-Q2M9?report=${reportId(2)}`);
    const { hits } = JSON.parse((await visit(`/lookup?q=${own}`, JSON_WANTED)).body);
    expect(hits).toMatchObject([{ digest: "7F3K-Q2M9" }]);
  });
});

describe("whoever leads a foreign digest somewhere", () => {
  const aliases = ["2338823894"];
  const browser = (n: number) =>
    aReport(n, { side: "browser", digest: "1111-1111", aliases, kind: "error" });

  it("without the project's key cannot take browsers away from the server that showed it", async () => {
    await log.append([aReport(1, { aliases, hasKey: true })]);
    await log.append([aReport(2, { digest: "6666-6666", aliases })]);
    await desk.listNewestIssues();
    await log.append([browser(3)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1, linked: 1 });
  });

  it("with it wins over one that came before without", async () => {
    await log.append([aReport(1, { digest: "6666-6666", aliases })]);
    await desk.listNewestIssues();
    await log.append([aReport(2, { aliases, hasKey: true })]);
    await desk.listNewestIssues();
    await log.append([browser(3)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ linked: 1 });
  });

  it("is known by the key that its request shows", async () => {
    const body = JSON.stringify({
      error: { name: "Error", message: "no price", digest: "2338823894" },
      request: { path: "/cart" },
      context: {},
    });
    const path = `/monitoring?sentry_key=${testConfig.ingestKey}`;
    for (const [at, keyed] of [
      [path, true],
      ["/monitoring", undefined],
    ] as const) {
      const { response } = await visit(at, { method: "POST", body });
      const id = /id="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
      const position = (await desk.locateReport(id))?.position ?? "";
      expect((await desk.readReport({ position }))?.hasKey).toBe(keyed);
    }
  });
});

describe("what a person wrote", () => {
  const report = (about: string) =>
    `{}\n{"type":"user_report"}\n{"event_id":"${about}","name":"Ann","comments":"blank page"}\n`;

  it("is on the issue of the event that it is about", async () => {
    await log.append([aReport(1)]);
    await visit("/monitoring", { method: "POST", body: report(reportId(1)) });
    const issue = await desk.getFreshIssue("7F3K-Q2M9");
    expect(issue).toMatchObject({ count: 1, linked: 1, type: "TypeError" });
    expect(issue?.latestReports.find(({ kind }) => kind === "feedback")?.message).toBe(
      "blank page",
    );
  });

  it("about an event in the same envelope as well", async () => {
    const event = `{"type":"event"}\n{"message":"m","platform":"node"}`;
    const body = `{"event_id":"${ID}"}\n${event}\n${report(ID).slice(3)}`;
    await visit("/monitoring", { method: "POST", body });
    const { issues } = await desk.listNewestIssues();
    expect(issues).toMatchObject([{ count: 1, linked: 1, message: "m" }]);
  });

  it("that comes a moment before its event waits for it", async () => {
    const written = visit("/monitoring", { method: "POST", body: report(reportId(5)) });
    await eventually(async () => {
      await log.append([aReport(5)]);
      expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ linked: 1 });
    });
    await written;
    expect((await desk.listNewestIssues()).total).toBe(1);
  });

  it("about noise is no noise", async () => {
    await log.append([aReport(1, { side: "browser", noise: "extension" })]);
    await visit("/monitoring", { method: "POST", body: report(reportId(1)) });
    expect((await desk.listNewestIssues()).issues).toMatchObject([{ kind: "feedback", count: 1 }]);
  });

  it("twice counts once", async () => {
    for (let n = 0; n < 2; n++) {
      await visit("/monitoring", { method: "POST", body: report(reportId(99)) });
    }
    expect((await desk.listNewestIssues()).issues).toMatchObject([{ kind: "feedback", count: 1 }]);
  });

  it("about nothing that is known is an issue of its own", async () => {
    await visit("/monitoring", { method: "POST", body: report(reportId(99)) });
    expect((await desk.listNewestIssues()).issues).toMatchObject([{ kind: "feedback", count: 1 }]);
  });
});

describe("the visitor's receipt", () => {
  it("is found by the code that a framework showed, and tells no more than by the digest", async () => {
    await log.append([aReport(1, { aliases: ["2338823894"] })]);
    const { response } = await visit("/e/2338823894@E394", { origin: "https://errata.example" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/e/7F3K-Q2M9"]);
    const unknown = await visit("/e/1234567890", { origin: "https://errata.example" });
    expect(unknown.response.status).toBe(200);
  });
});
