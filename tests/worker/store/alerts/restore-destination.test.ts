// The deletion of a destination and its undo, in the real object.

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { limits } from "#src/core/limits.ts";
import { SEALED_PREFIX } from "#src/core/secrets/sealed-text.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getAlertSender } from "#support/store/store.ts";

const ORIGIN = "https://errata.example";
const SECRET = "secret-path-x7Qa";
const settings = {
  kind: "slack",
  url: `https://hooks.slack.com/services/T0/B0/${SECRET}`,
} as const;
const UNDO_ID = "b".repeat(32);
const LATER_MS = limits.undoRemovalMs - 1_000;

/** Everything that the object stores, as text. */
const readStored = () =>
  runInDurableObject(getAlertSender(), (_, { storage }) =>
    ["settings", "deleted_destination", "delivery"]
      .map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray()))
      .join("\n"),
  );

const readSettings = async () => {
  const { rules, destinations } = await getAlertSender().readSettings();
  return { rules, destinations };
};

describe("a deleted destination", () => {
  const clock = new TestClock();
  beforeEach(async () => {
    clock.start();
    const sender = getAlertSender();
    await sender.saveDestination({ id: "d1", name: "#shop", settings }, ORIGIN);
    await sender.saveDestination({ id: "d2", name: "#other", settings }, ORIGIN);
    const rule = { ...DEFAULT_RULE, enabled: true };
    await sender.saveRule({ ...rule, id: "only", destinations: ["d1"] }, ORIGIN);
    await sender.saveRule({ ...rule, id: "both", destinations: ["d1", "d2"] }, ORIGIN);
  });
  afterEach(async () => {
    clock.restore();
    await emptyStore();
  });

  it("is restored with its secret and its place in rules", async () => {
    const before = await readSettings();
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    expect((await readSettings()).destinations.map(({ id }) => id)).toEqual(["d2"]);
    clock.advance(LATER_MS);
    expect(await getAlertSender().restoreDestination(UNDO_ID)).toBe(true);
    const after = await readSettings();
    expect(after.rules).toEqual(before.rules);
    expect(new Set(after.destinations)).toEqual(new Set(before.destinations));
    expect(await readStored()).toContain(SEALED_PREFIX);
    expect(await getAlertSender().restoreDestination(UNDO_ID)).toBe(false);
  });

  it("keeps what was changed in rules meanwhile", async () => {
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    const { rules } = await readSettings();
    for (const rule of rules.filter(({ id }) => id === "only" || id === "both"))
      await getAlertSender().saveRule({ ...rule, name: "Renamed", destinations: ["d2"] }, ORIGIN);
    await getAlertSender().restoreDestination(UNDO_ID);
    const after = (await readSettings()).rules.filter(({ id }) => id === "only" || id === "both");
    for (const rule of after)
      expect(rule).toMatchObject({ name: "Renamed", destinations: ["d2", "d1"] });
  });

  it("gets the messages that waited for it", async () => {
    const add = (message: string, isFailed: number) =>
      runInDurableObject(getAlertSender(), (_, { storage }) => {
        storage.sql.exec(
          `INSERT INTO delivery(destination, kind, message, contents, due_ms, attempts, is_failed)
           VALUES ('d1', 'alert', ?, '{"alerts":[],"more":1}', ?, 1, ?)`,
          ...[message, readNowMs() + 86_400_000, isFailed],
        );
      });
    await add("msg_1_1", 0);
    await add("msg_1_2", 1);
    const readHealth = async () => (await getAlertSender().readSettings()).health;
    const before = await readHealth();
    expect(before).toMatchObject({ waiting: 1, undelivered: 1 });
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    expect(await readHealth()).toMatchObject({ waiting: 0, undelivered: 0 });
    await getAlertSender().restoreDestination(UNDO_ID);
    expect(await readHealth()).toEqual(before);
  });

  it("is forgotten with its secret and its messages when it is too late", async () => {
    await getAlertSender().deleteDestination("d2");
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    await runDurableObjectAlarm(getAlertSender());
    expect(await bindings.KV.get("alerts/1/settings")).not.toContain(SEALED_PREFIX);
    clock.advance(limits.undoRemovalMs);
    expect(await getAlertSender().restoreDestination(UNDO_ID)).toBe(false);
    await runDurableObjectAlarm(getAlertSender());
    expect(await readStored()).not.toContain(SEALED_PREFIX);
  });

  it("of a person is restored only by that person, and one of the project only there", async () => {
    const own = { id: "own", name: "me", settings, person: "p1" };
    await getAlertSender().saveDestination(own, ORIGIN);
    await getAlertSender().deleteDestination("own", UNDO_ID);
    for (const other of [undefined, "p2"])
      expect(await getAlertSender().restoreDestination(UNDO_ID, other)).toBe(false);
    expect(await getAlertSender().restoreDestination(UNDO_ID, "p1")).toBe(true);
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    expect(await getAlertSender().restoreDestination(UNDO_ID, "p1")).toBe(false);
  });

  it("leaves nothing when the project is erased", async () => {
    await getAlertSender().deleteDestination("d1", UNDO_ID);
    await getAlertSender().wipe();
    expect(await readStored()).not.toContain(SEALED_PREFIX);
  });
});
