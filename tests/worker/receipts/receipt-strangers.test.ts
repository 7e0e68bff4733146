import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { aggregateReport } from "../../../src/core/issue/aggregate-report.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { summarizeReport } from "../../../src/core/report/report-summary.ts";
import { openLimiters, visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { desk, index, log, NOW_MS } from "../../support/store.ts";

const DIGEST = "7F3K-Q2M9";
const MERGED = "0000-008Q";
const UNKNOWN = "0000-0000";
const ALIAS = "2338823894";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

afterEach(() => fresh());

/** An error that has a secret wherever a report can have one. */
const secrets = aReport(1, {
  type: "SecretError",
  message: "the secret price",
  frames: [{ function: "secretPrice", file: "secret.ts", line: 4, column: 9, inApp: true }],
  release: "1.0.0-secret",
  environment: "secret-stage",
  userSketch: "5ec2e7",
  aliases: [ALIAS],
  tags: [["plan", "secret"]],
  request: { method: "POST", url: "https://secret.example/cart", route: "/secret" },
});

/** Goes on with erasing until nothing is left. */
async function erased(): Promise<void> {
  await index().enqueueJob({ kind: "erase-issue", digest: DIGEST, aliases: [ALIAS] });
  for (let round = 0; round < 20; round++) {
    await desk.listNewestIssues().catch(() => undefined);
    if ((await index().getHealth()).work === undefined) break;
    await runDurableObjectAlarm(index());
  }
}

/** Every action on an issue, and the receipt after it. */
const STATES: readonly (readonly [
  state: string,
  after: () => Promise<unknown>,
  says: string,
  fixProgress: string | null,
])[] = [
  ["open", async () => undefined, "We know about it.", "none"],
  ["muted", () => desk.decide(DIGEST, { state: "muted" }), "We know about it.", "none"],
  ["ignored", () => desk.decide(DIGEST, { state: "ignored" }), "We know about it.", "none"],
  ["resolved", () => desk.decide(DIGEST, { state: "resolved" }), "It is fixed.", "fixed"],
  [
    "resolved in the next release",
    () => desk.decide(DIGEST, { state: "resolved", inNextRelease: true }),
    "A fix is on its way.",
    "pending",
  ],
  [
    "resolved in a release that is not there",
    () => desk.decide(DIGEST, { state: "resolved", release: "9.0.0-secret" }),
    "A fix is on its way.",
    "pending",
  ],
  [
    "commented on, assigned and merged with another",
    async () => {
      await log.append([aReport(2, { digest: MERGED, message: "another secret" })]);
      await desk.annotate(DIGEST, { change: "comment", id: reportId(7), text: "a secret word" });
      await desk.annotate(DIGEST, { change: "assign", to: "secret.person@example.org" });
      await desk.annotate(DIGEST, { change: "merge", from: [MERGED] });
    },
    "We know about it.",
    "none",
  ],
  ["erased", erased, "This code is not known yet.", null],
];

/** As it is a minute later, when the snapshots have followed. */
const later: ProjectStore = { ...desk, getIssue: (digest) => desk.getFreshIssue(digest) };

const receiptOf = async (code: string) => {
  const asked = { origin: "https://errata.example", services: { projectStore: later } };
  const page = await visit(`/e/${code}?streaming=off`, asked);
  const json = await visit(`/e/${code}.json`, asked);
  return { page, json, said: JSON.parse(json.body) as Record<string, unknown> };
};
/** Removes the parts that differ between any two responses: nonces and ids. */
const bodyOf = async (code: string) => (await receiptOf(code)).page.body.replaceAll(code, "…");

describe.each(STATES)("the receipt of an issue that is %s", (_state, after, says, fixProgress) => {
  it("says how far it is, and nothing else", async () => {
    await log.append([secrets]);
    await after();
    const { page, json, said } = await receiptOf(DIGEST);
    expect([page.response.status, json.response.status]).toEqual([200, 200]);
    expect(page.body).toContain(says);
    if (fixProgress === null) expect(said).toEqual({ isKnown: false });
    else {
      expect(said).toMatchObject({ isKnown: true, fixProgress });
      expect(Object.keys(said)).toEqual(["isKnown", "firstSeenMs", "weekCount", "fixProgress"]);
    }
    const told = [page, json].map(({ body, response }) => [body, ...response.headers.values()]);
    const all = told.flat().join("\n").toLowerCase();
    for (const word of ["secret", "5ec2e7", reportId(1), MERGED.toLowerCase(), ALIAS, "assigned"])
      expect(all, word).not.toContain(word);
  });
});

describe("what people keep to themselves", () => {
  it("an issue that is ignored or muted has the receipt of an open one", async () => {
    await log.append([secrets]);
    const open = await bodyOf(DIGEST);
    for (const state of ["ignored", "muted"] as const) {
      await desk.decide(DIGEST, { state });
      expect(await desk.getFreshIssue(DIGEST)).toMatchObject({ state });
      expect(await bodyOf(DIGEST)).toBe(open);
    }
  });

  it("what was erased, what only browsers have named and what nobody has are the same", async () => {
    await log.append([
      secrets,
      aReport(2, { digest: MERGED, isLinked: true, kind: "notice", side: "browser" }),
    ]);
    await erased();
    const unknown = await bodyOf(UNKNOWN);
    expect(await bodyOf(DIGEST)).toBe(unknown);
    expect(await bodyOf(MERGED)).toBe(unknown);
  });

  it("a framework's code leads to a receipt and to nothing without one", async () => {
    await log.append([secrets]);
    const led = await visit(`/e/${ALIAS}`);
    expect([led.response.status, led.response.headers.get("location")]).toEqual([
      302,
      `/e/${DIGEST}`,
    ]);
    const browsers = { isLinked: true, kind: "notice", side: "browser" } as const;
    await log.append([aReport(2, { ...browsers, digest: MERGED, aliases: ["1111111111"] })]);
    expect(await desk.findIssuesByAlias("1111111111")).toEqual([MERGED]);
    for (const code of ["1111111111", "2222222222"]) {
      const { response, body } = await visit(`/e/${code}`);
      expect([code, response.status]).toEqual([code, 200]);
      expect(body).toContain("This code is not known yet.");
    }
  });
});

/** A desk that knows one issue by its digest and by a code, and answers at once. */
const issue = aggregateReport(undefined, summarizeReport(aReport(1), "2026112117/0.0:0"), NOW_MS);
const quick: ProjectStore = {
  ...desk,
  getIssue: async (digest) => (digest === DIGEST ? issue : null),
  getFreshIssue: async (digest) => (digest === DIGEST ? issue : null),
  findIssuesByAlias: async (alias) => (alias === ALIAS ? [DIGEST] : []),
};

it("other spellings of a digest lead to it without a look", async () => {
  const never: ProjectStore = { ...quick, getIssue: () => Promise.reject(new Error("was asked")) };
  const { response } = await visit("/e/7f3kq2m9", { services: { projectStore: never } });
  expect(response.headers.get("location")).toBe(`/e/${DIGEST}`);
});

describe("a stranger who asks for many receipts", () => {
  const asks: string[] = [];
  const limiters = {
    ...openLimiters,
    receipt: async (network: string) => asks.push(network) > 0 && false,
  };
  const looked: string[] = [];
  const watched: ProjectStore = {
    ...quick,
    async getIssue(digest) {
      looked.push(digest);
      return quick.getIssue(digest);
    },
    async findIssuesByAlias(alias) {
      looked.push(alias);
      return quick.findIssuesByAlias(alias);
    },
  };
  const over = (path: string, init: RequestInit = {}) => {
    asks.length = 0;
    looked.length = 0;
    const headers = { ...init.headers, "cf-connecting-ip": "2001:db8::7" };
    return visit(path, { ...init, headers, services: { projectStore: watched, limiters } });
  };

  it.each([`/e/${DIGEST}`, `/e/${UNKNOWN}`, `/e/${ALIAS}`, "/e/nonsense"])(
    "is told to wait, and nothing of %s",
    async (path) => {
      const page = await over(path);
      expect(page.response.status).toBe(429);
      expect(page.response.headers.get("retry-after")).toBe("60");
      expect(page.response.headers.get("content-type")).toContain("text/html");
      expect(page.body).toContain("One moment, please.");
      expect(page.body).not.toMatch(/We know about it|not known yet|<textarea/);
      expect([asks, looked]).toEqual([["2001:db8:0:0"], []]);
      const json = await over(path, { headers: { accept: "application/json" } });
      expect([json.response.status, JSON.parse(json.body).reason]).toEqual([
        429,
        "too-many-requests",
      ]);
      expect(json.response.headers.get("retry-after")).toBe("60");
      expect(looked).toEqual([]);
    },
  );

  it.each([
    ["hello", FORM],
    ["", FORM],
    ["hello", { "content-type": "text/plain" }],
    ["x".repeat(50_000), FORM],
  ])("learns nothing by comments either: %#", async (comment, headers) => {
    const body = `comment=${comment}`;
    const known = await over(`/e/${DIGEST}`, { method: "POST", headers, body });
    expect(known.response.status).toBe(429);
    expect(known.response.headers.get("retry-after")).toBe("60");
    expect(looked).toEqual([]);
    const unknown = await over(`/e/${UNKNOWN}`, { method: "POST", headers, body });
    expect(unknown.body.replaceAll(UNKNOWN, "…")).toBe(known.body.replaceAll(DIGEST, "…"));
  });

  it("keeps nobody else from asking, nor from reporting", async () => {
    const mine = { ...limiters, receipt: async (network: string) => network !== "192.0.2.7" };
    const from = (address: string) =>
      visit(`/e/${DIGEST}`, {
        headers: { "cf-connecting-ip": address },
        services: { projectStore: quick, limiters: mine },
      });
    expect((await from("192.0.2.7")).response.status).toBe(429);
    expect((await from("192.0.2.8")).response.status).toBe(200);
    const report = await visit("/monitoring", {
      method: "POST",
      headers: { "cf-connecting-ip": "192.0.2.7" },
      body: '{"errata":1,"how":"uncaught","type":"Error","message":"no price"}',
      services: { limiters: mine },
    });
    expect(report.response.status).toBe(202);
  });
});
