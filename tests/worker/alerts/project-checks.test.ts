// Alerts about a project, which the alert sender checks from time to time in the real objects.

import { expect, it } from "vitest";
import { saveOnlyRule, sendDue, setUpAlerts } from "../../support/alerts/alert-steps.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { log, projectStore } from "../../support/store.ts";

const HOUR_MS = 3_600_000;
const { receiver, clock } = setUpAlerts();

it("a release whose crash-free rate is too low makes one alert per day", async () => {
  const triggers = [{ kind: "crash-free" as const, below: 0.99 }];
  await saveOnlyRule({ triggers });
  const sessions = (status: string, count: number) =>
    [["session", "server", "1.4.0", "production", status], count] as const;
  await log.append([], [sessions("started", 1_000), sessions("crashed", 30)]);
  for (let quarter = 0; quarter < 8; quarter++) {
    clock.advance(HOUR_MS / 4);
    await sendDue();
  }
  expect(receiver.received.map(({ data }) => data.reasons[0]?.text)).toEqual([
    "97 % of the sessions of 1.4.0 did not crash; the limit is 99 %.",
  ]);
});

it("ingestion that stopped makes one alert until reports arrive again", async () => {
  await saveOnlyRule({ triggers: [{ kind: "ingestion" }] });
  const nowMs = Date.now();
  const reports = Array.from({ length: 60 }, (_, hour) =>
    aReport(hour, { id: reportId(hour + 1), occurredAtMs: nowMs - hour * HOUR_MS }),
  );
  await log.append(reports);
  await projectStore.listNewestIssues();
  await sendDue();
  expect(receiver.received).toEqual([]);
  for (let hour = 0; hour < 4; hour++) {
    clock.advance(HOUR_MS);
    await sendDue();
  }
  expect(receiver.titles).toEqual(["Ingestion changed"]);
});
