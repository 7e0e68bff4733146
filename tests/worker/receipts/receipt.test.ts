import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import type { ProjectStore, ReportWriter } from "../../../src/core/ports/storage-ports.ts";
import { openLimiters, visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, desk, index, log, NOW_MS } from "../../support/store.ts";

const DIGEST = "7F3K-Q2M9";
const UNKNOWN = "0000-0000";
const FORM = "application/x-www-form-urlencoded";

afterEach(() => fresh());

const say = (
  comment: string,
  {
    digest = DIGEST,
    headers = {},
    services = {},
  }: { digest?: string; headers?: object; services?: object } = {},
) =>
  visit(`/e/${digest}`, {
    method: "POST",
    headers: { "content-type": FORM, ...headers },
    body: String(new URLSearchParams({ comment })),
    services,
  });
const wordsOn = async (digest: string) => {
  const { latestReports = [] } = (await desk.getFreshIssue(digest)) ?? {};
  const reports = await Promise.all(latestReports.map((mark) => desk.readReport(mark)));
  return reports.filter((report) => report?.kind === "feedback");
};

describe("what the person with a receipt writes", () => {
  it("lands on the issue, counts as no occurrence, and is thanked for", async () => {
    await log.append([aReport(1)]);
    const { response } = await say("I had two baskets\r\nopen.");
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `/e/${DIGEST}?sent=1`,
    ]);
    expect(await wordsOn(DIGEST)).toMatchObject([
      { kind: "feedback", isLinked: true, side: "browser", message: "I had two baskets\nopen." },
    ]);
    expect(await desk.getFreshIssue(DIGEST)).toMatchObject({ count: 1, linkedCount: 1 });
    const { body } = await visit(`/e/${DIGEST}?sent=1`);
    expect(body).toContain("Thank you.");
    expect(body).not.toContain("<textarea");
    expect(body).not.toContain("two baskets");
  });

  it("lands on the issue that the digest's was merged into, whose receipt this one is", async () => {
    const merged = "0000-008Q";
    await log.append([aReport(1), aReport(2, { digest: merged })]);
    await desk.annotate(DIGEST, { change: "merge", from: [merged] });
    await index().waitForSnapshots();
    const { KV } = bindings;
    await KV.delete(`issue/1/${merged}`);
    const { body } = await visit(`/e/${merged}?streaming=off`);
    expect(body).toContain("Recorded");
    await say("it broke twice", { digest: merged });
    expect(await wordsOn(DIGEST)).toMatchObject([{ message: "it broke twice" }]);
  });

  it("is scrubbed like every other report", async () => {
    await log.append([aReport(1)]);
    await say("my card is 4111 1111 1111 1111 and it failed");
    const [words] = await wordsOn(DIGEST);
    expect(words?.message).toMatch(/^my card is .* and it failed$/);
    expect(words?.message).not.toContain("4111");
    expect(words?.scrubbedCount).toBe(1);
  });

  it("counts once when the button is pressed twice", async () => {
    await log.append([aReport(1)]);
    await Promise.all([say("again"), say("again")]);
    expect(await wordsOn(DIGEST)).toHaveLength(1);
  });

  it("is answered the same whether the digest is known or not, and makes no issue", async () => {
    await log.append([aReport(1)]);
    const [known, unknown] = [await say("hello"), await say("hello", { digest: UNKNOWN })];
    expect(unknown.response.status).toBe(known.response.status);
    expect(unknown.response.headers.get("location")).toBe(`/e/${UNKNOWN}?sent=1`);
    const headersOf = ({ response }: typeof known) => [...response.headers.keys()].sort();
    expect(headersOf(unknown)).toEqual(headersOf(known));
    expect(unknown.body).toBe(known.body);
    expect(await desk.getFreshIssue(UNKNOWN)).toBeNull();
  });

  it("does not reach what only browsers have named: anybody can name a digest", async () => {
    await log.append([aReport(1, { isLinked: true, kind: "notice", side: "browser" })]);
    await say("hello");
    expect(await wordsOn(DIGEST)).toEqual([]);
  });

  const longest = "é".repeat(limits.maxReceiptCommentChars);
  it("may be as long as is said, and no longer", async () => {
    await log.append([aReport(1)]);
    expect((await say(longest)).response.status).toBe(303);
    const { response, body } = await say(`${longest}é`);
    expect(response.status).toBe(400);
    expect(body).toContain("at most 2,000 characters");
    expect(body).toContain(longest);
  });

  it.each(["", " \r\n\t "])("is refused when there is nothing in it: %j", async (comment) => {
    const { response, body } = await say(comment);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(body).toContain("Receipt");
  });

  it("is refused when an address sends too many, with the words still in the form", async () => {
    await log.append([aReport(1)]);
    const limiters = { ...openLimiters, receipt: async () => false };
    const { response, body } = await say("<b>patience</b>", {
      headers: { "cf-connecting-ip": "127.0.0.1" },
      services: { limiters },
    });
    expect(response.status).toBe(429);
    expect(body).toContain("&lt;b&gt;patience&lt;/b&gt;</textarea>");
    expect(body).toContain("try again in a minute");
    expect(await wordsOn(DIGEST)).toEqual([]);
  });

  it("is not called sent when the log does not take it", async () => {
    await log.append([aReport(1)]);
    const away: ReportWriter = { append: () => Promise.reject(new Error("away")) };
    const { response, body } = await say("keep this", { services: { reportWriter: away } });
    expect(response.status).toBe(503);
    expect(body).toContain("keep this</textarea>");
    const asked = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"comment":"keep this"}',
    };
    const told = await visit(`/e/${DIGEST}`, { ...asked, services: { reportWriter: away } });
    expect([told.response.status, JSON.parse(told.body).reason]).toEqual([503, "log-unavailable"]);
  });

  it.each([{ "sec-fetch-site": "cross-site" }, { origin: "https://other.example" }])(
    "is refused from another site: %j",
    async (headers) => {
      await log.append([aReport(1)]);
      const { response, body } = await say("hello", { headers });
      expect([response.status, JSON.parse(body).reason]).toEqual([403, "cross-site"]);
      expect(await wordsOn(DIGEST)).toEqual([]);
    },
  );

  it("is taken as JSON too", async () => {
    await log.append([aReport(1)]);
    const { response, body } = await visit(`/e/${DIGEST}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"comment":"hello"}',
    });
    expect([response.status, JSON.parse(body)]).toEqual([202, { sent: true }]);
    expect(await wordsOn(DIGEST)).toHaveLength(1);
  });
});

describe("a receipt", () => {
  it("is not delayed by a snapshot of a stranger's earlier report of the same error", async () => {
    const key = `issue/1/${DIGEST}`;
    const isKnown = async () => JSON.parse((await visit(`/e/${DIGEST}.json`)).body).isKnown;
    await log.append([aReport(1, { trust: "public" })]);
    await index().waitForSnapshots();
    const snapshot = (await bindings.KV.get(key)) ?? "";
    expect(await isKnown()).toBe(false);
    await log.append([aReport(2)]);
    await index().waitForSnapshots();
    // KV may return the earlier value for a minute.
    await bindings.KV.put(key, snapshot);
    expect(await isKnown()).toBe(true);
  });

  it("tells nothing of the error, of its people and of what was written", async () => {
    await log.append([
      aReport(1, { type: "SecretError", message: "the secret price", userSketch: "a71" }),
      aReport(2, { kind: "feedback", isLinked: true, side: "browser", message: "secret words" }),
    ]);
    const { body } = await visit(`/e/${DIGEST}`, { origin: "https://errata.example" });
    expect(body).toContain("We know about it.");
    expect(body.toLowerCase()).not.toContain("secret");
    expect(body).not.toContain(reportId(1));
  });

  it.each([
    [{ state: "resolved" }, [], "It is fixed."],
    [{ state: "resolved", inNextRelease: true }, [], "A fix is on its way."],
    [{ state: "resolved", release: "9.0.0" }, [{ name: "8.0.0" }], "A fix is on its way."],
    [{ state: "resolved", release: "9.0.0" }, [{ name: "9.0.0" }], "It is fixed."],
    [{ state: "ignored" }, [], "We know about it."],
  ] as const)("after %j, with the releases %j, says: %s", async (choice, releases, says) => {
    await log.append([aReport(1)]);
    const now = await desk.getFreshIssue(DIGEST);
    const decision = { v: 1, atMs: NOW_MS, ...choice } as const;
    const told: Partial<ProjectStore> = {
      getIssue: async () => (now ? { ...now, decision } : null),
      listReleases: async () =>
        releases.map((one) => ({
          ...one,
          firstSeenMs: NOW_MS + 1,
          isTrusted: true,
          issueCount: 1,
          newIssueCount: 0,
          regressedCount: 0,
          fixedCount: 0,
        })),
    };
    const { body } = await visit(`/e/${DIGEST}`, {
      services: { projectStore: { ...desk, ...told } },
    });
    expect(body).toContain(says);
  });

  it("calls a fix on its way while the index does not say which releases are out", async () => {
    await log.append([aReport(1)]);
    const now = await desk.getFreshIssue(DIGEST);
    const decision = { v: 1, atMs: NOW_MS, state: "resolved", inNextRelease: true } as const;
    const told: Partial<ProjectStore> = {
      getIssue: async () => (now ? { ...now, decision } : null),
      listReleases: () => Promise.reject(new Error("away")),
    };
    const { body, logged } = await visit(`/e/${DIGEST}`, {
      services: { projectStore: { ...desk, ...told } },
    });
    expect(body).toContain("A fix is on its way.");
    expect(logged).toEqual([]);
  });
});

it("as JSON the receipt says as much, and no more", async () => {
  await log.append([aReport(1)]);
  const known = await visit(`/e/${DIGEST}.json`);
  expect(JSON.parse(known.body)).toMatchObject({
    isKnown: true,
    weekCount: 1,
    fixProgress: "none",
  });
  expect(Object.keys(JSON.parse(known.body) as object)).toEqual([
    "isKnown",
    "firstSeenMs",
    "weekCount",
    "fixProgress",
  ]);
  const unknown = await visit(`/e/${UNKNOWN}`, { headers: { accept: "application/json" } });
  expect([unknown.response.status, JSON.parse(unknown.body)]).toEqual([200, { isKnown: false }]);
});
