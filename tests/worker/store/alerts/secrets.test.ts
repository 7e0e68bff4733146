// The secrets that people enter: tokens of trackers, secrets and addresses of destinations. What is
// stored of them is encrypted, is valid in one place only, and is never lost without a word.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toHex } from "#src/core/hex.ts";
import { LOST_SECRET } from "#src/core/secrets/sealed-text.ts";
import type { StoredSettings } from "#src/store/alerts/tables/settings-table.ts";
import { createWebhook } from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { dumpKv } from "#support/store/dump-kv.ts";
import { bindings, getAlertSender } from "#support/store/store.ts";
import { TOKEN } from "#support/trackers/fake-trackers.ts";
import { connect, restart, setUpTrackers } from "#support/trackers/tracker-steps.ts";

const KEY = `errata_server_${"1".repeat(32)}`;
const OTHER_KEY = `errata_server_${"2".repeat(32)}`;
const SETTINGS_KEY = "alerts/1/settings";

setUpTrackers();

const variables = env as { ERRATA_SERVER_KEY?: string; ERRATA_PREVIOUS_SERVER_KEY?: string };

/** Restarts the object with these keys. */
async function useKeys(key: string | undefined, previous?: string): Promise<void> {
  setKeys(key, previous);
  await restart();
}

function setKeys(key: string | undefined, previous?: string): void {
  delete variables.ERRATA_SERVER_KEY;
  delete variables.ERRATA_PREVIOUS_SERVER_KEY;
  if (key !== undefined) variables.ERRATA_SERVER_KEY = key;
  if (previous !== undefined) variables.ERRATA_PREVIOUS_SERVER_KEY = previous;
}

beforeEach(() => setKeys(KEY));
afterEach(() => setKeys(undefined));

/** Every row of every table of the object. */
function dumpTables(): Promise<string> {
  return runInDurableObject(getAlertSender(), (_, { storage }) => {
    const names = storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    const rows = names
      .toArray()
      .map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
    return JSON.stringify(rows);
  });
}

/** The copy in KV, after the work that waits. */
async function readCopy(): Promise<StoredSettings> {
  await getAlertSender().readSettings();
  await runDurableObjectAlarm(getAlertSender());
  await getAlertSender().waitUntilIdle();
  return (await bindings.KV.get(SETTINGS_KEY, "json")) as StoredSettings;
}

/** Changes the row of the settings, as another release or a hostile backup would leave it. */
async function changeRow(change: (settings: StoredSettings) => unknown): Promise<void> {
  await runInDurableObject(getAlertSender(), (_, { storage }) => {
    const { body } = storage.sql.exec<{ body: string }>("SELECT body FROM settings").one();
    const changed = JSON.stringify(change(JSON.parse(body) as StoredSettings));
    storage.sql.exec("UPDATE settings SET body = ?", changed);
  });
  await restart();
}

const check = (id: string) => getAlertSender().checkTracker(id);
const findTracker = async (id: string) =>
  (await getAlertSender().listTrackers()).find((one) => one.id === id);
const findDestination = async (id: string) =>
  (await getAlertSender().readSettings()).destinations.find((one) => one.id === id);
const addWebhook = () => getAlertSender().saveDestination(createWebhook("d1"), ALERT_ORIGIN);
const deleteWebhook = () => getAlertSender().deleteDestination("d1", "u".repeat(32));

describe.each([
  ["with ERRATA_SERVER_KEY", KEY],
  ["without a configured key", undefined],
])("%s", (_, key) => {
  beforeEach(() => useKeys(key));

  it("no row and no value of KV has a secret, also of a deleted destination", async () => {
    const { secret } = await connect("github");
    await addWebhook();
    const { settings } = createWebhook("d1");
    const secrets = [TOKEN, secret, ...Object.values(settings).slice(1)].map(String);
    await readCopy();
    for (const dump of [await dumpTables(), await dumpKv()]) {
      expect(dump).toContain("sealed:1:");
      for (const one of secrets) expect(dump).not.toContain(one);
    }
    await deleteWebhook();
    const dump = await dumpTables();
    expect(dump).toContain("deleted_destination");
    for (const one of secrets) expect(dump).not.toContain(one);
    expect(await getAlertSender().restoreDestination("u".repeat(32))).toBe(true);
    await restart();
    expect(await findDestination("d1")).toMatchObject({ target: "hooks.example.com …m/d1" });
  });

  it("a restarted object reads them", async () => {
    const { id } = await connect("github");
    await restart();
    expect(await check(id)).toMatchObject({ ok: true });
  });

  it("secrets that an earlier release stored are read, and encrypted at once", async () => {
    const { id } = await connect("github");
    await addWebhook();
    const { settings } = createWebhook("d1");
    await changeRow((stored) => ({
      ...stored,
      destinations: stored.destinations.map((one) => ({ ...one, settings })),
      trackers: stored.trackers?.map((one) => ({ ...one, token: TOKEN, secret: "old-secret" })),
    }));
    expect(await dumpTables()).toContain(TOKEN);
    expect(await check(id)).toMatchObject({ ok: true });
    expect(await findDestination("d1")).toMatchObject({ target: "hooks.example.com …m/d1" });
    await readCopy();
    for (const dump of [await dumpTables(), await dumpKv()])
      for (const one of [TOKEN, "old-secret", "hooks.example.com"]) expect(dump).not.toContain(one);
  });
});

describe("a ciphertext", () => {
  it("of another connection is refused", async () => {
    const { id } = await connect("github");
    const other = await connect("gitlab");
    await changeRow((stored) => {
      const token = stored.trackers?.find((one) => one.id === other.id)?.token;
      return {
        ...stored,
        trackers: stored.trackers?.map((one) => (one.id === id ? { ...one, token } : one)),
      };
    });
    expect(await check(id)).toMatchObject({ ok: false, detail: LOST_SECRET });
    expect(await check(other.id)).toMatchObject({ ok: true });
  });

  it("of another setting is refused, and signs no webhook", async () => {
    const { id } = await connect("github");
    await changeRow((stored) => ({
      ...stored,
      trackers: stored.trackers?.map((one) => ({ ...one, secret: one.token })),
    }));
    expect(await findTracker(id)).toMatchObject({
      hasSecret: false,
      state: { problem: { detail: LOST_SECRET } },
    });
    // Whoever can read the stored text must not be able to sign with it.
    const stored = (await readCopy()).trackers?.[0]?.secret ?? "";
    expect(stored).toContain("sealed:1:");
    const body = Uint8Array.from(new TextEncoder().encode(JSON.stringify({ action: "closed" })));
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(stored),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, body));
    const headers = {
      "x-github-event": "issues",
      "x-github-delivery": "d1",
      "x-hub-signature-256": `sha256=${toHex(signature)}`,
    };
    expect(await getAlertSender().receiveHook(id, { headers, body })).toBe("unsigned");
  });

  it("of another project is refused", async () => {
    const { id } = await connect("github");
    const copy = await readCopy();
    await bindings.KV.put("alerts/2/settings", JSON.stringify(copy));
    const second = bindings.ALERT_SENDER.getByName("2");
    expect(await second.checkTracker(id)).toMatchObject({ ok: false, reason: LOST_SECRET });
    await second.wipe();
    expect(await check(id)).toMatchObject({ ok: true });
  });

  it.each([
    ["bytes", (text: string) => `${text.slice(0, -4)}AAAA`],
    ["no bytes", (text: string) => text.slice(0, text.lastIndexOf(":"))],
    ["a later version", (text: string) => text.replace("sealed:1:", "sealed:2:")],
  ])("with other contents, %s, is refused", async (_, spoil) => {
    const { id } = await connect("github");
    await changeRow((stored) => ({
      ...stored,
      trackers: stored.trackers?.map((one) => ({ ...one, token: spoil(one.token) })),
    }));
    expect(await check(id)).toMatchObject({ ok: false, detail: LOST_SECRET });
  });

  it("cannot be entered as a token or an address", async () => {
    const { id } = await connect("github");
    const input = { kind: "github", project: "acme/shop", token: "sealed:1:abc:def" } as const;
    expect(await getAlertSender().saveTracker(id, input)).toMatchObject({ ok: false });
    const { settings } = createWebhook("d2");
    const sealed = createWebhook("d2", {
      settings: { ...settings, url: "sealed:1:abc:def" } as typeof settings,
    });
    expect(await getAlertSender().saveDestination(sealed, ALERT_ORIGIN)).toMatchObject({
      ok: false,
    });
  });
});

describe("after a change of ERRATA_SERVER_KEY", () => {
  it("connections and destinations stay, and ask for their secrets", async () => {
    const { id } = await connect("github");
    await addWebhook();
    await useKeys(OTHER_KEY);
    expect(await findTracker(id)).toMatchObject({
      project: "acme/shop",
      hasSecret: false,
      state: { problem: { detail: LOST_SECRET } },
    });
    expect(await check(id)).toMatchObject({ ok: false, detail: LOST_SECRET });
    expect(await findDestination("d1")).toMatchObject({
      name: "#d1",
      target: "unreadable secret",
      disabled: { reason: LOST_SECRET },
    });
    expect(await getAlertSender().readMarks("p1")).toMatchObject({ isFailing: true });
    await getAlertSender().enableDestination("d1");
    expect(await getAlertSender().sendTest("d1")).toMatchObject({
      ...{ kind: "failed", answer: LOST_SECRET, isOwn: true },
    });
  });

  it("a saved secret works again, and the others are not touched", async () => {
    const { id } = await connect("github");
    await addWebhook();
    await useKeys(OTHER_KEY);
    const { baseUrl } = (await findTracker(id)) ?? {};
    const input = { kind: "github", project: "acme/shop", baseUrl } as const;
    expect(await getAlertSender().saveTracker(id, input)).toMatchObject({ ok: false });
    expect(await getAlertSender().saveTracker(id, { ...input, token: TOKEN })).toMatchObject({
      ok: true,
      value: { secret: expect.stringContaining("whsec_"), tracker: { hasSecret: true } },
    });
    await useKeys(OTHER_KEY);
    expect(await check(id)).toMatchObject({ ok: true });
    expect(await findDestination("d1")).toMatchObject({ disabled: { reason: LOST_SECRET } });
  });

  it("the old key makes everything work again", async () => {
    const { id } = await connect("github");
    await addWebhook();
    await useKeys(OTHER_KEY);
    await readCopy();
    await useKeys(KEY);
    expect(await check(id)).toMatchObject({ ok: true });
    expect((await findDestination("d1"))?.disabled).toBeUndefined();
  });

  it("nothing is lost if ERRATA_PREVIOUS_SERVER_KEY has the old one once", async () => {
    const { id } = await connect("github");
    await addWebhook();
    await useKeys(OTHER_KEY, KEY);
    expect(await check(id)).toMatchObject({ ok: true });
    await readCopy();
    await useKeys(OTHER_KEY);
    expect(await check(id)).toMatchObject({ ok: true });
    expect((await findDestination("d1"))?.disabled).toBeUndefined();
  });

  it("a key that is configured later replaces the one in the object", async () => {
    await useKeys(undefined);
    const { id } = await connect("github");
    await useKeys(KEY);
    expect(await check(id)).toMatchObject({ ok: true });
    await runInDurableObject(getAlertSender(), (_, { storage }) => {
      storage.sql.exec("DELETE FROM secret_key");
    });
    await restart();
    expect(await check(id)).toMatchObject({ ok: true });
  });
});
