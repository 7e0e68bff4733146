// The rows and requests of one alert, in the real objects.

import { afterEach, expect, it, vi } from "vitest";
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
import { recordStatements } from "../../support/recorded-statements.ts";
import { alertSender } from "../../support/store.ts";

const TABLES = /\b(alert_\w+|inbox|taken|delivery|destination_state|attempt|held)\b/;

afterEach(async () => {
  await alertSender().waitUntilIdle();
  vi.restoreAllMocks();
  await fresh();
});

it("an alert writes ten rows and sends one request; an ordinary report writes none", async () => {
  const receiver = new PlannedReceiver();
  const clock = new TestClock();
  await alertSender().saveDestination(aWebhook("d1"), ALERT_ORIGIN);
  await pushRules();
  await reportNow({ digest: "8G4M-R3N0" });
  await sendDue();
  // Two messages are a second apart.
  clock.advance(2_000);
  const recorder = await recordStatements();
  const countRows = () =>
    recorder
      .take()
      .filter(({ sql }) => TABLES.test(sql) && !sql.startsWith("CREATE"))
      .reduce((rows, { rowsWritten }) => rows + rowsWritten, 0);
  await reportNow({});
  await sendDue();
  const written = countRows();
  expect(written).toBe(10);
  await reportNow({});
  await sendDue();
  expect(countRows()).toBe(0);
  expect(receiver.received).toHaveLength(2);
  clock.restore();
});
