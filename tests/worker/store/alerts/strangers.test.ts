// Strangers know the public key and can repeat any error. Their reports cause no alert of a rule
// about servers, and none that silences a server's.

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { AlertRule } from "#src/core/alerts/rule.ts";
import {
  createOldReport,
  handOver,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { getAlertSender, getIndex, log, projectStore } from "#support/store/store.ts";

const HOUR_MS = 3_600_000;
const { receiver, clock } = setUpAlerts();

beforeEach(async () => {
  await log.append([createOldReport(1, { release: "1" })]);
  await projectStore.listNewestIssues();
});

/** The sketch of one user, another for each number. */
const createSketch = (n: number) => `${n.toString(16).padStart(2, "0")}1`;

const TRIGGERS: readonly AlertRule["triggers"][number][] = [
  { kind: "new-in-release" },
  { kind: "escalating" },
  { kind: "occurrences", count: 20, withinMs: HOUR_MS },
  { kind: "occurrences", count: 20, withinMs: 30 * 24 * HOUR_MS },
  { kind: "users", count: 5 },
];

it.each(
  (["public", "page"] as const).flatMap((trust) => TRIGGERS.map((one) => [trust, one] as const)),
)(
  "%s reports about an issue of servers make no alert of a rule for servers: %j",
  async (trust, trigger) => {
    await saveOnlyRule({ triggers: [trigger], minTrust: "server", coolDownMs: 0 });
    for (let n = 0; n < 30; n++)
      await reportNow({ trust, release: `99.${n}`, userSketch: createSketch(n) });
    await sendDue();
    expect(receiver.titles).toEqual([]);
  },
);

it.each(TRIGGERS)(
  "public reports about an issue of servers do not silence a rule for everyone: %j",
  async (trigger) => {
    await saveOnlyRule({ triggers: [trigger], coolDownMs: 24 * HOUR_MS });
    for (let n = 0; n < 30; n++)
      await reportNow({ trust: "public", release: `99.${n}`, userSketch: createSketch(n) });
    clock.advance(70_000);
    for (let n = 0; n < 30; n++) await reportNow({ release: "2", userSketch: createSketch(n) });
    clock.advance(3_000);
    await runDurableObjectAlarm(getIndex());
    await handOver();
    const { messages } = await getAlertSender().readInbox("p1");
    const ofServers = messages.filter(({ reasons }) =>
      reasons.some((one) => one.trigger === trigger.kind),
    );
    const levels = await readLevels();
    expect(ofServers.length).toBeGreaterThan(0);
    expect(levels).toContain("server");
    expect(levels.filter((level) => level === "public").length).toBeLessThanOrEqual(1);
  },
);

/** The levels of the alerts in the inbox. */
function readLevels(): Promise<readonly string[]> {
  return runInDurableObject(getAlertSender(), (_, { storage }) =>
    storage.sql
      .exec<{ trust: string }>("SELECT trust FROM inbox")
      .toArray()
      .map(({ trust }) => trust),
  );
}
