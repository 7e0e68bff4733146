// The settings of alerts: rules, destinations and preferences in the real object, and their copy in
// KV.

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { alertLimits } from "#src/core/alerts/alert-limits.ts";
import { type AlertRule, DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import { limitSize } from "#src/store/alerts/edit-settings.ts";
import type { StoredSettings } from "#src/store/alerts/tables/settings-table.ts";
import { createWebhook } from "#support/alerts/alert-steps.ts";
import { PlannedReceiver } from "#support/alerts/planned-receiver.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getAlertSender, getIndex } from "#support/store/store.ts";

const ORIGIN = "https://errata.example";
const SLACK = "https://hooks.slack.com/services/T0/B0/secret-path-x7Qa";
const slack = { id: "d1", name: "#shop", settings: { kind: "slack", url: SLACK } } as const;
const rule: AlertRule = { ...DEFAULT_RULE, id: "r1", name: "Production", query: "env:production" };

describe("the settings of alerts", () => {
  afterEach(emptyStore);

  it("have one rule at first: new, regressed and escalating issues", async () => {
    expect(await getAlertSender().readSettings()).toMatchObject({
      rules: [
        {
          id: "default",
          triggers: [{ kind: "new-issue" }, { kind: "regressed" }, { kind: "escalating" }],
        },
      ],
      destinations: [],
      health: { waiting: 0, undelivered: 0, delivered: 0 },
    });
  });

  it("show no secret of a destination", async () => {
    await getAlertSender().saveDestination(slack, ORIGIN);
    const settings = await getAlertSender().readSettings();
    expect(settings).toMatchObject({
      destinations: [{ id: "d1", kind: "slack", target: "hooks.slack.com …x7Qa" }],
      origin: ORIGIN,
    });
    expect(JSON.stringify(settings)).not.toContain("secret-path");
  });

  it("keep the origin of links that an owner saved, whatever host a member names", async () => {
    const own = { name: "me", settings: { kind: "email", to: ["ada@example.com"] } } as const;
    await getAlertSender().saveDestination(slack, ORIGIN);
    const member = { id: "own", person: "p1", ...own };
    expect(await getAlertSender().saveDestination(member, "https://evil.example")).toMatchObject({
      ok: true,
    });
    expect((await getAlertSender().readSettings()).origin).toBe(ORIGIN);
  });

  it("take no origin of links from a member, also before an owner saved one", async () => {
    const own = { name: "me", settings: { kind: "email", to: ["ada@example.com"] } } as const;
    const member = { id: "own", person: "p1", ...own };
    await getAlertSender().saveDestination(member, "https://evil.example");
    expect((await getAlertSender().readSettings()).origin).toBeUndefined();
  });

  it("sign with the old and the new secret of a webhook for a day", async () => {
    await getAlertSender().saveDestination(createWebhook("d1"), ORIGIN);
    const receiver = new PlannedReceiver();
    const clock = new TestClock();
    clock.start();
    const signatures: number[] = [];
    receiver.start();
    expect(await getAlertSender().rotateSecret("d1", `whsec_${btoa("n".repeat(32))}`)).toBe(true);
    for (const hours of [0, 23, 1]) {
      clock.advance(hours * 3_600_000);
      await getAlertSender().sendTest("d1");
      signatures.push(receiver.received.at(-1)?.signature.split(" ").length ?? 0);
    }
    receiver.restore();
    clock.restore();
    expect(signatures).toEqual([2, 2, 1]);
  });

  it("have room for owners, whatever number of destinations a member adds", async () => {
    const add = (n: number) =>
      getAlertSender().saveDestination(
        {
          ...{ id: `own-${n}`, name: "me", person: "p1" },
          settings: { kind: "email", to: [`ada+${n}@example.com`] },
        },
        ORIGIN,
      );
    const { maxOwnDestinations } = alertLimits;
    for (let n = 0; n < maxOwnDestinations; n++) expect(await add(n)).toMatchObject({ ok: true });
    expect(await add(maxOwnDestinations)).toMatchObject({ ok: false, reason: "too-many" });
    expect(await add(0)).toMatchObject({ ok: true });
    expect(await getAlertSender().saveDestination(slack, ORIGIN)).toMatchObject({ ok: true });
  });

  it.each([
    ["without a name", { name: " " }],
    ["without a trigger", { triggers: [] }],
    [
      "with a window under five minutes",
      { triggers: [{ kind: "occurrences", count: 5, withinMs: 5 }] },
    ],
    ["with an unknown time zone", { workingHours: { days: [1], from: 0, to: 60, timeZone: "X" } }],
    ["with a query that would never match", { query: "env:production OR env:staging" }],
    ["with hours that end when they begin", { workingHours: { days: [1], from: 9, to: 9 } }],
    ["with a rate above 100 %", { triggers: [{ kind: "crash-free", below: 1.5 }] }],
  ])("refuse a rule %s, with a sentence for the form", async (_, change) => {
    const saved = await getAlertSender().saveRule({ ...rule, ...change } as AlertRule, ORIGIN);
    expect(saved).toMatchObject({ ok: false, reason: "invalid", detail: expect.any(String) });
  });

  it("refuse a rule whose destination was deleted, which would alert no one", async () => {
    const saved = await getAlertSender().saveRule({ ...rule, destinations: ["gone"] }, ORIGIN);
    expect(saved).toMatchObject({ ok: false, detail: "A destination of the rule was deleted." });
  });

  it("refuse what does not fit into their row, and always become smaller", () => {
    const settings = {
      kind: "slack",
      url: `https://hooks.slack.com/${"ä".repeat(1_900)}`,
    } as const;
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `d${n}`, name: "n", settings }));
    const stored = (count: number) => ({ destinations: list(count) }) as unknown as StoredSettings;
    const change = (before: number, after: number) =>
      limitSize(stored(before), { destinations: list(after) });
    expect(change(100, 101)).toMatchObject({ ok: true });
    expect(change(399, 400)).toMatchObject({ ok: false, reason: "too-many" });
    expect(change(401, 400)).toMatchObject({ ok: true });
  });

  it("are restored from KV by an object that lost its storage, and sent to the index", async () => {
    await getAlertSender().saveRule(rule, ORIGIN);
    await getAlertSender().saveDestination(slack, ORIGIN);
    await getAlertSender().copyRepository("acme/shop");
    const { pushKey } = await getAlertSender().readSettings();
    await runDurableObjectAlarm(getAlertSender());
    await runInDurableObject(getAlertSender(), (_, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    expect(await getAlertSender().readSettings()).toMatchObject({
      rules: [{ id: "default" }, { id: "r1" }],
      destinations: [{ id: "d1" }],
      repository: "acme/shop",
      pushKey,
    });
    await runDurableObjectAlarm(getAlertSender());
    const stored = await runInDurableObject(getIndex(), (_, { storage }) =>
      storage.sql.exec("SELECT body FROM alert_rules").toArray(),
    );
    expect(String(stored[0]?.body)).toContain('"r1"');
  });

  describe("with the repository of prefilled issues of an earlier release", () => {
    /** As version 4 of the data stored it: nothing in the index. */
    async function storeAsBefore() {
      await getAlertSender().saveRule(rule, ORIGIN);
      await getAlertSender().copyRepository("acme/shop");
      await runInDurableObject(getAlertSender(), (_, { storage }) => {
        storage.sql.exec("UPDATE settings SET pushed_version = 9");
        storage.sql.exec("UPDATE schema_state SET version = 4, writer = 4");
        return storage.deleteAlarm();
      });
      await abortAllDurableObjects();
    }

    it("give it to the index, once", async () => {
      await storeAsBefore();
      expect(await getIndex().readIssueRepository()).toBeUndefined();
      // As any page does.
      await getAlertSender().readMarks("p1");
      await runDurableObjectAlarm(getAlertSender());
      expect(await getIndex().readIssueRepository()).toBe("acme/shop");
      await getIndex().saveIssueRepository("acme/other");
      await getAlertSender().saveRule({ ...rule, name: "Other" }, ORIGIN);
      await runDurableObjectAlarm(getAlertSender());
      expect(await getIndex().readIssueRepository()).toBe("acme/other");
    });

    it("give it to no index whose owner has removed it", async () => {
      await storeAsBefore();
      await getIndex().saveIssueRepository("");
      await getAlertSender().readMarks("p1");
      await runDurableObjectAlarm(getAlertSender());
      expect(await getIndex().readIssueRepository()).toBe("");
    });
  });

  it("of a later release in KV are not replaced by new ones", async () => {
    const later = JSON.stringify({ v: 2, anything: 1 });
    await bindings.KV.put("alerts/1/settings", later);
    await runInDurableObject(getAlertSender(), async (sender: AlertSender) => {
      await expect(sender.readSettings()).rejects.toThrow("later release");
      await expect(sender.saveRule(rule, ORIGIN)).rejects.toThrow("later release");
    });
    expect(await bindings.KV.get("alerts/1/settings")).toBe(later);
  });

  it("disable a rule whose only destination is deleted, because none means every one", async () => {
    await getAlertSender().saveDestination(slack, ORIGIN);
    await getAlertSender().saveRule({ ...rule, destinations: ["d1"] }, ORIGIN);
    await getAlertSender().deleteDestination("d1");
    const { rules, destinations } = await getAlertSender().readSettings();
    expect(rules.find(({ id }) => id === "r1")).toMatchObject({ enabled: false });
    expect(destinations).toEqual([]);
  });

  it("leave nothing in KV when the project is erased", async () => {
    await getAlertSender().saveDestination(slack, ORIGIN);
    await runDurableObjectAlarm(getAlertSender());
    expect(await bindings.KV.get("alerts/1/settings")).toContain("sealed:1:");
    await getAlertSender().wipe();
    expect(await bindings.KV.get("alerts/1/settings")).toBeNull();
    expect((await getAlertSender().readSettings()).destinations).toEqual([]);
  });
});
