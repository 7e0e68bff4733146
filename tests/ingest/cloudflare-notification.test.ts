import { describe, expect, it } from "vitest";
import { parseNotification } from "#src/ingest/cloudflare-notification.ts";
import { getReport } from "#support/reports/parsed-items.ts";

/** The example of Cloudflare's documentation, with the texts of an alert. */
const alert = {
  account_id: "9035f53656c247e895c5a6939ae8a0e0",
  alert_correlation_id: "000eaa907ed24e78946d3a93adb2ae57",
  alert_event: "ALERT_STATE_EVENT_START",
  alert_type: "workers_observability_alert",
  data: {
    account: { id: "9035f53656c247e895c5a6939ae8a0e0", name: "shop" },
    config: { id: "1", name: "errors of the shop" },
    episode: { id: "2", summary: "count > 10", first_fired: "2026-11-29T15:04:05Z" },
    status: "FIRING",
  },
  name: "errors of the shop",
  policy_id: "749b911ea5d04344a58e45edd099b328",
  policy_name: "errors of the shop",
  text: "14 errors in 5 minutes",
  ts: 1_795_960_000,
};

describe("a notification of Cloudflare", () => {
  it("is a message with the name of its policy, and its data as a context", () => {
    expect(getReport(parseNotification(alert))).toMatchObject({
      kind: "message",
      side: "server",
      type: "Notification",
      message: "14 errors in 5 minutes",
      level: "error",
      occurredAtMs: 1_795_960_000_000,
      tags: [
        ["alert", "workers_observability_alert"],
        ["policy", "errors of the shop"],
      ],
      detail: { contexts: { alert: { status: "FIRING" } } },
    });
  });

  it("has the level that its data states", () => {
    const data = { severity: "INFO" };
    expect(getReport(parseNotification({ ...alert, data })).level).toBe("info");
  });

  it("is grouped by its type, its policy and its text", () => {
    expect(getReport(parseNotification(alert)).fingerprint).toEqual([
      "cloudflare-notification",
      "workers_observability_alert",
      "749b911ea5d04344a58e45edd099b328",
      "{{ default }}",
    ]);
  });

  it("counts once when it is delivered again, and twice when it fires again", () => {
    const key = (over: object = {}) =>
      getReport(parseNotification({ ...alert, ...over })).dedupeKey;
    expect(key()).toBe(key());
    expect(key({ ts: alert.ts + 300 })).not.toBe(key());
  });

  it.each([
    { name: "the end of an alert", fields: { ...alert, alert_event: "ALERT_STATE_EVENT_END" } },
    { name: "the test of a webhook", fields: { text: "Hello World! This is a test message." } },
  ])("$name is counted", ({ fields }) => {
    expect(parseNotification(fields)).toEqual({ outcome: "counted", item: "notification" });
  });

  it.each([
    { policy_id: "p", text: "t" },
    { alert_type: "t", text: "t", data: null, ts: "soon" },
  ])("has what there is of it: %j", (fields) => {
    expect(getReport(parseNotification(fields))).toMatchObject({ message: "t", level: "error" });
  });
});
