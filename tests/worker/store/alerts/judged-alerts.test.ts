// Alerts from a report to its message, in the real objects: the index judges in the transaction
// that counts, and the alert sender sends. The answers of the receiver are planned.

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import { AlertTables } from "#src/store/alerts/tables/alert-tables.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import {
  createId,
  createOldReport,
  createWebhook,
  handOver,
  pushRules,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
  TABLE_KEYS,
} from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import {
  admin,
  bindings,
  finishJobs,
  getAlertSender,
  getIndex,
  getShard,
  log,
  projectStore,
} from "#support/store/store.ts";

const HOUR_MS = 3_600_000;
const A = "7F3K-Q2M9";
const B = "8G4M-R3N0";

const { receiver, clock } = setUpAlerts();

/** Hands over the alerts that have waited, and sends what is due within some seconds. */
async function settle(): Promise<void> {
  await runDurableObjectAlarm(getIndex());
  await handOver();
  for (let n = 0; n < 4; n++) {
    await sendDue();
    clock.advance(1_100);
  }
}

function countRows(): Promise<number> {
  return runInDurableObject(
    getIndex(),
    (_, { storage }) =>
      storage.sql
        .exec<{ rows: number }>(
          "SELECT (SELECT count(*) FROM alert_outbox) + (SELECT count(*) FROM alert_history) AS rows",
        )
        .one().rows,
  );
}

describe("the default rule", () => {
  it("sends one message for a new issue, whatever number of reports it has", async () => {
    await reportNow({}, {}, {});
    await sendDue();
    await reportNow({}, {});
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    expect(receiver.received[0]).toMatchObject({
      type: "issue.new",
      data: {
        issues: [{ digest: A, links: { issue: `${ALERT_ORIGIN}/d/${A}` } }],
        reasons: [{ rules: [{ name: "New and regressed issues" }] }],
      },
    });
    // The history of the rule; nothing waits.
    expect(await countRows()).toBe(1);
  });

  it("links to a prefilled issue of the GitHub repository, if the project has one", async () => {
    await reportNow({});
    await sendDue();
    expect(receiver.received[0]?.data.issues[0]?.links).not.toHaveProperty("github");
    await projectStore.saveIssueRepository("acme/shop");
    await getAlertSender().copyRepository("acme/shop");
    clock.advance(2_000);
    await reportNow({ digest: B });
    await sendDue();
    expect(receiver.received[1]?.data.issues[0]?.links.github).toMatch(
      /^https:\/\/github\.com\/acme\/shop\/issues\/new\?title=8G4M-R3N0%20/,
    );
  });

  it("links to the repository that an earlier release stored, until an owner removes it", async () => {
    await getAlertSender().copyRepository("acme/old");
    await reportNow({});
    await sendDue();
    expect(receiver.received[0]?.data.issues[0]?.links.github).toContain("/acme/old/issues/new");
    await projectStore.saveIssueRepository("");
    await getAlertSender().copyRepository("");
    clock.advance(2_000);
    await reportNow({ digest: B });
    await sendDue();
    expect(receiver.received[1]?.data.issues[0]?.links).not.toHaveProperty("github");
  });

  it("is sent for a resolved issue that occurs again, and not for other reports", async () => {
    await reportNow({});
    await projectStore.decide(A, { state: "resolved" });
    clock.advance(1_000);
    await reportNow({ release: "1.4.0" });
    await reportNow({ release: "1.4.0" });
    clock.advance(2_000);
    await sendDue();
    clock.advance(2_000);
    await sendDue();
    expect(receiver.titles).toEqual(["New issue", "Regressed"]);
  });

  it.each([
    ["noise", { noise: "extension" } as const],
    ["the sample", { environment: "sample" }],
    ["reports that are older than an hour", { occurredAtMs: readNowMs() - 2 * HOUR_MS }],
  ])("is not sent for %s", async (_, over) => {
    await reportNow(over);
    await sendDue();
    expect(receiver.received).toEqual([]);
  });

  it("is sent for public issues while the project has no trusted one", async () => {
    await reportNow({ trust: "public" });
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
  });

  it("is sent for public issues of a project with trusted ones", async () => {
    await log.append([createOldReport(1)]);
    await reportNow({ trust: "public", digest: B });
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    expect(await getAlertSender().listHeldBack()).toEqual([]);
  });

  it("is in the activity of the issue with the destinations that accepted it", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    await getAlertSender().saveDestination(createWebhook("d3"), ALERT_ORIGIN);
    receiver.plan = (_, url) => new Response("", { status: url.endsWith("d3") ? 500 : 200 });
    await reportNow({});
    await sendDue();
    const page = (await visit(`/d/${A}`)).body.replace(/<[^>]*>/g, "");
    expect(page).toMatch(/Alert sent to (#d1, #d2|#d2, #d1) /);
    await getIndex().eraseIssue(A);
    await eventually(async () => {
      expect(await projectStore.getAnnotations(A)).toMatchObject({ alerts: [] });
    });
  });

  it.each(["public", "page"] as const)(
    "is sent again for the issue of a %s report when a server reports it",
    async (trust) => {
      await reportNow({ trust, digest: B });
      await sendDue();
      clock.advance(2_000);
      await reportNow({ digest: B });
      await sendDue();
      const levels = receiver.received.map(({ data }) => data.issues[0]?.trust);
      expect([receiver.titles, levels]).toEqual([
        ["New issue", "New issue"],
        [trust, "server"],
      ]);
    },
  );

  it("is sent for a report that was an hour old when it was received, and is applied later", async () => {
    const receivedAtMs = readNowMs() - 200;
    const occurredAtMs = receivedAtMs - HOUR_MS;
    await reportNow({ trust: "page", occurredAtMs, receivedAtMs });
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
  });

  it("sends one message for a burst of an issue, with the figures of that moment", async () => {
    await reportNow({});
    await sendDue();
    clock.advance(1_500);
    await reportNow(...new Array<object>(12).fill({}));
    await reportNow(...new Array<object>(107).fill({}));
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    clock.advance(3_000);
    await settle();
    expect(receiver.titles).toEqual(["New issue", "Escalating"]);
    expect(receiver.received[1]?.data.reasons[0]?.text).toContain("120 occurrences");
    await reportNow(...new Array<object>(500).fill({}));
    clock.advance(5_000);
    await settle();
    expect(receiver.titles).toHaveLength(2);
  });

  it("sends one message for all public alerts above the hourly limit", async () => {
    await reportNow(
      ...Array.from({ length: 61 }, (_, n) => ({
        trust: "public" as const,
        digest: `0000-${1_000 + n}`,
      })),
    );
    await reportNow({ digest: B });
    const inbox = await getAlertSender().readInbox("p1");
    expect(inbox.unread).toBe(21);
    clock.advance(120_000);
    await settle();
    await settle();
    expect(receiver.titles).toContain("41 more new issues from browsers");
    expect(receiver.received.map(({ type }) => type)).toContain("project.more_public");
    expect(JSON.stringify(receiver.received)).toContain(B);
    clock.advance(120_000);
    await settle();
    const more = receiver.titles.filter((title) => title.includes("more new issues"));
    expect(more).toHaveLength(1);
  });
});

describe("rules", () => {
  it("apply a query of the list, and join in one message", async () => {
    await getAlertSender().saveRule(
      { ...DEFAULT_RULE, id: "r1", name: "Production", query: "env:production" },
      ALERT_ORIGIN,
    );
    await pushRules();
    await reportNow({ environment: "staging" }, { environment: "production", digest: B });
    await sendDue();
    clock.advance(2_000);
    await sendDue();
    const names = receiver.received.map(({ data }) =>
      data.reasons[0]?.rules.map(({ name }) => name),
    );
    expect(names).toEqual([
      ["New and regressed issues"],
      ["New and regressed issues", "Production"],
    ]);
  });

  it("stay silent about an issue within the cool-down, and log it", async () => {
    await saveOnlyRule({ triggers: [{ kind: "new-issue" }, { kind: "new-in-release" }] });
    await reportNow({ release: "1" });
    await reportNow({ release: "2" });
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(await getAlertSender().listHeldBack()).toMatchObject([
      { digest: A, trigger: "new-in-release", reason: expect.stringContaining("until") },
    ]);
    clock.advance(HOUR_MS);
    await reportNow({ release: "3" });
    await sendDue();
    expect(receiver.titles.at(-1)).toBe("First seen in a release");
  });

  it("alert within the cool-down of a new issue for users that it reaches, once", async () => {
    const triggers = [{ kind: "new-issue" }, { kind: "users", count: 2 }] as const;
    await saveOnlyRule({ triggers });
    await reportNow({ userSketch: "0a1" });
    await reportNow({ userSketch: "0b1" });
    await reportNow({ userSketch: "0c2" });
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    clock.advance(3_000);
    await settle();
    clock.advance(2 * HOUR_MS);
    await reportNow({});
    await settle();
    expect(receiver.titles).toEqual(["New issue", "3 people affected"]);
  });

  it("judge the environment of the reports, and count only those", async () => {
    await saveOnlyRule({
      query: "env:production",
      triggers: [{ kind: "new-issue" }, { kind: "occurrences", count: 50, withinMs: HOUR_MS }],
    });
    const staging = { environment: "staging" };
    const production = { environment: "production" };
    await reportNow(...new Array<object>(60).fill(staging));
    await sendDue();
    expect(receiver.titles).toEqual([]);
    await reportNow(production);
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    // The counts of the rule survive a restart.
    await abortAllDurableObjects();
    clock.advance(70_000);
    await reportNow(...new Array<object>(48).fill(production));
    await reportNow(...new Array<object>(9).fill(staging));
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
    await reportNow(production);
    await settle();
    expect(receiver.titles).toEqual(["New issue", "50 occurrences"]);
  });

  it.each([
    ["resolved in the next release", { state: "resolved", inNextRelease: true } as const],
    ["resolved in a release", { state: "resolved", release: "9.0.0" } as const],
  ])("alert to a server's first report of a page's issue that was %s", async (_, decision) => {
    await reportNow({ trust: "page", release: "1.0.0" });
    await sendDue();
    clock.advance(2_000);
    await projectStore.decide(A, decision);
    await reportNow({ release: "1.0.0" });
    await sendDue();
    // The release is new for servers, so that a fix in the next one has regressed.
    expect(receiver.titles).toEqual(["New issue", expect.stringMatching(/^New issue/)]);
    expect((await projectStore.getFreshIssue(A))?.state).toBe("open");
  });

  it("alert to a snoozed issue that returned", async () => {
    await log.append([createOldReport(1)]);
    await projectStore.listNewestIssues();
    await projectStore.decide(A, { state: "snoozed", forCount: 3 });
    for (let n = 0; n < 6; n++) await reportNow({});
    await sendDue();
    expect(receiver.titles).toEqual(["Returned"]);
    expect(receiver.received[0]).toMatchObject({
      type: "issue.returned",
      data: { reasons: [{ text: "The issue was snoozed until 3 more; 3 came." }] },
    });
  });

  it.each([
    ["was deleted", () => getAlertSender().deleteRule("r1"), "No enabled rule"],
    [
      "was disabled",
      () => getAlertSender().saveRule({ ...DEFAULT_RULE, id: "r1", enabled: false }, ALERT_ORIGIN),
      "No enabled rule",
    ],
    [
      "alerts about an archived issue",
      () => projectStore.decide(A, { state: "archived" }),
      "archived",
    ],
    ["alerts about a fixed issue", () => projectStore.decide(A, { state: "resolved" }), "resolved"],
  ])("send no message that waited if the rule %s meanwhile", async (_, change, reason) => {
    await saveOnlyRule({});
    await reportNow({});
    await change();
    // A message that is sent within seconds states what came with its alert.
    clock.advance(6_000);
    await sendDue();
    expect(receiver.received).toEqual([]);
    expect(await getAlertSender().listHeldBack()).toMatchObject([
      { digest: A, trigger: "new-issue", reason: expect.stringContaining(reason) },
    ]);
  });

  it("alert once for an issue that escalates beyond its own history", async () => {
    await saveOnlyRule({ triggers: [{ kind: "escalating" }], coolDownMs: 0 });
    const nowMs = readNowMs();
    const history = Array.from({ length: 120 }, (_, n) =>
      createReport(n, { id: createId(), occurredAtMs: nowMs - Math.floor(n / 2 + 2) * HOUR_MS }),
    );
    await log.append(history);
    await projectStore.listNewestIssues();
    for (let batch = 0; batch < 4; batch++) await reportNow({}, {}, {}, {});
    await sendDue();
    expect(receiver.received).toEqual([]);
    for (let batch = 0; batch < 6; batch++) await reportNow({}, {}, {}, {});
    await sendDue();
    clock.advance(2_000);
    await sendDue();
    expect(receiver.received.map(({ data }) => data.reasons[0]?.text)).toEqual([
      expect.stringMatching(/^\d+ × its usual rate: \d+ in the last hour, usually 2\.$/),
    ]);
  });

  it("never alert for muted issues", async () => {
    await saveOnlyRule({ triggers: [{ kind: "new-in-release" }], coolDownMs: 0 });
    await log.append([createOldReport(1)]);
    await projectStore.listNewestIssues();
    await projectStore.decide(A, { state: "archived" });
    await reportNow({ release: "2" });
    await sendDue();
    expect(receiver.received).toEqual([]);
    expect(await getAlertSender().listHeldBack()).toMatchObject([
      { reason: expect.stringContaining("archived") },
    ]);
  });

  it("alert once for a number of occurrences within an hour, until it has fallen", async () => {
    const triggers = [{ kind: "occurrences", count: 5, withinMs: HOUR_MS }] as const;
    await saveOnlyRule({ triggers, coolDownMs: 0 });
    await reportNow({}, {}, {}, {});
    await sendDue();
    expect(receiver.received).toEqual([]);
    await reportNow({});
    await reportNow({}, {});
    await sendDue();
    expect(receiver.titles).toEqual(["5 occurrences"]);
    clock.advance(3 * HOUR_MS);
    await reportNow({}, {}, {}, {}, {});
    await sendDue();
    expect(receiver.received).toHaveLength(2);
  });

  it("alert for feedback and for CSP violations that were not known", async () => {
    await saveOnlyRule({ triggers: [{ kind: "csp-violation" }, { kind: "user-feedback" }] });
    await reportNow({}, { kind: "csp", digest: B, type: "script-src" });
    await sendDue();
    clock.advance(2_000);
    await reportNow({ kind: "feedback", digest: "9H5N-S4P1" });
    await sendDue();
    expect(receiver.titles).toEqual(["New CSP violation", "User feedback"]);
  });
});

describe("senders of a lower level", () => {
  const feedback = { kind: "feedback", isLinked: true, trust: "public" } as const;
  /** Sends what is due within ten seconds: a destination has a pause after each message. */
  async function sendSoon(): Promise<void> {
    for (let n = 0; n < 5; n++) {
      await sendDue();
      clock.advance(2_000);
    }
  }

  it("do not silence a rule about servers by reporting the error first", async () => {
    await saveOnlyRule({ minTrust: "server" });
    await reportNow({ trust: "public" });
    await reportNow({ trust: "page" });
    await sendDue();
    expect(receiver.received).toEqual([]);
    await reportNow({});
    await reportNow({});
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
  });

  it("do not begin the cool-down of other alerts by feedback", async () => {
    await log.append([createOldReport(1)]);
    await projectStore.listNewestIssues();
    await saveOnlyRule({ triggers: [{ kind: "user-feedback" }, { kind: "new-in-release" }] });
    await reportNow(feedback);
    await reportNow(feedback);
    await reportNow({ release: "2" });
    await sendSoon();
    expect(receiver.titles).toEqual(["User feedback", "First seen in a release"]);
  });

  it("do not use up the messages of other alerts by feedback", async () => {
    const digests = Array.from({ length: 5 }, (_, n) => `0000-100${n}`);
    await log.append(digests.map((digest, n) => createOldReport(n, { digest })));
    await projectStore.listNewestIssues();
    await saveOnlyRule({ triggers: [{ kind: "user-feedback" }, { kind: "new-issue" }] });
    for (const digest of digests) await reportNow({ ...feedback, digest });
    await reportNow({ digest: B });
    await sendSoon();
    expect(receiver.titles).toContain("New issue");
  });
});

describe("the alerts of pages", () => {
  it("do not delay those of servers", async () => {
    for (let n = 0; n < 5; n++) await reportNow({ trust: "page", digest: `0000-100${n}` });
    await sendDue();
    await reportNow({ digest: B });
    for (let n = 0; n < 5; n++) {
      await sendDue();
      clock.advance(2_000);
    }
    expect(JSON.stringify(receiver.received)).toContain(B);
  });
});

it("the inbox keeps the alerts of servers while strangers cause many", async () => {
  await runInDurableObject(getAlertSender(), (_, { storage }) => {
    const { inbox } = new AlertTables(storage, TABLE_KEYS);
    const alert = (n: number, trust: Trust) => ({
      id: `${trust} ${n}`,
      alert: { atMs: n, digest: A, trust, triggers: [] },
    });
    inbox.add([alert(1, "server")]);
    for (const trust of ["public", "page"] as const)
      inbox.add(Array.from({ length: 250 }, (_, n) => alert(n, trust)));
    const list = (count: number) => inbox.list(count).map(({ id }) => id);
    expect(list(200)).toHaveLength(101);
    expect(list(10)).toHaveLength(10);
    for (const listed of [list(200), list(10)]) {
      expect(listed.at(-1)).toBe("server 1");
      expect(listed).toContain("page 249");
    }
  });
});

describe("alerts are not made", () => {
  it("by a rebuild of the index", async () => {
    await reportNow({});
    await sendDue();
    await admin.rebuildIndex();
    await finishJobs();
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
  });

  it("by an import", async () => {
    const report = createReport(1, { occurredAtMs: readNowMs(), receivedAtMs: readNowMs() });
    await admin.importLines([{ line: JSON.stringify(report), ids: [report.id] }]);
    await projectStore.listNewestIssues();
    await sendDue();
    expect(receiver.received).toEqual([]);
    expect((await getAlertSender().readInbox("p1")).messages).toEqual([]);
  });

  it("by an import whose log restarts before the index has applied it", async () => {
    const withoutIndex = { ...bindings, PROJECT_INDEX: undefined };
    await runInDurableObject(getShard(), (object: ReportLog) => {
      Object.assign(object, { env: withoutIndex });
    });
    const report = createReport(1, { occurredAtMs: readNowMs(), receivedAtMs: readNowMs() });
    expect(await getShard().importLines([{ line: JSON.stringify(report), ids: [report.id] }])).toBe(
      1,
    );
    await abortAllDurableObjects();
    await reportNow({ digest: B });
    expect((await projectStore.listNewestIssues()).issues).toHaveLength(2);
    await sendDue();
    const digests = receiver.received.flatMap(({ data }) => data.issues.map((one) => one.digest));
    expect(digests).toEqual([B]);
  });
});

describe("an alert", () => {
  it("survives an index that stops before it hands the alert over", async () => {
    const withoutSender = { ...bindings, ALERT_SENDER: undefined };
    await runInDurableObject(getIndex(), (object: ProjectIndex) => {
      Object.assign(object, { env: withoutSender });
    });
    await log.append([createReport(1, { occurredAtMs: readNowMs(), receivedAtMs: readNowMs() })]);
    await projectStore.listNewestIssues();
    expect(await countRows()).toBe(2);
    await abortAllDurableObjects();
    await reportNow({ digest: B });
    await sendDue();
    clock.advance(2_000);
    await sendDue();
    const digests = receiver.received.flatMap(({ data }) =>
      data.issues.map(({ digest }) => digest),
    );
    expect(digests).toEqual([A, B]);
  });

  /** The index does not answer the alert sender, which has taken all alerts. */
  async function stopIndex(): Promise<void> {
    const unavailable = () => Promise.reject(new Error("the index is unavailable"));
    const stub = {
      readAlertedIssues: unavailable,
      recordSentAlert: unavailable,
      setAlertRules: unavailable,
    };
    await runInDurableObject(getAlertSender(), (object: AlertSender) => {
      Object.assign(object, { env: { ...bindings, PROJECT_INDEX: { getByName: () => stub } } });
    });
  }

  it("is sent at once with what came with it, without a call to the index", async () => {
    await reportNow({ message: "no price", release: "1.4.0", environment: "production" });
    await stopIndex();
    await sendDue();
    expect(receiver.received).toMatchObject([
      { type: "issue.new", data: { issues: [{ digest: A, message: "no price" }] } },
    ]);
  });

  it("that waited states what the index has when it is sent", async () => {
    await saveOnlyRule({});
    await reportNow({});
    await reportNow({}, {});
    clock.advance(6_000);
    await sendDue();
    expect(receiver.received[0]?.data.issues).toMatchObject([{ digest: A, count: 3 }]);
  });

  it("waits for the index if its object stopped, which forgets what came with it", async () => {
    await reportNow({});
    await abortAllDurableObjects();
    await stopIndex();
    await sendDue();
    expect(receiver.received).toEqual([]);
    await abortAllDurableObjects();
    clock.advance(6_000);
    await sendDue();
    expect(receiver.titles).toEqual(["New issue"]);
  });

  it("of an index of the release before, which sends nothing with it, states what the index has", async () => {
    await log.append([createOldReport(1, { message: "no price" })]);
    await projectStore.listNewestIssues();
    const triggers = [{ kind: "regressed" as const, rules: [DEFAULT_RULE.id] }];
    const alert = { atMs: readNowMs(), digest: A, trust: "server" as const, triggers };
    await getAlertSender().take([{ n: 1, alert }], 1);
    await sendDue();
    expect(receiver.received[0]?.data.issues).toMatchObject([{ digest: A, message: "no price" }]);
  });

  it("of an issue that is erased meanwhile leaves nothing behind", async () => {
    receiver.plan = () => new Response("the price of the cart is missing", { status: 500 });
    await reportNow({});
    await sendDue();
    expect((await getAlertSender().listDeliveries())[0]?.answer).toContain("price");
    await admin.eraseIssue(A);
    await finishJobs();
    const inbox = await getAlertSender().readInbox("p1");
    const rest = [
      await getAlertSender().listDeliveries(),
      inbox,
      await getAlertSender().listHeldBack(),
    ];
    expect(JSON.stringify(rest)).not.toMatch(/price|7F3K/);
  });
});
