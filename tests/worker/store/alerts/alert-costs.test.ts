// The rows and requests of one alert, in the real objects.

import { afterEach, expect, it, vi } from "vitest";
import { pushRules, reportNow, sendDue, setUpAlerts } from "#support/alerts/alert-steps.ts";
import { recordStatements } from "#support/store/recorded-statements.ts";

const TABLES = /\b(alert_\w+|inbox|taken|delivery|destination_state|attempt|held)\b/;

afterEach(() => vi.restoreAllMocks());
const { receiver, clock } = setUpAlerts();

it("an alert writes twelve rows and sends one request; an ordinary report writes none", async () => {
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
  expect(written).toBe(12);
  await reportNow({});
  await sendDue();
  expect(countRows()).toBe(0);
  expect(receiver.received).toHaveLength(2);
});
