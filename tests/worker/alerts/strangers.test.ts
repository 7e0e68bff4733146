// Strangers know the public key and can repeat any error. They do not alarm a team about an issue
// that its servers reported.

import { afterEach, beforeEach, expect, it } from "vitest";
import { DEFAULT_RULE } from "../../../src/core/alerts/default-rule.ts";
import type { AlertRule } from "../../../src/core/alerts/rule.ts";
import {
  ALERT_ORIGIN,
  aWebhook,
  PlannedReceiver,
  pushRules,
  reportNow,
  sendDue,
  TestClock,
} from "../../support/alerts/planned-receiver.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { alertSender, log, projectStore } from "../../support/store.ts";

const HOUR_MS = 3_600_000;
let receiver: PlannedReceiver;
let clock: TestClock;

beforeEach(async () => {
  receiver = new PlannedReceiver();
  clock = new TestClock();
  await alertSender().saveDestination(aWebhook("d1"), ALERT_ORIGIN);
  await log.append([aReport(1, { release: "1" })]);
  await projectStore.listNewestIssues();
});

afterEach(async () => {
  await alertSender().waitUntilIdle();
  clock.restore();
  await fresh();
  receiver.restore();
});

async function saveRule(rule: Partial<AlertRule>): Promise<void> {
  const saved = await alertSender().saveRule({ ...DEFAULT_RULE, id: "r1", ...rule }, ALERT_ORIGIN);
  expect(saved).toMatchObject({ ok: true });
  await alertSender().deleteRule(DEFAULT_RULE.id);
  await pushRules();
}

it.each<[AlertRule["triggers"][number]]>([
  [{ kind: "new-in-release" }],
  [{ kind: "escalating" }],
  [{ kind: "occurrences", count: 20, withinMs: HOUR_MS }],
  [{ kind: "users", count: 5 }],
])("public reports about an issue of servers make no alert: %j", async (trigger) => {
  await saveRule({ triggers: [trigger], coolDownMs: 0 });
  for (let n = 0; n < 30; n++) await reportNow({ trust: "public", release: `99.${n}` });
  await sendDue();
  expect(receiver.titles).toEqual([]);
});
