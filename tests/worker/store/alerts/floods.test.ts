// While a key floods the project, the issues of few networks send no alerts of their own, and an
// outage that many networks see does.

import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import {
  handOver,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { getAlertSender, getIndex, projectStore } from "#support/store/store.ts";

const { receiver, clock } = setUpAlerts();
const HOUR_MS = 3_600_000;
const INVENTED = 60;
/** One that begins during the flood. */
const FOLDED = 40;
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

it("an issue of a flood that has ended sends its alert when it spreads, once", async () => {
  await saveOnlyRule({ triggers: [{ kind: "new-issue" }] });
  for (let n = 0; n < INVENTED; n++) await reportNow(report(n, SENDER));
  const flooded = await readAlerted();
  const folded = toDigest(FOLDED);
  expect(flooded).not.toContain(folded);
  clock.advance(3 * HOUR_MS);
  for (let n = 1; n < limits.minUnfoldedNetworks - 1; n++)
    await reportNow(report(FOLDED, SENDER + n));
  expect(await readAlerted()).toEqual(flooded);
  await abortAllDurableObjects();
  for (let n = 4; n < 9; n++) await reportNow(report(FOLDED, SENDER + n));
  const alerted = await readAlerted();
  expect(alerted.filter((digest) => digest === folded)).toEqual([folded]);
  expect(alerted).toHaveLength(flooded.length + 1);
  const { issues, floods } = await projectStore.listIssues(parseIssueQuery("is:open"));
  expect(floods).toBeUndefined();
  expect(issues[0]?.digest).toBe(folded);
});

it("an issue sends no second alert after a flood has folded it", async () => {
  await saveOnlyRule({ triggers: [{ kind: "new-issue" }] });
  await reportNow(report(0, SENDER));
  const alerted = [toDigest(0)];
  expect(await readAlerted()).toEqual(alerted);
  for (let n = 1; n < INVENTED; n++) await reportNow(report(n, SENDER));
  for (let n = 1; n < 9; n++) await reportNow(report(0, SENDER + n));
  expect((await readAlerted()).filter((digest) => digest === alerted[0])).toEqual(alerted);
});

/** Lets time pass in steps of a minute, and sends what becomes due. */
async function wait(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    clock.advance(60_000);
    await runDurableObjectAlarm(getIndex());
    await handOver();
    await sendDue();
  }
}

const listFloodTitles = () => receiver.titles.filter((title) => title.startsWith("Flood"));

it("a flood sends one message after the burst, and another one when it is ten times as large", async () => {
  await saveOnlyRule({ triggers: [{ kind: "new-issue" }, { kind: "escalating" }] });
  for (let n = 0; n < INVENTED; n++) await reportNow(report(n, SENDER));
  await wait(5);
  expect(receiver.titles.filter((title) => title === "New issue").length).toBeLessThanOrEqual(10);
  expect(receiver.titles.filter((title) => title !== "New issue")).toEqual([
    "Flood from browsers: 60 reports, 50 issues, 1 network",
  ]);
  const flood = receiver.received.find(({ type }) => type === "project.flood");
  expect(flood?.data).toMatchObject({
    listUrl: expect.stringMatching(/\/issues\?q=is%3Afolded&sort=count$/),
    reasons: [{ rules: [{ name: DEFAULT_RULE.name }] }],
  });

  await reportNow(...new Array(500).fill(report(40, SENDER)));
  await wait(15);
  expect(listFloodTitles()).toHaveLength(1);
  await reportNow(...new Array(40).fill(report(41, SENDER)));
  await wait(15);
  expect(listFloodTitles().at(1)).toMatch(/^Flood from browsers: \d{3} reports, 50 issues/);
  await wait(30);
  expect(listFloodTitles()).toHaveLength(2);
});

it("a flood sends no message if no rule asks for its issues", async () => {
  await saveOnlyRule({ triggers: [{ kind: "new-issue" }], minTrust: "page" });
  for (let n = 0; n < INVENTED; n++) await reportNow(report(n, SENDER));
  await wait(5);
  expect(receiver.titles).toEqual([]);
});
