/**
 * The objects of a deployment that was rolled back further than its data allows: they refuse the
 * data of a later release, change none of it, and acknowledge reports.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ObjectVersion } from "#src/core/stats/object-version.ts";
import { readAnyCopy } from "#src/http/ingest/registry-copy.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import { REGISTRY_KEY } from "#src/store/kv/keys.ts";
import { expectConsoleError } from "#support/console.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getAlertSender,
  getIndex,
  getShard,
  getSourceMaps,
  log,
  NOW_MS,
  projectStore,
} from "#support/store/store.ts";

const LATER = 9;
const OBJECTS = {
  ReportLog: getShard,
  ProjectIndex: getIndex,
  SourceMaps: getSourceMaps,
  AlertSender: getAlertSender,
  Registry: () => bindings.REGISTRY.getByName("registry"),
};

beforeEach(() => void expectConsoleError());
afterEach(() => emptyStore());

type Work<T> = (storage: DurableObjectStorage) => T | Promise<T>;
const inStorage = <T>(getStub: () => unknown, work: Work<T>) =>
  runInDurableObject(getStub() as DurableObjectStub, (_, { storage }) => work(storage));

/** Makes the data of every object that of code from `oldest` on, and restarts the objects. */
async function setOldest(oldest: number): Promise<void> {
  for (const getStub of Object.values(OBJECTS)) {
    const { code } = (await getStub().getVersion()) as ObjectVersion;
    const version = Math.max(oldest, code);
    await inStorage(getStub, ({ sql }) => {
      const query = "UPDATE schema_state SET oldest = ?, version = ?, writer = ?";
      sql.exec(query, oldest, version, version);
    });
  }
  await abortAllDurableObjects();
}

/** Every row of every table, as text. */
function dump({ sql }: DurableObjectStorage): string {
  return sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .filter(({ name }) => !name.startsWith("_cf_") && name !== "parked_append")
    .map(({ name }) => `${name} ${JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())}`)
    .join("\n");
}

async function dumpAll(): Promise<readonly string[]> {
  return Promise.all(Object.values(OBJECTS).map((getStub) => inStorage(getStub, dump)));
}

async function fill(): Promise<void> {
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  await getSourceMaps().summarize();
  await getAlertSender().readSettings();
  await bindings.REGISTRY.getByName("registry").readIfNewer(0);
}

it("refuse every call but the version, and change nothing, also in their alarms", async () => {
  await fill();
  await setOldest(LATER);
  const before = await dumpAll();
  for (const [object, getStub] of Object.entries(OBJECTS)) {
    const version = (await getStub().getVersion()) as ObjectVersion;
    expect(version).toMatchObject({ object, state: { kind: "newer", needs: LATER }, data: LATER });
    expect(version.code).toBeLessThan(LATER);
  }
  const registry = bindings.REGISTRY.getByName("registry");
  const calls = {
    ProjectIndex: () => getIndex().getIssue("7F3K-Q2M9"),
    ReportLog: () => getShard().getHealth(),
    SourceMaps: () => getSourceMaps().summarize(),
    AlertSender: () => getAlertSender().readSettings(),
    Registry: () => registry.readIfNewer(0),
  };
  for (const [object, call] of Object.entries(calls)) {
    const refusal = await (call() as Promise<unknown>).then(() => "answered", String);
    expect(refusal).toContain(`the data of ${object} was written by a later release`);
  }
  for (const getStub of Object.values(OBJECTS)) await runDurableObjectAlarm(getStub() as never);
  expect(await dumpAll()).toEqual(before);
});

it("acknowledge reports, which count when the later release is back", async () => {
  await fill();
  await setOldest(LATER);
  const [result] = await log.append([createReport(2), createReport(3, { digest: "0000-0000" })]);
  expect(result).toMatchObject({ id: toReportId(2), isDuplicate: false, isSpooled: true });
  // A client that retries sends the same id.
  await log.append([createReport(2)]);
  await setOldest(1);
  await getShard().flush();
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
  expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
  const left = await inStorage(getShard, ({ sql }) =>
    sql.exec("SELECT 1 FROM parked_append").toArray(),
  );
  expect(left).toEqual([]);
});

it("let ingest use the projects and keys of a registry of a later version", async () => {
  await fill();
  const state = await bindings.REGISTRY.getByName("registry").readIfNewer(0);
  await setOldest(LATER);
  const later = { ...state, v: 2, keys: [{ id: "k1", kind: "public" }] };
  await bindings.KV.put(REGISTRY_KEY, JSON.stringify(later));
  const registry = createRegistryClient(
    { ...bindings },
    { nowMs: () => NOW_MS, waitUntil: (work) => void work.catch(() => undefined) },
  );
  const problems: unknown[] = [];
  const copy = await readAnyCopy({ registry, logProblem: (cause) => problems.push(cause) });
  expect(copy?.keys).toMatchObject([{ id: "k1" }]);
  expect(String(problems)).toContain("later release");
});
