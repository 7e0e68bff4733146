// While a key floods the project, the issues of few networks send no alerts of their own, and an
// outage that many networks see does.

import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import {
  handOver,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { getAlertSender, getIndex } from "#support/store/store.ts";

const { clock } = setUpAlerts();
const INVENTED = 60;
/** The network that sends them. */
const SENDER = 1;

const toDigest = (n: number) => `7F3K-${String(n).padStart(4, "0")}`;
const toSketch = (network: number) => network.toString(16).padStart(6, "0");
const report = (n: number, network: number) => ({
  ...{ digest: toDigest(n), type: `Invented${n}Error`, trust: "public" as const },
  ...{ senderKey: "key-1", networkSketch: toSketch(network) },
});

async function readAlerted(): Promise<readonly string[]> {
  clock.advance(3_000);
  await runDurableObjectAlarm(getIndex());
  await handOver();
  await sendDue();
  const { messages } = await getAlertSender().readInbox("p1");
  return messages.flatMap(({ issues }) => issues.map(({ digest }) => digest));
}

it("issues of a flood send no alert until reports of five networks arrive", async () => {
  await saveOnlyRule({ triggers: [{ kind: "new-issue" }] });
  for (let n = 0; n < INVENTED; n++) await reportNow(report(n, SENDER));
  const flooded = await readAlerted();
  expect(flooded.length).toBeLessThanOrEqual(20);
  const heldBack = await getAlertSender().listHeldBack();
  expect(heldBack.map(({ reason }) => reason).join("\n")).toMatch(/flood/);

  const outage = toDigest(INVENTED);
  for (let n = 1; n < limits.minUnfoldedNetworks; n++)
    await reportNow(report(INVENTED, SENDER + n));
  expect(await readAlerted()).not.toContain(outage);
  await reportNow(report(INVENTED, SENDER + limits.minUnfoldedNetworks));
  expect(await readAlerted()).toContain(outage);
});
