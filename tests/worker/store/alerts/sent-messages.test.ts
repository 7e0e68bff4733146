// Sending: attempts, order, storms, quiet hours and failures, in the real object. The receiver
// answers as planned, and tests set the clock forward.

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { alertLimits } from "#src/core/alerts/alert-limits.ts";
import type { NumberedAlert } from "#src/core/alerts/due-alert.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import {
  createAlerts,
  createOldReport,
  createWebhook,
  handOver,
  reportNow,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { toReportId } from "#support/reports/reports.ts";
import { getAlertSender, log } from "#support/store/store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OK = () => new Response("ok");

const { receiver, clock } = setUpAlerts();

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await sendDue();
}

describe("an attempt that fails", () => {
  it("is repeated with the same id, later and later, until it succeeds", async () => {
    receiver.plan = (n) => (n < 2 ? new Response("no", { status: 500 }) : OK());
    await getAlertSender().take(createAlerts(1), 1);
    await sendDue();
    await pass(3_000);
    expect(receiver.received).toHaveLength(1);
    await pass(4_000);
    expect(receiver.received).toHaveLength(2);
    await pass(40_000);
    expect(receiver.received).toHaveLength(2);
    await pass(40_000);
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(["msg_1_1"]));
    const attempts = await getAlertSender().listDeliveries();
    expect(attempts.map(({ attempt, result, status }) => [attempt, result, status])).toEqual([
      [3, "delivered", 200],
      [2, "retry", 500],
      [1, "retry", 500],
    ]);
  });

  it("waits for the time that the service names", async () => {
    const headers = { "retry-after": "600" };
    receiver.plan = (n) => (n === 0 ? new Response("", { status: 429, headers }) : OK());
    await getAlertSender().take(createAlerts(1, 2), 1);
    await sendDue();
    await pass(590_000);
    expect(receiver.received).toHaveLength(1);
    await pass(10_000);
    await pass(2_000);
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_1", "msg_1_2"]);
  });

  it("is undelivered after eight attempts, and can be sent again", async () => {
    receiver.plan = () => new Response("", { status: 503 });
    await getAlertSender().take(createAlerts(1), 1);
    for (let hour = 0; hour < 60; hour++) await pass(HOUR_MS / 2);
    expect((await getAlertSender().readSettings()).health).toMatchObject({ undelivered: 1 });
    expect(receiver.received).toHaveLength(8);
    receiver.plan = OK;
    expect(await getAlertSender().sendAgain("msg_1_1")).toBe(true);
    await sendDue();
    expect(receiver.received.at(-1)?.id).toBe("msg_1_1");
    expect(await getAlertSender().sendAgain("msg_1_1")).toBe(false);
  });

  it("does not keep other destinations waiting", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    let answer = (_: Response) => {};
    const pending = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    receiver.plan = (_, url) => (url.endsWith("/d1") ? pending : OK());
    await getAlertSender().take(createAlerts(1), 1);
    const sending = sendDue();
    await handOver();
    clock.advance(2_000);
    await getAlertSender().take(createAlerts(2), 1);
    await expect
      .poll(() => receiver.received.filter(({ url }) => url.endsWith("d2")))
      .toHaveLength(2);
    answer(OK());
    await sending;
  });
});

describe("a destination", () => {
  it("that is gone is disabled, and every other one is notified", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    receiver.plan = (_, url) => (url.endsWith("/d1") ? new Response("", { status: 410 }) : OK());
    await getAlertSender().take(createAlerts(1), 1);
    await sendDue();
    await pass(2_000);
    const { destinations } = await getAlertSender().readSettings();
    expect(destinations).toMatchObject([
      { id: "d1", disabled: { reason: expect.any(String) } },
      {},
    ]);
    const others = receiver.received.filter(({ url }) => url.endsWith("/d2"));
    expect(others.map(({ data }) => data.title)).toEqual([
      "New issue",
      "A destination was disabled",
    ]);
    const inbox = await getAlertSender().readInbox("p1");
    expect(inbox.messages[0]?.reasons[0]?.text).toContain("#d1");
  });

  it("that failed for three days is disabled", async () => {
    receiver.plan = () => new Response("", { status: 500 });
    for (let day = 0; day < 4; day++) {
      await getAlertSender().take(createAlerts(day + 1), 1);
      for (let hour = 0; hour < 24; hour++) await pass(HOUR_MS);
    }
    const { destinations } = await getAlertSender().readSettings();
    expect(destinations[0]?.disabled?.reason).toContain("3 days");
  });

  it("answers a test with the result of the first attempt", async () => {
    expect(await getAlertSender().sendTest("d1")).toMatchObject({ kind: "delivered", status: 200 });
    receiver.plan = () => new Response("nope", { status: 404 });
    expect(await getAlertSender().sendTest("d1")).toMatchObject({ kind: "retry", status: 404 });
    expect(await getAlertSender().sendTest("unknown")).toBeNull();
    expect(receiver.received[0]).toMatchObject({ type: "alerts.test" });
    expect((await getAlertSender().readInbox("p1")).messages).toEqual([]);
  });
});

describe("tests of destinations", () => {
  it("are limited, also at the same time and for other destinations, until time has passed", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    const { maxTests, testWindowMs } = alertLimits;
    const send = (n: number) => getAlertSender().sendTest(n % 2 === 0 ? "d1" : "d2");
    const results = await Promise.all(Array.from({ length: maxTests + 10 }, (_, n) => send(n)));
    expect(results.filter((result) => result === "too-many")).toHaveLength(10);
    expect(receiver.received).toHaveLength(maxTests);
    clock.advance(testWindowMs + 1);
    expect(await send(0)).toMatchObject({ kind: "delivered" });
  });
});

describe("a storm", () => {
  it("of 200 new issues within a minute sends ten messages, and then summaries", async () => {
    for (let second = 0; second < 50; second++) {
      const first = second * 4 + 1;
      await getAlertSender().take(createAlerts(first, first + 1, first + 2, first + 3), 1);
      await pass(1_000);
    }
    for (let minute = 0; minute < 5; minute++) await pass(MINUTE_MS);
    const summaries = receiver.received.slice(10);
    expect(summaries.map(({ type }) => type)).toEqual(["alerts.summary", "alerts.summary"]);
    const digests = summaries.flatMap(({ data }) => data.summary?.digests ?? []);
    expect(new Set(digests).size).toBe(190);
    expect(summaries[0]?.data.title).toMatch(/^\d+ new issues since \d\d:\d\d UTC$/);
  });

  it("that lasts for hours is summarized at growing intervals", async () => {
    for (let minute = 0; minute < 240; minute++) {
      const alerts = Array.from({ length: 10 }, (_, n) => minute * 10 + n + 1);
      await getAlertSender().take(createAlerts(...alerts), 1);
      for (let n = 0; n < 10; n++) await pass(MINUTE_MS / 10);
    }
    expect(receiver.received.length).toBeLessThanOrEqual(60);
  });
});

describe("a message", () => {
  /** An alert of another trigger or trust level. */
  const change = (n: number, over: Partial<NumberedAlert["alert"]>) =>
    createAlerts(n).map(({ alert }) => ({ n, alert: { ...alert, ...over } }));
  const regressed = (n: number) =>
    change(n, { triggers: [{ kind: "regressed", rules: [DEFAULT_RULE.id] }] });
  const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

  it("is sent at once, also the third one within two minutes and the tenth at once", async () => {
    for (const n of [1, 2, 3]) {
      await getAlertSender().take(createAlerts(n), 1);
      await pass(5_000);
    }
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_2", "msg_1_3"]);
    clock.advance(10 * MINUTE_MS);
    await getAlertSender().take(createAlerts(...range(4, 10)), 1);
    for (let n = 0; n < 10; n++) await pass(400);
    expect(receiver.received).toHaveLength(13);
    const { delayP99Ms = Infinity } = (await getAlertSender().readSettings()).health;
    expect(delayP99Ms).toBeLessThan(6_000);
  });

  it("about an issue that returned is sent at once in a storm of new ones", async () => {
    await getAlertSender().take(createAlerts(...range(1, 300)), 1);
    await sendDue();
    await getAlertSender().take(regressed(301), 1);
    await pass(400);
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_301"]);
  });

  it("about a public issue does not delay one about an issue of servers", async () => {
    for (const n of range(1, 50)) await getAlertSender().take(change(n, { trust: "public" }), 1);
    await sendDue();
    await getAlertSender().take(createAlerts(51), 1);
    await pass(400);
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_51"]);
  });

  it("that can be sent does not wait for one that is held until working hours", async () => {
    const minute = Math.floor(readNowMs() / MINUTE_MS) % 1_440;
    const from = (minute + 5) % 1_380;
    const workingHours = { days: [0, 1, 2, 3, 4, 5, 6], from, to: from + 60, timeZone: "UTC" };
    const rule = { ...DEFAULT_RULE, id: "hours", workingHours };
    await getAlertSender().saveRule(rule, ALERT_ORIGIN);
    const triggers = [{ kind: "new-issue" as const, rules: ["hours"] }];
    await getAlertSender().take(change(1, { triggers }), 1);
    await getAlertSender().take(createAlerts(2), 1);
    await sendDue();
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_2"]);
  });

  it("that gathered alerts counts in the delays of the page", async () => {
    await getAlertSender().take(createAlerts(...range(1, 12)), 1);
    for (let n = 0; n < 10; n++) await pass(400);
    await pass(30_000);
    expect(receiver.received).toHaveLength(11);
    const { delayP99Ms = 0 } = (await getAlertSender().readSettings()).health;
    expect(delayP99Ms).toBeGreaterThan(29_000);
  });
});

describe("hours", () => {
  const NOON = { from: 12 * 60, to: 13 * 60, timeZone: "UTC" } as const;

  it("outside working hours hold an alert back until they begin", async () => {
    const minute = Math.floor(readNowMs() / MINUTE_MS) % 1_440;
    const from = (minute + 120) % 1_380;
    const workingHours = { days: [0, 1, 2, 3, 4, 5, 6], from, to: from + 60, timeZone: "UTC" };
    await getAlertSender().saveRule({ ...DEFAULT_RULE, workingHours }, ALERT_ORIGIN);
    await sendDue();
    await getAlertSender().take(createAlerts(1, 2, 3), 1);
    await pass(MINUTE_MS);
    expect(receiver.received).toEqual([]);
    await pass(((from - minute + 1_440) % 1_440) * MINUTE_MS);
    expect(receiver.titles).toEqual([expect.stringMatching(/^3 new issues/)]);
  });

  it("of a person are kept, for the person's own destinations", async () => {
    await getAlertSender().savePreferences("p1", { destinations: ["d1"], onlyAssigned: false });
    const quietHours = NOON;
    const preferences = { destinations: ["d1"], onlyAssigned: true, quietHours };
    await getAlertSender().savePreferences("p1", preferences);
    expect(await getAlertSender().readPreferences("p1")).toEqual(preferences);
  });

  it("never reach a person who is not a member of the project", async () => {
    await getAlertSender().saveDestination(createWebhook("own", { person: "p9" }), ALERT_ORIGIN);
    await getAlertSender().take(createAlerts(1), 1);
    await sendDue();
    expect(receiver.received.map(({ url }) => url)).toEqual(["https://hooks.example.com/d1"]);
  });
});

describe("alerts that were taken", () => {
  it("are taken once, however often they are handed over", async () => {
    await getAlertSender().take(createAlerts(1, 2), 1);
    await getAlertSender().take(createAlerts(1, 2), 1);
    await sendDue();
    await pass(2_000);
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_2"]);
  });

  it("are sent by an object that was killed before it sent them, with the same id", async () => {
    let isDown = true;
    receiver.plan = () => (isDown ? new Promise<Response>(() => {}) : OK());
    await getAlertSender().take(createAlerts(1), 1);
    await expect.poll(() => receiver.received).toHaveLength(1);
    await abortAllDurableObjects();
    isDown = false;
    await getAlertSender().readSettings();
    await sendDue();
    expect(receiver.received.map(({ id }) => id)).toEqual(["msg_1_1", "msg_1_1"]);
  });

  it("fill the inbox of a project without a destination", async () => {
    await getAlertSender().deleteDestination("d1");
    await log.append([createOldReport(1)]);
    await reportNow({ digest: "8G4M-R3N0", id: toReportId(77) });
    const inbox = await getAlertSender().readInbox("p1");
    expect(inbox).toMatchObject({
      unread: 1,
      messages: [{ title: "New issue", issues: [{ digest: "8G4M-R3N0" }] }],
    });
    await getAlertSender().markRead("p1", inbox.messages[0]?.id ?? "");
    expect((await getAlertSender().readInbox("p1")).unread).toBe(0);
    expect((await getAlertSender().readInbox("p2")).unread).toBe(1);
  });

  it("have links that are signed for the project, the issue and the action", async () => {
    await reportNow({});
    const { messages } = await getAlertSender().readInbox("p1");
    const query = new URL(messages[0]?.issues[0]?.links.resolve ?? "").searchParams;
    const link = {
      action: "resolve" as const,
      digest: query.get("digest") ?? "",
      untilMs: Number(query.get("until")),
      signature: query.get("signature") ?? "",
    };
    expect(await getAlertSender().verifyAction(link)).toBe(true);
    const forged = [
      { ...link, action: "ignore" as const },
      { ...link, digest: "8G4M-R3N0" },
      { ...link, untilMs: link.untilMs + 1 },
      { ...link, signature: `${link.signature}x` },
    ];
    for (const one of forged) expect(await getAlertSender().verifyAction(one)).toBe(false);
    clock.advance(8 * 24 * HOUR_MS);
    expect(await getAlertSender().verifyAction(link)).toBe(false);
  });
});
