// The details of messages, which the log, the releases and the activity have.

import { describe, expect, it } from "vitest";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import { createOldReport, reportNow, sendDue, setUpAlerts } from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { REPORTS } from "#support/alerts/typical-errors.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { getAlertSender, getIndex, log, projectStore } from "#support/store/store.ts";

const { receiver, clock } = setUpAlerts();
const DIGEST = "7F3K-Q2M9";

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await sendDue();
}

describe("a message", () => {
  it("has the path and line of the throwing frame, its source and the cause", async () => {
    await log.append([createOldReport(1, { digest: "8G4M-R3N0" })]);
    const { causes } = REPORTS.java;
    await reportNow({ ...REPORTS.node, causes, level: "fatal", digest: DIGEST });
    await sendDue();
    expect(receiver.received[0]?.data.issues[0]).toMatchObject({
      place: "src/cart/total.ts:41 in addItem",
      source: "return sum + item.price * item.quantity;",
      cause: expect.stringMatching(/^SQLTransientConnectionException: Connection is not/),
      level: "fatal",
    });
  });

  it("says who resolved an issue that returned, and in which release", async () => {
    await log.append([createOldReport(1, { digest: DIGEST, release: "2.3.0" })]);
    await projectStore.listNewestIssues();
    await getIndex().decide(DIGEST, { state: "resolved", release: "2.3.0", by: "Ada" });
    clock.advance(60_000);
    await reportNow({ digest: DIGEST, release: "2.3.0" });
    await sendDue();
    expect(receiver.received.at(-1)?.data.issues[0]?.resolved).toMatchObject({
      by: "Ada",
      release: "2.3.0",
    });
  });
});

describe("a test of a destination", () => {
  it("has the newest issue, or a made-up one that says so", async () => {
    await getAlertSender().sendTest("d1");
    expect(receiver.received[0]).toMatchObject({ type: "alerts.test" });
    expect(receiver.received[0]?.data.issues[0]?.digest).toBe("TEST-TEST");
    await log.append([createOldReport(1, { ...REPORTS.ruby, digest: DIGEST })]);
    await projectStore.listNewestIssues();
    clock.advance(2_000);
    await getAlertSender().sendTest("d1");
    expect(receiver.received[1]?.data.issues[0]).toMatchObject({
      digest: DIGEST,
      place: "app/models/order.rb:64 in reserve!",
    });
  });
});

describe("an incident of a pager", () => {
  const PAGER: Destination = {
    id: "pager",
    name: "On call",
    settings: { kind: "pagerduty", token: "a".repeat(32) },
  };
  const listEvents = () =>
    receiver.received
      .filter(({ url }) => url === "https://events.pagerduty.com/v2/enqueue")
      .map(({ body }) => [body.event_action, body.dedup_key]);

  it("is resolved when the issue is, with the key of its alert, and by nothing else", async () => {
    await getAlertSender().saveDestination(PAGER, ALERT_ORIGIN);
    await reportNow({ digest: DIGEST });
    await sendDue();
    expect(listEvents()).toEqual([["trigger", `errata-1-${DIGEST}`]]);
    await getIndex().decide(DIGEST, { state: "snoozed" });
    await getIndex().decide(DIGEST, { state: "resolved", by: "Ada" });
    await expect
      .poll(async () => {
        await pass(2_000);
        return listEvents();
      })
      .toEqual([
        ["trigger", `errata-1-${DIGEST}`],
        ["resolve", `errata-1-${DIGEST}`],
      ]);
    expect(receiver.received.filter(({ url }) => url.endsWith("/d1"))).toHaveLength(1);
    expect((await getAlertSender().readInbox("p1")).messages).toHaveLength(1);
  });

  it("is not sent for an issue without an alert", async () => {
    await getAlertSender().saveDestination(PAGER, ALERT_ORIGIN);
    await log.append([createOldReport(1, { digest: DIGEST, occurredAtMs: readNowMs() - 9e6 })]);
    await projectStore.listNewestIssues();
    await getIndex().decide(DIGEST, { state: "resolved" });
    await pass(5_000);
    expect(listEvents()).toEqual([]);
  });
});
