/** The steps of tests that send alerts in the real objects. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect } from "vitest";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import type { NumberedAlert } from "#src/core/alerts/due-alert.ts";
import { type AlertRule, DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { Report } from "#src/core/report.ts";
import { readNowMs, START_MS } from "#support/clock/clock.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { eventually } from "#support/eventually.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getAlertSender, getIndex, log, projectStore } from "#support/store/store.ts";
import { ALERT_ORIGIN } from "./messages.ts";
import { PlannedReceiver } from "./planned-receiver.ts";

const HOUR_MS = 3_600_000;

/** For `AlertTables` on the tables of the object of the first project. */
export const TABLE_KEYS = { project: "1", readKeys: () => [], nowMs: readNowMs } as const;

/** Gives each test of a file a receiver, its webhook `d1` and a clock; resets all after it. */
export function setUpAlerts() {
  const receiver = new PlannedReceiver();
  const clock = new TestClock();
  beforeEach(async () => {
    receiver.start();
    clock.start();
    await getAlertSender().saveDestination(createWebhook("d1"), ALERT_ORIGIN);
  });
  afterEach(async () => {
    await getAlertSender().waitUntilIdle();
    clock.restore();
    await emptyStore();
    receiver.restore();
  });
  return { receiver, clock };
}

/** Saves the only rule of the project, and waits until the index has it. */
export async function saveOnlyRule(rule: Partial<AlertRule>): Promise<void> {
  const saved = await getAlertSender().saveRule(
    { ...DEFAULT_RULE, id: "r1", ...rule },
    ALERT_ORIGIN,
  );
  expect(saved).toMatchObject({ ok: true });
  await getAlertSender().deleteRule(DEFAULT_RULE.id);
  await pushRules();
}

/** A webhook of the project. */
export function createWebhook(id: string, over: Partial<Destination> = {}): Destination {
  const secret = `whsec_${btoa("0123456789abcdef01234567")}`;
  const settings = { kind: "webhook", url: `https://hooks.example.com/${id}`, secret } as const;
  return { id, name: `#${id}`, settings, ...over };
}

/** Appends reports that occur now, and waits until the alert sender has their alerts. */
export async function reportNow(...reports: readonly Partial<Report>[]): Promise<void> {
  const occurredAtMs = readNowMs();
  await log.append(
    reports.map((over) =>
      createReport(0, { id: createId(), occurredAtMs, receivedAtMs: occurredAtMs, ...over }),
    ),
  );
  await handOver();
}

/** A report that is too old for an alert of a new issue. */
export function createOldReport(n: number, over: Partial<Report> = {}): Report {
  return createReport(n, { occurredAtMs: START_MS - 2 * HOUR_MS + n, ...over });
}

/** Alerts of the issues with these numbers, as the index hands them over. */
export function createAlerts(...numbers: readonly number[]): NumberedAlert[] {
  const triggers = [{ kind: "new-issue" as const, rules: [DEFAULT_RULE.id] }];
  return numbers.map((n) => {
    const digest = `7F3K-${String(n).padStart(4, "0")}`;
    return { n, alert: { atMs: readNowMs(), digest, trust: "server", triggers } };
  });
}

/** A random id of a report. */
export function createId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Waits until the index has judged everything and handed its alerts over. */
export async function handOver(): Promise<void> {
  await projectStore.listNewestIssues();
  await eventually(async () => {
    const rows = await runInDurableObject(getIndex(), (_, { storage }) =>
      storage.sql.exec("SELECT n FROM alert_outbox").toArray(),
    );
    if (rows.length > 0) throw new Error(`${rows.length} alerts wait`);
  });
}

/** Waits until the index has the rules. */
export function pushRules(): Promise<void> {
  return eventually(async () => {
    await sendDue();
    const isPushed = await runInDurableObject(
      getAlertSender(),
      (_, { storage }) =>
        storage.sql
          .exec<{ pushed: number }>(
            "SELECT pushed_version = json_extract(body, '$.version') AS pushed FROM settings",
          )
          .one().pushed,
    );
    if (isPushed !== 1) throw new Error("the index has other rules");
  });
}

/** Sends what is due. */
export async function sendDue(): Promise<void> {
  await runDurableObjectAlarm(getAlertSender());
  await getAlertSender().waitUntilIdle();
}
