// Receivers that hang, refuse, redirect or ask for pauses, in the real object. Others do not notice
// them, and everything arrives after they recover. Tests set the clock forward.

import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { AlertIntake } from "#src/store/alerts/alert-intake.ts";
import { AlertTables } from "#src/store/alerts/tables/alert-tables.ts";
import type { StoredSettings } from "#src/store/alerts/tables/settings-table.ts";
import {
  createAlerts,
  createWebhook,
  sendDue,
  setUpAlerts,
  TABLE_KEYS,
} from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { getAlertSender } from "#support/store/store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OK = () => new Response("ok");

const { receiver, clock } = setUpAlerts();

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await sendDue();
}

async function take(...numbers: readonly number[]): Promise<void> {
  await getAlertSender().take(createAlerts(...numbers), 1);
}

/** The ids of the messages to a destination, in order. */
function listIds(destination = "d1"): readonly string[] {
  return receiver.received.filter(({ url }) => url.endsWith(`/${destination}`)).map(({ id }) => id);
}

async function saveSlack(): Promise<void> {
  const settings = { kind: "slack", url: "https://hooks.slack.com/services/slack" } as const;
  const slack: Destination = { id: "slack", name: "#slack", settings };
  await getAlertSender().saveDestination(slack, ALERT_ORIGIN);
  await getAlertSender().deleteDestination("d1");
}

/** Calls that wait for an answer. The promise belongs to the test, which alone may settle it. */
class HangingCalls {
  count = 0;
  #pending = Promise.withResolvers<Response>();

  add(): Promise<Response> {
    this.count += 1;
    return this.#pending.promise;
  }

  /** Ends all calls as after their time limit. */
  cut(): void {
    clock.advance(10_000);
    const { reject } = this.#pending;
    this.#pending = Promise.withResolvers();
    this.count = 0;
    reject(new Error("cut"));
  }
}

describe("destinations that hang", () => {
  it.each([1, 6, 12, 34])("delay no other one, if %i of them are called first", async (count) => {
    const calls = new HangingCalls();
    receiver.plan = (_, url) => (url.includes("/sick") ? calls.add() : OK());
    await getAlertSender().deleteDestination("d1");
    for (let n = 0; n < count; n++)
      await getAlertSender().saveDestination(createWebhook(`sick${n}`), ALERT_ORIGIN);
    await getAlertSender().saveDestination(createWebhook("healthy"), ALERT_ORIGIN);
    await take(1);
    const sending = sendDue();
    await expect.poll(() => listIds("healthy")).toEqual(["msg_1_1"]);
    expect(calls.count).toBe(count);
    clock.advance(2_000);
    await take(2);
    await expect.poll(() => listIds("healthy")).toEqual(["msg_1_1", "msg_1_2"]);
    calls.cut();
    await sending;
    clock.advance(10_000);
    const retrying = sendDue();
    await expect.poll(() => calls.count).toBe(Math.min(count, 2));
    await take(3);
    await expect.poll(() => listIds("healthy")).toEqual(["msg_1_1", "msg_1_2", "msg_1_3"]);
    expect(calls.count).toBe(Math.min(count, 2));
    receiver.plan = OK;
    calls.cut();
    await retrying;
  });

  it("do not delay the retry of another one", async () => {
    const calls = new HangingCalls();
    const answers = [new Response("no", { status: 500 })];
    receiver.plan = (_, url) => (url.includes("/sick") ? calls.add() : (answers.pop() ?? OK()));
    await getAlertSender().saveDestination(createWebhook("sick"), ALERT_ORIGIN);
    await take(1);
    const sending = sendDue();
    await expect.poll(() => listIds()).toEqual(["msg_1_1"]);
    await expect.poll(() => getAlertSender().listDeliveries()).toHaveLength(1);
    clock.advance(6_000);
    await expect.poll(() => listIds(), { timeout: 5_000 }).toEqual(["msg_1_1", "msg_1_1"]);
    calls.cut();
    await sending;
  });
});

describe("a service that asks for a pause", () => {
  const LONG = { headers: { "retry-after": "999999999999" }, status: 429 };

  it("is granted an hour at most, which is shown", async () => {
    receiver.plan = (n) => (n === 0 ? new Response("", LONG) : OK());
    await take(1, 2);
    await sendDue();
    const [destination] = (await getAlertSender().readSettings()).destinations;
    const pauseMs = (destination?.pausedUntilMs ?? 0) - readNowMs();
    expect(pauseMs).toBeGreaterThan(HOUR_MS - 5_000);
    expect(pauseMs).toBeLessThanOrEqual(HOUR_MS);
    await pass(HOUR_MS - MINUTE_MS);
    expect(listIds()).toEqual(["msg_1_1"]);
    await pass(2 * MINUTE_MS);
    await pass(2_000);
    expect(listIds()).toEqual(["msg_1_1", "msg_1_1", "msg_1_2"]);
    expect((await getAlertSender().readSettings()).destinations[0]).not.toHaveProperty(
      "pausedUntilMs",
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a test that succeeds", () => getAlertSender().sendTest("d1")],
    ["a request for the destination", () => getAlertSender().sendWaiting("d1")],
    ["a request for the message", () => getAlertSender().sendAgain("msg_1_1")],
  ])("waits no longer after %s", async (_, release) => {
    receiver.plan = (n) => (n === 0 ? new Response("", LONG) : OK());
    await take(1, 2);
    await sendDue();
    clock.advance(2_000);
    await release();
    await sendDue();
    await pass(1_000);
    await pass(1_000);
    const ids = listIds().filter((id) => !id.startsWith("test_"));
    expect(ids).toEqual(["msg_1_1", "msg_1_1", "msg_1_2"]);
  });

  it("can be unknown", async () => {
    expect(await getAlertSender().sendWaiting("unknown")).toBe(false);
  });
});

describe("a receiver that recovers", () => {
  it("receives what waits at once after a newer message, the oldest first", async () => {
    let isDown = true;
    receiver.plan = () => (isDown ? new Response("", { status: 503 }) : OK());
    await take(1, 2);
    for (let n = 0; n < 60; n++) await pass(10_000);
    isDown = false;
    receiver.received = [];
    await take(3);
    await sendDue();
    for (let n = 0; n < 3; n++) await pass(1_000);
    expect(listIds()).toEqual(["msg_1_3", "msg_1_1", "msg_1_2"]);
  });

  it("that refuses one message forever is not called more and more for it", async () => {
    receiver.plan = (n) =>
      receiver.received[n]?.id === "msg_1_1" ? new Response("", { status: 500 }) : OK();
    await take(1);
    await sendDue();
    for (let n = 2; n < 30; n++) {
      await take(n);
      await pass(20_000);
      await pass(1_000);
    }
    expect(listIds().filter((id) => id === "msg_1_1").length).toBeLessThanOrEqual(7);
    expect(listIds().filter((id) => id !== "msg_1_1")).toHaveLength(28);
  });

  it("receives newer messages before the retry of one that it refused with 400", async () => {
    receiver.plan = (n) =>
      receiver.received[n]?.id === "msg_1_1" ? new Response("", { status: 400 }) : OK();
    await take(1, 2);
    await sendDue();
    await pass(500);
    expect(listIds()).toEqual(["msg_1_1", "msg_1_2"]);
  });
});

describe("a status that a proxy may send", () => {
  it.each([
    [404, "404 page not found"],
    [403, "error code: 1020"],
  ])("is retried, and disables the destination after an hour of it: %i", async (status, text) => {
    await saveSlack();
    receiver.plan = () => new Response(text, { status });
    await take(1);
    await sendDue();
    for (let n = 0; n < 11; n++) await pass(5 * MINUTE_MS);
    const readDisabled = async () =>
      (await getAlertSender().readSettings()).destinations[0]?.disabled?.reason;
    expect(await readDisabled()).toBeUndefined();
    await take(2);
    for (let n = 0; n < 4; n++) await pass(5 * MINUTE_MS);
    expect(await readDisabled()).toBe(
      `The service refused every message for an hour with status ${status}: ${text}`,
    );
  });

  it("does not disable a destination that answered otherwise in between", async () => {
    await saveSlack();
    let status = 404;
    receiver.plan = () => new Response("no", { status });
    for (let n = 1; n < 30; n++) {
      await take(n);
      status = status === 404 ? 502 : 404;
      await pass(10 * MINUTE_MS);
    }
    const [slack] = (await getAlertSender().readSettings()).destinations;
    expect(slack?.disabled).toBeUndefined();
  });
});

describe("a message that cannot be delivered", () => {
  it("is retried twice after a redirect, announced to others once, marked on every page", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    const headers = { location: "https://login.example/" };
    receiver.plan = (_, url) =>
      url.endsWith("/d1") ? new Response("", { status: 302, headers }) : OK();
    await take(1, 2);
    for (let n = 0; n < 20; n++) await pass(10_000);
    for (const id of ["msg_1_1", "msg_1_2"])
      expect(listIds().filter((one) => one === id)).toHaveLength(3);
    const titles = receiver.received
      .filter(({ url }) => url.endsWith("/d2"))
      .map(({ data }) => data.title);
    expect(titles.filter((title) => title === "An alert was not delivered")).toHaveLength(1);
    expect((await getAlertSender().listDeliveries())[0]).toMatchObject({ result: "failed" });
    expect(await getAlertSender().readMarks("p1")).toMatchObject({ isFailing: true });
    receiver.plan = OK;
    await getAlertSender().sendTest("d1");
    expect(await getAlertSender().readMarks("p1")).toMatchObject({ isFailing: false });
  });

  it("of a person is marked for the person, and others see no address", async () => {
    const settings = { kind: "email", to: ["ada@example.com"] } as const;
    const own = { id: "own", name: "ada@example.com", person: "p1", settings };
    await getAlertSender().saveDestination(own, ALERT_ORIGIN);
    await runInDurableObject(getAlertSender(), (_, { storage }) => {
      const tables = new AlertTables(storage, TABLE_KEYS);
      const get = () => tables.settings.get() as StoredSettings;
      const deps = { project: "1", tables, settings: { get }, nowMs: readNowMs };
      const intake = new AlertIntake({ ...deps, createId: () => "1" });
      tables.destinations.save("own", { isUndelivered: true });
      tables.transaction(() => intake.addUndelivered(own));
      tables.transaction(() => intake.addDisabled(own));
    });
    for (let n = 0; n < 3; n++) await pass(1_000);
    expect(receiver.titles).toEqual(["An alert was not delivered", "A destination was disabled"]);
    expect(JSON.stringify(receiver.received)).not.toContain("ada@example.com");
    expect(await getAlertSender().readMarks("p2")).toMatchObject({ isFailing: false });
    expect(await getAlertSender().readMarks("p1")).toMatchObject({ isFailing: true });
  });
});

describe("a destination that was disabled", () => {
  it("receives one summary of everything that it missed, once it is enabled", async () => {
    let isGone = true;
    receiver.plan = () => (isGone ? new Response("", { status: 410 }) : OK());
    await take(1, 2);
    await sendDue();
    await take(3);
    await pass(MINUTE_MS);
    expect(listIds()).toEqual(["msg_1_1"]);
    expect(await getAlertSender().readMarks("p1")).toMatchObject({ isFailing: true });
    isGone = false;
    await getAlertSender().enableDestination("d1");
    await sendDue();
    await pass(MINUTE_MS);
    expect(receiver.received.slice(1)).toMatchObject([
      {
        type: "alerts.summary",
        data: { summary: { issues: 3, digests: ["7F3K-0001", "7F3K-0002", "7F3K-0003"] } },
      },
    ]);
    expect((await getAlertSender().readSettings()).health).toMatchObject({ undelivered: 0 });
    await take(4);
    await pass(MINUTE_MS);
    expect(receiver.received.at(-1)?.id).toBe("msg_1_4");
  });

  it("misses only what its rules would have sent", async () => {
    await getAlertSender().saveDestination(createWebhook("d2"), ALERT_ORIGIN);
    await getAlertSender().saveRule({ ...DEFAULT_RULE, destinations: ["d2"] }, ALERT_ORIGIN);
    receiver.plan = () => new Response("", { status: 410 });
    await getAlertSender().sendTest("d1");
    await take(1);
    await sendDue();
    await take(2);
    receiver.plan = OK;
    receiver.received = [];
    for (const id of ["d1", "d2"]) await getAlertSender().enableDestination(id);
    await pass(MINUTE_MS);
    await pass(MINUTE_MS);
    const issues = receiver.received.filter(({ type }) => type !== "project.delivery");
    expect(issues.map(({ url, data }) => [url, data.summary?.issues])).toEqual([
      ["https://hooks.example.com/d2", 2],
    ]);
  });
});
