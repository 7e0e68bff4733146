// The copies of documents in KV, which all objects write, repeat and read in the same way.

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import type { RegistryObject } from "#src/store/accounts/registry-object.ts";
import { REGISTRY_SCHEMA } from "#src/store/accounts/registry-schema.ts";
import { ALERT_SCHEMA } from "#src/store/alerts/tables/alert-schema.ts";
import { ARTIFACT_SCHEMA } from "#src/store/artifacts/tables/artifact-schema.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import type { StoredObject } from "#src/store/sqlite/object.ts";
import { createWebhook } from "#support/alerts/alert-steps.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createFaultyKv, createRefusingKv } from "#support/store/faulty-kv.ts";

import {
  bindings,
  getAlertSender,
  getIndex,
  getSourceMaps,
  log,
  projectStore,
} from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const clock = new TestClock();
/** Longer than any copy waits. */
const LATER_MS = 60_000;

beforeEach(() => clock.start());
afterEach(async () => {
  clock.restore();
  await emptyStore();
});

const getRegistry = () => bindings.REGISTRY.getByName("registry");

async function createProject(name: string): Promise<void> {
  const client = createRegistryClient(bindings, { nowMs: readNowMs, waitUntil: () => undefined });
  await client.applyChange({ kind: "local" }, { do: "create-project", name });
}

/** Each kind of document with a copy: a change, and the start of an object that lost its memory. */
const COPIES = [
  {
    name: "the decision of an issue",
    schema: INDEX_SCHEMA,
    key: `decision/1/${DIGEST}`,
    getStub: getIndex,
    change: () => projectStore.decide(DIGEST, { state: "archived" }),
    wake: () => projectStore.getFreshIssue(DIGEST),
    // The word that the release before reads.
    text: '"state":"muted"',
    read: '"state":"archived"',
  },
  {
    name: "the settings of alerts",
    schema: ALERT_SCHEMA,
    key: "alerts/1/settings",
    getStub: getAlertSender,
    change: () => getAlertSender().saveDestination(createWebhook("d1"), "https://errata.example"),
    wake: () => getAlertSender().readSettings(),
    text: "d1",
    read: "d1",
  },
  {
    name: "the facts of releases",
    schema: ARTIFACT_SCHEMA,
    key: "source-maps/1/releases",
    getStub: getSourceMaps,
    change: () => getSourceMaps().changeRelease({ version: "shop@1.4.0" }),
    wake: () => getSourceMaps().listReleaseFacts(),
    text: "shop@1.4.0",
    read: "shop@1.4.0",
  },
  {
    name: "the registry",
    schema: REGISTRY_SCHEMA,
    key: "registry",
    getStub: getRegistry,
    change: () => createProject("Shop"),
    wake: () => getRegistry().readIfNewer(0),
    text: "Shop",
    read: "Shop",
  },
] as const;

/** Replaces the KV of an object until it restarts. */
function replaceKv(stub: DurableObjectStub, kv: KVNamespace): Promise<void> {
  return runInDurableObject(stub, (instance) => {
    Object.assign(instance, { env: { ...bindings, KV: kv } });
  });
}

/** Lets time pass, and runs what is due then. */
async function runLater(stub: DurableObjectStub): Promise<void> {
  clock.advance(LATER_MS);
  await runDurableObjectAlarm(stub);
  await runInDurableObject(stub, (instance) =>
    (instance as unknown as StoredObject).waitUntilIdle(),
  );
}

describe.each(COPIES)("the copy of $name", ({ schema, key, getStub, change, wake, text, read }) => {
  const stub = () => getStub() as unknown as DurableObjectStub;

  beforeEach(async () => {
    await log.append([createReport(1)]);
    await projectStore.getFreshIssue(DIGEST);
    await wake();
  });

  it("is written after a change", async () => {
    await change();
    await runLater(stub());
    expect(await bindings.KV.get(key)).toContain(text);
  });

  it("is only delayed while KV refuses, and the object works", async () => {
    await replaceKv(stub(), createRefusingKv(bindings.KV, "put"));
    await change();
    for (let minute = 0; minute < 3; minute++) await runLater(stub());
    expect((await bindings.KV.get(key)) ?? "").not.toContain(text);
    expect(JSON.stringify(await wake())).toContain(read);
    await replaceKv(stub(), bindings.KV);
    await runLater(stub());
    expect(await bindings.KV.get(key)).toContain(text);
  });

  it("is written by the next object if this one stops between a change and the write", async () => {
    await replaceKv(stub(), createRefusingKv(bindings.KV, "put"));
    await change();
    await runInDurableObject(stub(), (_, { storage }) => storage.deleteAlarm());
    await abortAllDurableObjects();
    await wake();
    await runLater(stub());
    expect(await bindings.KV.get(key)).toContain(text);
  });

  // An earlier release of the other objects has notes of its own of what KV lacks.
  it.skipIf(schema.tables.some(({ name, since }) => name === "outdated_snapshot" && since === 1))(
    "is written again after an earlier release had the data",
    async () => {
      await change();
      await runLater(stub());
      await bindings.KV.delete(key);
      await runInDurableObject(stub(), (_, { storage }) => {
        storage.sql.exec("UPDATE schema_state SET writer = 1");
      });
      await abortAllDurableObjects();
      await wake();
      await runLater(stub());
      expect(await bindings.KV.get(key)).toContain(text);
    },
  );

  it("belongs to a table that is declared to have one, in an object that notes its changes", () => {
    const kinds = schema.tables.map(({ copy }) => copy);
    expect(kinds).toContain(key.split("/")[0]);
    expect(schema.tables.map(({ name }) => name)).toContain("outdated_snapshot");
  });
});

it("the registry is written once for bursts of changes within a second, and then again", async () => {
  const { kv, puts } = createFaultyKv(bindings.KV, []);
  await getRegistry().readIfNewer(0);
  await replaceKv(getRegistry(), kv);
  // In one call, so that no second passes on a busy machine.
  const counts = await runInDurableObject(getRegistry(), async (instance: RegistryObject) => {
    const create = async (name: string) => {
      await instance.applyChange({ kind: "local" }, { do: "create-project", name });
    };
    await Promise.all(["Shop 1", "Shop 2", "Shop 3"].map(create));
    await instance.waitUntilIdle();
    const first = puts.length;
    for (const name of ["Shop 4", "Shop 5"]) await create(name);
    await instance.waitUntilIdle();
    return [first, puts.length];
  });
  expect(counts).toEqual([1, 1]);
  clock.advance(1_100);
  await runDurableObjectAlarm(getRegistry());
  expect(puts).toHaveLength(2);
  expect(await bindings.KV.get("registry")).toContain("Shop 5");
});

it("the facts of releases are written once for a group of changes, after ten seconds", async () => {
  const { kv, puts } = createFaultyKv(bindings.KV, []);
  await getSourceMaps().listReleaseFacts();
  await replaceKv(getSourceMaps(), kv);
  for (let n = 0; n < 3; n++) {
    await getSourceMaps().changeRelease({ version: `shop@1.4.${n}` });
    clock.advance(3_000);
    await runDurableObjectAlarm(getSourceMaps());
  }
  expect(puts).toEqual([]);
  clock.advance(1_500);
  await runDurableObjectAlarm(getSourceMaps());
  expect(puts).toHaveLength(1);
  expect(puts[0]?.key).toBe("source-maps/1/releases");
});
