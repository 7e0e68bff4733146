import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { openLimiters, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, NOW_MS, projectStore } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const MERGED = "0000-008Q";
const UNKNOWN = "0000-0000";
const ALIAS = "2338823894";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

afterEach(() => emptyStore());

/** An error that has a secret wherever a report can have one. */
const secrets = createReport(1, {
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

/** Erases the issue and runs the job to its end. */
async function eraseIssue(): Promise<void> {
  await getIndex().enqueueJob({ kind: "erase-issue", digest: DIGEST, aliases: [ALIAS] });
  for (let round = 0; round < 20; round++) {
    await projectStore.listNewestIssues().catch(() => undefined);
    if ((await getIndex().getHealth()).work === undefined) break;
    await runDurableObjectAlarm(getIndex());
  }
}

/** Every action on an issue, and its receipt after the action. */
const STATES: readonly (readonly [
  state: string,
  change: () => Promise<unknown>,
  sentence: string,
  fixProgress: string | null,
])[] = [
  ["open", async () => undefined, "We know about it.", "none"],
  [
    "archived",
    () => projectStore.decide(DIGEST, { state: "archived" }),
    "We know about it.",
    "none",
  ],
  ["snoozed", () => projectStore.decide(DIGEST, { state: "snoozed" }), "We know about it.", "none"],
  ["resolved", () => projectStore.decide(DIGEST, { state: "resolved" }), "It is fixed.", "fixed"],
  [
    "resolved in the next release",
    () => projectStore.decide(DIGEST, { state: "resolved", inNextRelease: true }),
    "A fix is on its way.",
    "pending",
  ],
  [
    "resolved in a release that does not exist",
    () => projectStore.decide(DIGEST, { state: "resolved", release: "9.0.0-secret" }),
    "A fix is on its way.",
    "pending",
  ],
  [
    "commented on, assigned and merged with another",
    async () => {
      await log.append([createReport(2, { digest: MERGED, message: "another secret" })]);
      await projectStore.annotate(DIGEST, {
        change: "comment",
        id: toReportId(7),
        text: "a secret word",
      });
      await projectStore.annotate(DIGEST, { change: "assign", to: "secret.person@example.org" });
      await projectStore.annotate(DIGEST, { change: "merge", from: [MERGED] });
    },
    "We know about it.",
    "none",
  ],
  ["erased", eraseIssue, "This code is not known yet.", null],
];

/** The store as it is a minute later, with current snapshots. */
const storeWithFreshSnapshots: ProjectStore = replaceMethods(projectStore, {
  getIssue: (digest) => projectStore.getFreshIssue(digest),
});

const visitReceipt = async (code: string) => {
  const options = {
    origin: "https://errata.example",
    services: { projectStore: storeWithFreshSnapshots },
  };
  const page = await visit(`/e/${code}?streaming=off`, options);
  const json = await visit(`/e/${code}.json`, options);
  return { page, json, status: JSON.parse(json.body) as Record<string, unknown> };
};
/** Removes the parts that differ between any two responses: nonces and ids. */
const readReceiptPage = async (code: string) =>
  (await visitReceipt(code)).page.body.replaceAll(code, "…");

describe.each(STATES)(
  "the receipt of an issue that is %s",
  (_state, change, sentence, fixProgress) => {
    it("shows the progress of the fix and nothing else", async () => {
      await log.append([secrets]);
      await change();
      const { page, json, status } = await visitReceipt(DIGEST);
      expect([page.response.status, json.response.status]).toEqual([200, 200]);
      expect(page.body).toContain(sentence);
      if (fixProgress === null) expect(status).toEqual({ isKnown: false });
      else {
        expect(status).toMatchObject({ isKnown: true, fixProgress });
        expect(Object.keys(status)).toEqual(["isKnown", "firstSeenMs", "weekCount", "fixProgress"]);
      }
      const texts = [page, json].map(({ body, response }) => [body, ...response.headers.values()]);
      const all = texts.flat().join("\n").toLowerCase();
      for (const word of [
        "secret",
        "5ec2e7",
        toReportId(1),
        MERGED.toLowerCase(),
        ALIAS,
        "assigned",
      ])
        expect(all, word).not.toContain(word);
    });
  },
);

it("a stranger who knows the digest cannot change since when the error is known", async () => {
  await log.append([createReport(1)]);
  const before = (await visitReceipt(DIGEST)).status;
  for (const report of [
    { errata: 1, how: "notice", digest: DIGEST },
    { errata: 1, how: "caught", type: "Junk", message: "junk", digest: DIGEST },
  ]) {
    const { response } = await visit("/monitoring", {
      method: "POST",
      body: JSON.stringify({ ...report, at: NOW_MS - 29 * 86_400_000 }),
    });
    expect(response.status).toBe(202);
  }
  expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 1, linkedCount: 2 });
  expect((await visitReceipt(DIGEST)).status).toEqual(before);
});

describe("the receipt of an issue whose state is internal", () => {
  it("does not differ from that of an open issue if the issue is snoozed or archived", async () => {
    await log.append([secrets]);
    const open = await readReceiptPage(DIGEST);
    for (const state of ["snoozed", "archived"] as const) {
      await projectStore.decide(DIGEST, { state });
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state });
      expect(await readReceiptPage(DIGEST)).toBe(open);
    }
  });

  it("is the same for an erased digest, an unknown one and one that only browsers have reported", async () => {
    await log.append([
      secrets,
      createReport(2, { digest: MERGED, isLinked: true, kind: "notice", side: "browser" }),
    ]);
    await eraseIssue();
    const unknown = await readReceiptPage(UNKNOWN);
    expect(await readReceiptPage(DIGEST)).toBe(unknown);
    expect(await readReceiptPage(MERGED)).toBe(unknown);
  });

  it("is found by a framework's code, and a code without a receipt is unknown", async () => {
    await log.append([secrets]);
    const redirect = await visit(`/e/${ALIAS}`);
    expect([redirect.response.status, redirect.response.headers.get("location")]).toEqual([
      302,
      `/e/${DIGEST}`,
    ]);
    const browsers = { isLinked: true, kind: "notice", side: "browser" } as const;
    await log.append([createReport(2, { ...browsers, digest: MERGED, aliases: ["1111111111"] })]);
    expect(await projectStore.findIssuesByAlias("1111111111")).toEqual([MERGED]);
    for (const code of ["1111111111", "2222222222"]) {
      const { response, body } = await visit(`/e/${code}`);
      expect([code, response.status]).toEqual([code, 200]);
      expect(body).toContain("This code is not known yet.");
    }
  });
});

/** A store with one issue, found by its digest and by a code. It responds immediately. */
const issue = aggregateReport(
  undefined,
  summarizeReport(createReport(1), "2026112117/0.0:0"),
  NOW_MS,
);
const oneIssueStore: ProjectStore = replaceMethods(projectStore, {
  getIssue: async (digest) => (digest === DIGEST ? issue : null),
  getFreshIssue: async (digest) => (digest === DIGEST ? issue : null),
  findIssuesByAlias: async (alias) => (alias === ALIAS ? [DIGEST] : []),
});

it("other spellings of a digest redirect to the receipt without a read of the store", async () => {
  const failingStore: ProjectStore = {
    ...oneIssueStore,
    getFreshIssue: () => Promise.reject(new Error("The store was read.")),
  };
  const { response } = await visit("/e/7f3kq2m9", { services: { projectStore: failingStore } });
  expect(response.headers.get("location")).toBe(`/e/${DIGEST}`);
});

describe("a client that requests many receipts", () => {
  const limiterCalls: string[] = [];
  const limiters = {
    ...openLimiters,
    receipt: async (network: string) => limiterCalls.push(network) > 0 && false,
  };
  const lookups: string[] = [];
  const recordingStore: ProjectStore = {
    ...oneIssueStore,
    async getFreshIssue(digest) {
      lookups.push(digest);
      return oneIssueStore.getFreshIssue(digest);
    },
    async findIssuesByAlias(alias) {
      lookups.push(alias);
      return oneIssueStore.findIssuesByAlias(alias);
    },
  };
  const visitOverLimit = (path: string, init: RequestInit = {}) => {
    limiterCalls.length = 0;
    lookups.length = 0;
    const headers = { ...init.headers, "cf-connecting-ip": "2001:db8::7" };
    return visit(path, { ...init, headers, services: { projectStore: recordingStore, limiters } });
  };

  it.each([`/e/${DIGEST}`, `/e/${UNKNOWN}`, `/e/${ALIAS}`, "/e/nonsense"])(
    "is rate limited with 429, and learns nothing about %s",
    async (path) => {
      const page = await visitOverLimit(path);
      expect(page.response.status).toBe(429);
      expect(page.response.headers.get("retry-after")).toBe("60");
      expect(page.response.headers.get("content-type")).toContain("text/html");
      expect(page.body).toContain("One moment, please.");
      expect(page.body).not.toMatch(/We know about it|not known yet|<textarea/);
      expect([limiterCalls, lookups]).toEqual([["2001:db8:0:0"], []]);
      const json = await visitOverLimit(path, { headers: { accept: "application/json" } });
      expect([json.response.status, JSON.parse(json.body).reason]).toEqual([
        429,
        "too-many-requests",
      ]);
      expect(json.response.headers.get("retry-after")).toBe("60");
      expect(lookups).toEqual([]);
    },
  );

  it.each([
    ["hello", FORM],
    ["", FORM],
    ["hello", { "content-type": "text/plain" }],
    ["x".repeat(50_000), FORM],
  ])("learns nothing by posting comments either: %#", async (comment, headers) => {
    const body = `comment=${comment}`;
    const known = await visitOverLimit(`/e/${DIGEST}`, { method: "POST", headers, body });
    expect(known.response.status).toBe(429);
    expect(known.response.headers.get("retry-after")).toBe("60");
    expect(lookups).toEqual([]);
    const unknown = await visitOverLimit(`/e/${UNKNOWN}`, { method: "POST", headers, body });
    expect(unknown.body.replaceAll(UNKNOWN, "…")).toBe(known.body.replaceAll(DIGEST, "…"));
  });

  it("does not prevent other clients from reading receipts, nor itself from reporting", async () => {
    const limitersByAddress = {
      ...limiters,
      receipt: async (network: string) => network !== "192.0.2.7",
    };
    const visitFrom = (address: string) =>
      visit(`/e/${DIGEST}`, {
        headers: { "cf-connecting-ip": address },
        services: { projectStore: oneIssueStore, limiters: limitersByAddress },
      });
    expect((await visitFrom("192.0.2.7")).response.status).toBe(429);
    expect((await visitFrom("192.0.2.8")).response.status).toBe(200);
    const report = await visit("/monitoring", {
      method: "POST",
      headers: { "cf-connecting-ip": "192.0.2.7" },
      body: '{"errata":1,"how":"uncaught","type":"Error","message":"no price"}',
      services: { limiters: limitersByAddress },
    });
    expect(report.response.status).toBe(202);
  });
});
