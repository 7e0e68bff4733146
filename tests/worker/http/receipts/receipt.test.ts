import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ReportWriter } from "#src/core/ports/storage-ports.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { openLimiters, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getIndex, log, NOW_MS, projectStore } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const UNKNOWN = "0000-0000";
const ORIGIN = "https://errata.example";
const FORM = "application/x-www-form-urlencoded";

afterEach(() => emptyStore());

const postComment = (
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
const listFeedback = async (digest: string) => {
  const { latestReports = [] } = (await projectStore.getFreshIssue(digest)) ?? {};
  const reports = await Promise.all(latestReports.map((mark) => projectStore.readReport(mark)));
  return reports.filter((report) => report?.kind === "feedback");
};

describe("a comment on a receipt", () => {
  it("is added to the issue, is not an occurrence, and gets a thank-you page", async () => {
    await log.append([createReport(1)]);
    const { response } = await postComment("I had two baskets\r\nopen.");
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `/e/${DIGEST}?sent=1`,
    ]);
    expect(await listFeedback(DIGEST)).toMatchObject([
      { kind: "feedback", isLinked: true, side: "browser", message: "I had two baskets\nopen." },
    ]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 1, linkedCount: 1 });
    const { body } = await visit(`/e/${DIGEST}?sent=1`);
    expect(body).toContain("Thank you.");
    expect(body).not.toContain("<textarea");
    expect(body).not.toContain("two baskets");
  });

  it("is added to the issue into which the issue of the receipt was merged", async () => {
    const merged = "0000-008Q";
    await log.append([createReport(1), createReport(2, { digest: merged })]);
    await projectStore.annotate(DIGEST, { change: "merge", from: [merged] });
    await getIndex().waitUntilIdle();
    const { KV } = bindings;
    await KV.delete(`issue/1/${merged}`);
    const { body } = await visit(`/e/${merged}?streaming=off`);
    expect(body).toContain("Recorded");
    await postComment("it broke twice", { digest: merged });
    expect(await listFeedback(DIGEST)).toMatchObject([{ message: "it broke twice" }]);
  });

  it("is scrubbed like every other report", async () => {
    await log.append([createReport(1)]);
    await postComment("my card is 4111 1111 1111 1111 and it failed");
    const [feedback] = await listFeedback(DIGEST);
    expect(feedback?.message).toMatch(/^my card is .* and it failed$/);
    expect(feedback?.message).not.toContain("4111");
    expect(feedback?.scrubbedCount).toBe(1);
  });

  it("counts once if the form is submitted twice", async () => {
    await log.append([createReport(1)]);
    await Promise.all([postComment("again"), postComment("again")]);
    expect(await listFeedback(DIGEST)).toHaveLength(1);
  });

  it("gets the same response for a known and an unknown digest, and creates no issue", async () => {
    await log.append([createReport(1)]);
    const [known, unknown] = [
      await postComment("hello"),
      await postComment("hello", { digest: UNKNOWN }),
    ];
    expect(unknown.response.status).toBe(known.response.status);
    expect(unknown.response.headers.get("location")).toBe(`/e/${UNKNOWN}?sent=1`);
    const listHeaderNames = ({ response }: typeof known) => [...response.headers.keys()].sort();
    expect(listHeaderNames(unknown)).toEqual(listHeaderNames(known));
    expect(unknown.body).toBe(known.body);
    expect(await projectStore.getFreshIssue(UNKNOWN)).toBeNull();
  });

  it("is not added to a digest that only browsers have reported, because any client can report one", async () => {
    await log.append([createReport(1, { isLinked: true, kind: "notice", side: "browser" })]);
    await postComment("hello");
    expect(await listFeedback(DIGEST)).toEqual([]);
  });

  const longestComment = "é".repeat(limits.maxReceiptCommentChars);
  it("may have the stated number of characters, and not one more", async () => {
    await log.append([createReport(1)]);
    expect((await postComment(longestComment)).response.status).toBe(303);
    const { response, body } = await postComment(`${longestComment}é`);
    expect(response.status).toBe(400);
    expect(body).toContain("at most 2,000 characters");
    expect(body).toContain(longestComment);
  });

  it.each(["", " \r\n\t "])("is refused if it is blank: %j", async (comment) => {
    const { response, body } = await postComment(comment);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(body).toContain("Receipt");
  });

  it("is refused if an address sends too many, and the form still contains its text", async () => {
    await log.append([createReport(1)]);
    const limiters = { ...openLimiters, receipt: async () => false };
    const { response, body } = await postComment("<b>patience</b>", {
      headers: { "cf-connecting-ip": "127.0.0.1" },
      services: { limiters },
    });
    expect(response.status).toBe(429);
    expect(body).toContain("&lt;b&gt;patience&lt;/b&gt;</textarea>");
    expect(body).toContain("try again in a minute");
    expect(await listFeedback(DIGEST)).toEqual([]);
  });

  it("gets no confirmation if the log is unavailable", async () => {
    await log.append([createReport(1)]);
    const unavailable: ReportWriter = { append: () => Promise.reject(new Error("unavailable")) };
    const { response, body } = await postComment("keep this", {
      services: { reportWriter: unavailable },
    });
    expect(response.status).toBe(503);
    expect(body).toContain("keep this</textarea>");
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"comment":"keep this"}',
    };
    const json = await visit(`/e/${DIGEST}`, {
      ...request,
      services: { reportWriter: unavailable },
    });
    expect([json.response.status, JSON.parse(json.body).reason]).toEqual([503, "log-unavailable"]);
  });

  it.each([{ "sec-fetch-site": "cross-site" }, { origin: "https://other.example" }])(
    "is refused if another site sends it: %j",
    async (headers) => {
      await log.append([createReport(1)]);
      const { response, body } = await postComment("hello", { headers });
      expect([response.status, JSON.parse(body).reason]).toEqual([403, "cross-site"]);
      expect(await listFeedback(DIGEST)).toEqual([]);
    },
  );

  it("is accepted as JSON", async () => {
    await log.append([createReport(1)]);
    const { response, body } = await visit(`/e/${DIGEST}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"comment":"hello"}',
    });
    expect([response.status, JSON.parse(body)]).toEqual([202, { sent: true }]);
    expect(await listFeedback(DIGEST)).toHaveLength(1);
  });
});

describe("a receipt", () => {
  it("is public, and contains no detail of the error", async () => {
    await log.append([createReport(1), createReport(2)]);
    const { response, body } = await visit(`/e/${DIGEST}`, { origin: ORIGIN });
    expect(response.status).toBe(200);
    expect(body).toContain(DIGEST);
    expect(body).not.toMatch(/TypeError|price|cart|\/d\//);
  });

  it("is unknown for a digest that only a browser has reported", async () => {
    const notice = { isLinked: true, side: "browser", kind: "notice", type: "Notice" } as const;
    await log.append([createReport(1, notice)]);
    const { body } = await visit(`/e/${DIGEST}`, { origin: ORIGIN });
    expect(body).toContain("not known yet");
    expect((await visit(`/d/${DIGEST}`)).body).toContain("Only browsers have reported this digest");
  });

  it("of an unknown digest has the same status", async () => {
    const { response } = await visit(`/e/${UNKNOWN}`, { origin: ORIGIN });
    expect(response.status).toBe(200);
  });

  it("is not delayed by a snapshot of an earlier public report of the same error", async () => {
    const key = `issue/1/${DIGEST}`;
    const isKnown = async () => JSON.parse((await visit(`/e/${DIGEST}.json`)).body).isKnown;
    await log.append([createReport(1, { trust: "public" })]);
    await getIndex().waitUntilIdle();
    const snapshot = (await bindings.KV.get(key)) ?? "";
    expect(await isKnown()).toBe(false);
    await log.append([createReport(2)]);
    await getIndex().waitUntilIdle();
    // KV may return the earlier value for a minute.
    await bindings.KV.put(key, snapshot);
    expect(await isKnown()).toBe(true);
  });

  it("contains no detail of the error, of the affected users or of comments", async () => {
    await log.append([
      createReport(1, { type: "SecretError", message: "the secret price", userSketch: "a71" }),
      createReport(2, {
        kind: "feedback",
        isLinked: true,
        side: "browser",
        message: "secret words",
      }),
    ]);
    const { body } = await visit(`/e/${DIGEST}`, { origin: ORIGIN });
    expect(body).toContain("We know about it.");
    expect(body.toLowerCase()).not.toContain("secret");
    expect(body).not.toContain(toReportId(1));
  });

  it.each([
    [{ state: "resolved" }, [], "It is fixed."],
    [{ state: "resolved", inNextRelease: true }, [], "A fix is on its way."],
    [{ state: "resolved", release: "9.0.0" }, [{ name: "8.0.0" }], "A fix is on its way."],
    [{ state: "resolved", release: "9.0.0" }, [{ name: "9.0.0" }], "It is fixed."],
    [{ state: "snoozed" }, [], "We know about it."],
  ] as const)(
    "shows a sentence for the decision %j and the releases %j: %s",
    async (choice, releases, sentence) => {
      await log.append([createReport(1)]);
      const now = await projectStore.getFreshIssue(DIGEST);
      const decision = { v: 2, atMs: NOW_MS, ...choice } as const;
      const overrides: Partial<ProjectStore> = {
        getFreshIssue: async () => (now ? { ...now, decision } : null),
        listReleases: async () =>
          releases.map((one) => ({
            ...one,
            firstSeenMs: NOW_MS + 1,
            trust: "server" as const,
            issueCount: 1,
            newIssueCount: 0,
            regressedCount: 0,
            fixedCount: 0,
          })),
      };
      const { body } = await visit(`/e/${DIGEST}`, {
        services: { projectStore: replaceMethods(projectStore, overrides) },
      });
      expect(body).toContain(sentence);
    },
  );

  it("shows a fix as pending while the index cannot list the releases", async () => {
    await log.append([createReport(1)]);
    const now = await projectStore.getFreshIssue(DIGEST);
    const decision = { v: 2, atMs: NOW_MS, state: "resolved", inNextRelease: true } as const;
    const overrides: Partial<ProjectStore> = {
      getFreshIssue: async () => (now ? { ...now, decision } : null),
      listReleases: () => Promise.reject(new Error("unavailable")),
    };
    const { body, logged } = await visit(`/e/${DIGEST}`, {
      services: { projectStore: replaceMethods(projectStore, overrides) },
    });
    expect(body).toContain("A fix is on its way.");
    expect(logged).toEqual([]);
  });
});

it("the JSON of a receipt has the same facts as the page, and no others", async () => {
  await log.append([createReport(1)]);
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
