// Hand-offs to coding agents, in the real objects: the index decides and records, and the alert
// sender sends. The receiver stands in for the agent.

import { describe, expect, it } from "vitest";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import { HAND_OFF_DELAY_MS } from "#src/core/alerts/hand-off.ts";
import { limits } from "#src/core/limits.ts";
import {
  createId,
  createOldReport,
  createWebhook,
  handOver,
  pushRules,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { toReportId } from "#support/reports/reports.ts";
import { finishJobs, getAlertSender, log, projectStore } from "#support/store/store.ts";

const A = "7F3K-Q2M9";
const DAY_MS = 86_400_000;
const PULL = "https://github.com/acme/shop/pull/5";
const CHANGE = toReportId(7);

const { receiver, clock } = setUpAlerts();

/** A destination that leads to an agent. */
function createAgent(id: string, over: object = {}): Destination {
  const { settings } = createWebhook(id);
  return {
    id,
    name: `Agent ${id}`,
    settings: { ...settings, kind: "agent", ...over },
  } as Destination;
}

async function saveAgents(...agents: readonly Destination[]): Promise<void> {
  for (const agent of agents)
    expect(await getAlertSender().saveDestination(agent, ALERT_ORIGIN)).toMatchObject({ ok: true });
  await pushRules();
}

/** An agent, and a rule that names it. */
async function setUpAgent(over: object = {}): Promise<void> {
  await saveAgents(createAgent("a1", over));
  const triggers = [{ kind: "new-issue" }, { kind: "regressed" }, { kind: "escalating" }] as const;
  await saveOnlyRule({ destinations: ["a1"], triggers: [...triggers], coolDownMs: 0 });
}

const listSent = () => receiver.received.map(({ url, type, body }) => ({ url, type, ...body }));
const listRefusals = async () =>
  (await getAlertSender().listHeldBack()).map(({ digest, reason }) => [digest, reason]);
const readFix = async (digest = A) => (await projectStore.getAnnotations(digest)).fix;

/** Sends what is due, several times, because a destination has a pace. */
async function settle(): Promise<void> {
  await handOver();
  for (let n = 0; n < 4; n++) {
    await sendDue();
    clock.advance(1_100);
  }
}

describe("a rule that names an agent", () => {
  it("hands a new issue of a server off: identifiers only, signed, and recorded", async () => {
    await setUpAgent();
    await reportNow({});
    await settle();
    expect(listSent()).toEqual([
      {
        url: "https://hooks.example.com/a1",
        type: "issue.handed_off",
        timestamp: expect.stringMatching(/^20/),
        data: {
          id: receiver.received[0]?.id,
          digest: A,
          project: "1",
          url: `${ALERT_ORIGIN}/d/${A}`,
          mcp: `${ALERT_ORIGIN}/mcp`,
          prompt: "fix_issue",
        },
      },
    ]);
    expect(receiver.received[0]?.signature).toMatch(/^v1,/);
    const message = receiver.received[0]?.id;
    expect((await readFix())?.handOffs).toMatchObject([{ to: "a1", name: "Agent a1", message }]);
    const [attempt] = await getAlertSender().listDeliveries();
    expect(attempt).toMatchObject({ title: "Hand-off", digest: A, result: "delivered" });
  });

  it("hands it off once, whatever else happens to it, and the page of deliveries says so", async () => {
    await saveAgents(createAgent("a1"));
    const often = { kind: "occurrences", count: 10, withinMs: DAY_MS } as const;
    await saveOnlyRule({ destinations: ["a1"], triggers: [{ kind: "new-issue" }, often] });
    await reportNow({});
    await settle();
    clock.advance(120_000);
    await reportNow(...Array.from({ length: 20 }, () => ({})));
    await settle();
    expect(listSent()).toHaveLength(1);
    const [[digest, reason] = []] = await listRefusals();
    expect([digest, reason]).toEqual([
      A,
      expect.stringMatching(/: an agent has the issue\. It is handed off again if it comes back/),
    ]);
  });

  it("a rule without destinations hands nothing off", async () => {
    await saveAgents(createAgent("a1"));
    await saveOnlyRule({ destinations: [] });
    await reportNow({});
    await settle();
    expect(listSent().map(({ url }) => url)).toEqual(["https://hooks.example.com/d1"]);
  });

  it("two agents of one rule do not get the same issue", async () => {
    await saveAgents(createAgent("a1"), createAgent("a2"));
    await saveOnlyRule({ destinations: ["a1", "a2"] });
    await reportNow({});
    await settle();
    expect(listSent()).toHaveLength(1);
  });

  it.each(["public", "page"] as const)(
    "does not hand off an issue of %s reports",
    async (trust) => {
      await setUpAgent();
      await reportNow({ trust });
      await settle();
      expect(listSent()).toEqual([]);
      expect(await listRefusals()).toEqual([
        [A, expect.stringContaining("only issues that servers reported are handed to agents.")],
      ]);
      expect(await readFix()).toBeUndefined();
    },
  );

  it("does not hand off an issue that a change is about to fix", async () => {
    await setUpAgent();
    await log.append([createOldReport(1)]);
    await projectStore.recordFixEvents([
      { digests: [A], kind: "proposed", url: PULL, atMs: readNowMs() },
    ]);
    await reportNow(...Array.from({ length: 40 }, () => ({})));
    await settle();
    expect(listSent()).toEqual([]);
    expect(await listRefusals()).toEqual([
      [A, expect.stringContaining("a change that fixes the issue is proposed or merged.")],
    ]);
  });

  it("does not hand off an issue that was resolved before its message is sent", async () => {
    await setUpAgent();
    receiver.plan = () => new Response("later", { status: 503 });
    await reportNow({});
    await settle();
    await projectStore.decide(A, { state: "resolved" });
    receiver.plan = () => new Response("ok");
    clock.advance(DAY_MS);
    await settle();
    expect(listSent()).toHaveLength(1);
    expect((await listRefusals()).at(0)).toEqual([
      A,
      expect.stringContaining("the issue is resolved, snoozed or archived."),
    ]);
  });

  it("sends a message again with its id until the agent accepts it", async () => {
    await setUpAgent();
    receiver.plan = (n) => new Response("", { status: n === 0 ? 502 : 200 });
    await reportNow({});
    await settle();
    clock.advance(60_000);
    await settle();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect((await readFix())?.handOffs).toHaveLength(1);
  });

  it("hands off as many issues a day as the settings say", async () => {
    await setUpAgent({ dailyCap: "2" });
    const digests = ["0000-0000", "0000-1001", "0000-2002"];
    for (const digest of digests) {
      await reportNow({ digest });
      await settle();
    }
    expect(listSent()).toHaveLength(2);
    expect(await listRefusals()).toEqual([
      [digests[2], expect.stringContaining("had all of its hand-offs of the day.")],
    ]);
    clock.advance(DAY_MS);
    await reportNow({ digest: "0000-3003" });
    await settle();
    expect(listSent()).toHaveLength(3);
  });

  it("gets nothing that it missed while it was disabled", async () => {
    await setUpAgent();
    receiver.plan = () => new Response("", { status: 410 });
    await reportNow({});
    await settle();
    receiver.plan = () => new Response("ok");
    await reportNow({ digest: "0000-0000" });
    await settle();
    await getAlertSender().enableDestination("a1");
    await settle();
    expect(listSent().filter(({ type }) => type !== "issue.handed_off")).not.toContainEqual(
      expect.objectContaining({ url: "https://hooks.example.com/a1" }),
    );
    expect(await readFix("0000-0000")).toBeUndefined();
  });
});

describe("an issue that comes back", () => {
  /** A fix by the agent, and a report in its release. */
  async function comeBack(trust: "server" | "public" = "server"): Promise<void> {
    await projectStore.recordFixEvents([
      { digests: [A], kind: "merged", url: PULL, atMs: readNowMs() },
    ]);
    await projectStore.decide(A, { state: "resolved", release: "1.4.2" });
    clock.advance(60_000);
    await reportNow({ release: "1.4.3", trust });
    await settle();
  }

  it("goes to its agent again, once, with evidence in identifiers and counts", async () => {
    await setUpAgent();
    await reportNow({ release: "1.4.1" });
    await settle();
    await comeBack();
    await reportNow({ release: "1.4.3" });
    await settle();
    expect(listSent()).toHaveLength(2);
    expect(listSent()[1]).toMatchObject({
      type: "issue.came_back",
      data: {
        digest: A,
        return: {
          resolved: expect.stringMatching(/^20.*Z$/),
          returned: expect.stringMatching(/^20.*Z$/),
          reports: 2,
          users: expect.any(Number),
          change: { url: PULL },
        },
      },
    });
    expect((await readFix())?.handOffs).toMatchObject([{ to: "a1" }, { to: "a1" }]);
    const titles = (await getAlertSender().listDeliveries()).map(({ title }) => title);
    expect(titles).toEqual(["Hand-off: came back", "Hand-off"]);
  });

  it("goes to the agent that a member chose, without any rule", async () => {
    await saveAgents(createAgent("a1"));
    await saveOnlyRule({ destinations: ["d1"], triggers: [{ kind: "user-feedback" }] });
    await reportNow({});
    await projectStore.requestHandOff(A, { by: "Ada" }, CHANGE);
    await handOver();
    clock.advance(HAND_OFF_DELAY_MS);
    await settle();
    await comeBack();
    expect(listSent().map(({ type }) => type)).toEqual(["issue.handed_off", "issue.came_back"]);
  });

  it("is not handed off again by reports that anyone can send", async () => {
    await setUpAgent();
    await reportNow({ release: "1.4.1" });
    await settle();
    await comeBack("public");
    expect(listSent()).toHaveLength(1);
  });
});

describe("a member", () => {
  async function request(input: object = {}) {
    const result = await projectStore.requestHandOff(A, { by: "Ada", ...input }, CHANGE);
    await handOver();
    return result;
  }

  it("hands an issue off, and can undo it until the message is sent", async () => {
    await saveAgents(createAgent("a1"));
    await saveOnlyRule({ destinations: ["d1"], triggers: [{ kind: "user-feedback" }] });
    await reportNow({});
    expect(await request()).toEqual({ ok: true, value: { name: "Agent a1" } });
    await sendDue();
    expect(listSent()).toEqual([]);
    expect((await readFix())?.handOffs).toMatchObject([{ by: "Ada", name: "Agent a1" }]);
    expect(await projectStore.undo(CHANGE)).toEqual({ change: "hand-off", digests: [A] });
    clock.advance(HAND_OFF_DELAY_MS);
    await settle();
    expect(listSent()).toEqual([]);
    expect((await readFix())?.handOffs).toEqual([]);
    expect(await listRefusals()).toEqual([[A, "Hand-off: the hand-off was undone."]]);
  });

  it("cannot undo it after the message is sent", async () => {
    await saveAgents(createAgent("a1"));
    await saveOnlyRule({ destinations: ["d1"], triggers: [{ kind: "user-feedback" }] });
    await reportNow({});
    await request();
    clock.advance(HAND_OFF_DELAY_MS);
    await settle();
    expect(listSent()).toHaveLength(1);
    expect(await projectStore.undo(CHANGE)).toMatchObject({ digests: [] });
    expect((await readFix())?.handOffs).toHaveLength(1);
    expect(limits.undoMs).toBeGreaterThan(HAND_OFF_DELAY_MS);
  });

  it("sends it once, even if the request is repeated", async () => {
    await saveAgents(createAgent("a1"));
    await saveOnlyRule({ destinations: ["d1"], triggers: [{ kind: "user-feedback" }] });
    await reportNow({});
    expect(await request()).toEqual(await request());
    clock.advance(HAND_OFF_DELAY_MS);
    await settle();
    expect(listSent()).toHaveLength(1);
  });

  it("must ask for it again if an agent has the issue", async () => {
    await setUpAgent();
    await reportNow({});
    await settle();
    expect(await request()).toMatchObject({ ok: false, reason: "handed-off" });
    expect(await request({ isAgain: true })).toMatchObject({ ok: true });
    clock.advance(HAND_OFF_DELAY_MS);
    await settle();
    expect(listSent()).toHaveLength(2);
  });

  it.each([
    ["of public reports", "untrusted", () => reportNow({ trust: "public" })],
    [
      "that is resolved",
      "not-open",
      async () => {
        await reportNow({});
        await projectStore.decide(A, { state: "resolved" });
      },
    ],
    [
      "that is muted",
      "not-open",
      async () => {
        await reportNow({});
        await projectStore.decide(A, { state: "archived" });
      },
    ],
    ["that is unknown", "unknown-digest", async () => undefined],
  ])("cannot hand off an issue %s", async (_, reason, prepare) => {
    await saveAgents(createAgent("a1"));
    await prepare();
    expect(await request()).toEqual({ ok: false, reason });
  });

  it("needs an agent, and must name one of several", async () => {
    await reportNow({});
    expect(await request()).toEqual({ ok: false, reason: "unknown-agent" });
    await saveAgents(createAgent("a1"), createAgent("a2"));
    expect(await request()).toEqual({ ok: false, reason: "unknown-agent" });
    expect(await request({ to: "d1" })).toEqual({ ok: false, reason: "unknown-agent" });
    expect(await request({ to: "a2" })).toMatchObject({ ok: true });
  });
});

it("a test of an agent has no issue", async () => {
  await saveAgents(createAgent("a1"));
  await log.append([createOldReport(1, { message: "canary" })]);
  expect(await getAlertSender().sendTest("a1")).toMatchObject({ kind: "delivered" });
  expect(listSent()).toMatchObject([{ type: "alerts.test", data: { id: expect.any(String) } }]);
  expect(JSON.stringify(listSent())).not.toContain("canary");
});

it("an erased issue leaves no hand-off, and its message is not sent", async () => {
  await saveAgents(createAgent("a1"));
  await reportNow({ id: createId() });
  await projectStore.requestHandOff(A, {}, CHANGE);
  await projectStore.eraseIssue(A);
  await finishJobs();
  clock.advance(HAND_OFF_DELAY_MS);
  await settle();
  expect(listSent().filter(({ type }) => type === "issue.handed_off")).toEqual([]);
  expect(await readFix()).toBeUndefined();
});
