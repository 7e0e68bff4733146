// The settings of alerts: rules, destinations and preferences in the real object, and their copy in
// KV.

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { alertLimits } from "../../../src/core/alerts/alert-limits.ts";
import { DEFAULT_RULE } from "../../../src/core/alerts/default-rule.ts";
import type { AlertRule } from "../../../src/core/alerts/rule.ts";
import { fresh } from "../../support/fresh.ts";
import { alertSender, bindings, index } from "../../support/store.ts";

const ORIGIN = "https://errata.example";
const SLACK = "https://hooks.slack.com/services/T0/B0/secret-path-x7Qa";
const slack = { id: "d1", name: "#shop", settings: { kind: "slack", url: SLACK } } as const;
const rule: AlertRule = { ...DEFAULT_RULE, id: "r1", name: "Production", query: "env:production" };

describe("the settings of alerts", () => {
  afterEach(fresh);

  it("have one rule at first: new and regressed issues", async () => {
    expect(await alertSender().readSettings()).toMatchObject({
      rules: [{ id: "default", triggers: [{ kind: "new-issue" }, { kind: "regressed" }] }],
      destinations: [],
      health: { waiting: 0, undelivered: 0, delivered: 0 },
    });
  });

  it("show no secret of a destination", async () => {
    await alertSender().saveDestination(slack, ORIGIN);
    const settings = await alertSender().readSettings();
    expect(settings).toMatchObject({
      destinations: [{ id: "d1", kind: "slack", target: "hooks.slack.com …x7Qa" }],
      origin: ORIGIN,
    });
    expect(JSON.stringify(settings)).not.toContain("secret-path");
  });

  it("keep the origin of links that an owner saved, whatever host a member names", async () => {
    const own = { name: "me", settings: { kind: "email", to: ["ada@example.com"] } } as const;
    await alertSender().saveDestination(slack, ORIGIN);
    const member = { id: "own", person: "p1", ...own };
    expect(await alertSender().saveDestination(member, "https://evil.example")).toMatchObject({
      ok: true,
    });
    expect((await alertSender().readSettings()).origin).toBe(ORIGIN);
  });

  it("have room for owners, whatever number of ways a member adds", async () => {
    const add = (n: number) =>
      alertSender().saveDestination(
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
    expect(await alertSender().saveDestination(slack, ORIGIN)).toMatchObject({ ok: true });
  });

  it.each([
    ["without a name", { name: " " }],
    ["without a trigger", { triggers: [] }],
    ["with a window under an hour", { triggers: [{ kind: "occurrences", count: 5, withinMs: 5 }] }],
    ["with an unknown time zone", { workingHours: { days: [1], from: 0, to: 60, timeZone: "X" } }],
    ["with a rate above 100 %", { triggers: [{ kind: "crash-free", below: 1.5 }] }],
  ])("refuse a rule %s, with a sentence for the form", async (_, change) => {
    const saved = await alertSender().saveRule({ ...rule, ...change } as AlertRule, ORIGIN);
    expect(saved).toMatchObject({ ok: false, reason: "invalid", detail: expect.any(String) });
  });

  it("are restored from KV by an object that lost its storage, and sent to the index", async () => {
    await alertSender().saveRule(rule, ORIGIN);
    await alertSender().saveDestination(slack, ORIGIN);
    await alertSender().saveRepository("acme/shop", ORIGIN);
    const { pushKey } = await alertSender().readSettings();
    await runDurableObjectAlarm(alertSender());
    await runInDurableObject(alertSender(), (_, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    expect(await alertSender().readSettings()).toMatchObject({
      rules: [{ id: "default" }, { id: "r1" }],
      destinations: [{ id: "d1" }],
      repository: "acme/shop",
      pushKey,
    });
    await runDurableObjectAlarm(alertSender());
    const stored = await runInDurableObject(index(), (_, { storage }) =>
      storage.sql.exec("SELECT body FROM alert_rules").toArray(),
    );
    expect(String(stored[0]?.body)).toContain('"r1"');
  });

  it("disable a rule whose only destination is deleted, because none means every one", async () => {
    await alertSender().saveDestination(slack, ORIGIN);
    await alertSender().saveRule({ ...rule, destinations: ["d1"] }, ORIGIN);
    await alertSender().deleteDestination("d1");
    const { rules, destinations } = await alertSender().readSettings();
    expect(rules.find(({ id }) => id === "r1")).toMatchObject({ enabled: false });
    expect(destinations).toEqual([]);
  });

  it("leave nothing in KV when the project is erased", async () => {
    await alertSender().saveDestination(slack, ORIGIN);
    await runDurableObjectAlarm(alertSender());
    expect(await bindings.KV.get("alerts/1/settings")).toContain("secret-path");
    await alertSender().wipe();
    expect(await bindings.KV.get("alerts/1/settings")).toBeNull();
    expect((await alertSender().readSettings()).destinations).toEqual([]);
  });
});
