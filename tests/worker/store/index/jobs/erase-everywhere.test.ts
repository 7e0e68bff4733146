/**
 * A text that an owner erases is in no live row of any object and in no value of KV. The test fills
 * every kind of stored text, so that a new kind is found when its table keeps the text.
 */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { ALERT_SCHEMA } from "#src/store/alerts/tables/alert-schema.ts";
import { ARTIFACT_SCHEMA } from "#src/store/artifacts/tables/artifact-schema.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { LOG_SCHEMA } from "#src/store/log/log-schema.ts";
import {
  createWebhook,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { eventually } from "#support/eventually.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { artifactUploads, saveRecord, sourceMaps } from "#support/source-maps/uploads.ts";
import { dumpKv } from "#support/store/dump-kv.ts";
import {
  admin,
  bindings,
  finishJobs,
  getAlertSender,
  getIndex,
  getShard,
  getSourceMaps,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

setUpAlerts();

/** The text of a person. As a mail address it is also percent-encoded in URLs. */
const TEXT = "ada.q7@example.org";
const ENCODED = encodeURIComponent(TEXT);
const DIGEST = "7F3K-Q2M9";
const PREVIEW = "e".repeat(32);
const FOUND = /ada\.q7(?:@|%(?:25)*40)example\.org/i;

/** Fills every kind of text that the objects of a project store. */
async function fill(): Promise<void> {
  await getAlertSender().saveDestination(
    createWebhook("d2", { name: `#${TEXT}` }),
    "https://e.example",
  );
  const to = [TEXT, "grace@example.org"];
  await getAlertSender().saveDestination(
    { id: "d3", name: `Mail to ${TEXT}`, settings: { kind: "email", to } },
    "https://e.example",
  );
  await getAlertSender().saveDestination(
    { id: "d4", name: TEXT, person: "p1", settings: { kind: "email", to: [TEXT] } },
    "https://e.example",
  );
  await saveOnlyRule({ name: `Errors of ${TEXT}`, query: "" });
  await getAlertSender().saveRule(
    {
      ...{ id: "r2", name: "Mine", enabled: true, query: `"${TEXT}"`, destinations: [] },
      ...{ triggers: [{ kind: "new-issue" }], coolDownMs: 0 },
    } as never,
    "https://e.example",
  );
  await getIndex().saveRepository({ id: "a", kind: "github", url: `https://git.example/${TEXT}` });
  const handles = [{ handle: TEXT, member: `Ada ${TEXT}` }];
  await getIndex().saveOwners({ rules: `path:${TEXT}/** -> ${TEXT}`, handles });
  await getIndex().saveCodeOwners({
    ...{ path: "CODEOWNERS", repository: TEXT, text: `* ${TEXT}`, release: TEXT },
  });
  await reportNow({
    digest: DIGEST,
    type: "MailError",
    message: `mail to ${TEXT} failed`,
    culprit: `send ${TEXT}`,
    release: `shop@${TEXT}`,
    environment: TEXT,
    aliases: [TEXT],
    tags: [["user", TEXT]],
    frames: [
      { function: "send", file: `https://shop.example/${ENCODED}/a.js`, line: 1, column: 2 },
    ],
    request: { method: "GET", url: `https://shop.example/?to=${ENCODED}`, route: `/to/${TEXT}` },
    breadcrumbs: [{ message: TEXT, data: { [TEXT]: TEXT } }],
    attachments: [{ name: `${TEXT}.txt`, type: "text/plain", bytes: 5, text: TEXT }],
    detail: { [TEXT]: [TEXT] },
  } as never);
  await sendDue();
  const session = ["session", "server", `web@${TEXT}`, TEXT, "crashed"] as const;
  await log.append(
    [createReport(2, { kind: "feedback", isLinked: true, message: TEXT })],
    [[session, 3]],
  );
  await projectStore.listNewestIssues();
  await projectStore.annotate(DIGEST, { change: "comment", id: toReportId(9), text: TEXT });
  await projectStore.annotate(DIGEST, { change: "assign", to: TEXT });
  await projectStore.decide(DIGEST, { state: "resolved", release: `shop@${TEXT}` });
  await projectStore.saveView(`of ${TEXT}`, { query: TEXT, sort: "last" });
  await sourceMaps.changeRelease({
    version: "1.0.0",
    deploy: { environment: "production", name: TEXT, url: `https://ci.example/${ENCODED}` },
    commits: [{ id: "c1", author: TEXT, message: `by ${TEXT}`, repository: TEXT }],
  });
  await sourceMaps.changeRelease({ version: `shop@${TEXT}`, releasedMs: 1 });
  const broken = new Blob(["<html>"]).stream();
  await artifactUploads.storeSingle(broken, { name: "a.js", release: `shop@${TEXT}` });
  await uploadMap("app", `export const owner = "${TEXT}";\n`);
  await uploadMap("other", "export const owner = 1;\n");
  await uploadChunk();
  // These stay in the log, in its open chunk.
  await log.append([createReport(3, { digest: DIGEST, message: TEXT, detail: { to: TEXT } })]);
  await projectStore.listNewestIssues();
  await writeSnapshots();
  await saveRecord();
}

async function uploadMap(name: string, text: string): Promise<void> {
  const map = {
    version: 3,
    sources: [`${name}.ts`],
    sourcesContent: [text],
    names: [],
    mappings: "AAAA",
  };
  const body = new Blob([JSON.stringify(map)]).stream();
  const stored = await artifactUploads.storeSingle(body, { name: `${name}.js.map`, url: "~/" });
  expect(stored).toMatchObject({ ok: true });
}

const OBJECTS = { log: getShard, index: getIndex, maps: getSourceMaps, alerts: getAlertSender };

/** Every row and value with the text: object or KV, table, and the beginning of the value. */
async function findText(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, getStub] of Object.entries(OBJECTS)) {
    const texts = await runInDurableObject(getStub() as never, (_, { storage }) =>
      listTexts(storage as DurableObjectStorage),
    );
    for (const { table, text } of texts as { table: string; text: string }[])
      if (FOUND.test(text)) found.push(`${name} ${table} ${text.slice(0, 200)}`);
  }
  for (const line of (await dumpKv()).split("\n"))
    if (FOUND.test(line)) found.push(`kv ${line.slice(0, 200)}`);
  return found;
}

function listTableNames({ sql }: DurableObjectStorage): readonly string[] {
  return sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !/^(?:_cf_|sqlite_)/.test(name));
}

function listTexts(storage: DurableObjectStorage) {
  const { sql } = storage;
  const tables = listTableNames(storage);
  return tables.flatMap((table) =>
    sql
      .exec(`SELECT * FROM "${table}"`)
      .toArray()
      .flatMap((row) => Object.values(row).flatMap((value) => toTexts(value)))
      .map((text) => ({ table, text })),
  );
}

/** A text, and bytes as they are and inflated. */
function toTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (!(value instanceof ArrayBuffer)) return [];
  const bytes = new Uint8Array(value);
  return [(same: Uint8Array) => same, gunzipSync, inflateRawSync].flatMap((open) => {
    try {
      return [new TextDecoder().decode(open(bytes))];
    } catch {
      return [];
    }
  });
}

const SCHEMAS = {
  log: LOG_SCHEMA,
  index: INDEX_SCHEMA,
  maps: ARTIFACT_SCHEMA,
  alerts: ALERT_SCHEMA,
};
/** The tables that are declared without text: ids, hashes, counts, positions. */
const TABLES_WITHOUT_TEXT: readonly string[] = Object.entries(SCHEMAS).flatMap(([name, schema]) =>
  schema.tables
    .filter(({ erase }) => erase === "no text")
    .map(({ name: table }) => `${name} ${table}`),
);
/** Separate words of a search, and the versions of the data. */
const OF_SQLITE =
  /^index (facet|issue_search)_(config|data|docsize|idx)$| schema_(state|backfill)$/;
/**
 * Tables whose rows are short-lived, or belong to an upload, which an owner deletes. Other tests
 * erase from them.
 */
const OTHER_TABLES: readonly string[] = [
  ...["index alert_deferred", "index alert_outbox", "index trace", "index undo"],
  ...["maps file", "maps map_part", "maps page_host", "maps scratch", "maps source_functions"],
  ...["alerts attempt", "alerts deleted_destination", "alerts delivery", "alerts held"],
  // Addresses of visitors are encrypted.
  "alerts visitor",
  ...[
    "alerts inbox",
    "alerts tracker_message",
    "alerts tracker_state",
    "log erased_line",
    "log parked_append",
    "index erasure",
  ],
  // A map without the text, and one whose upload failed.
  "maps map",
];

async function listTables(): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const [name, getStub] of Object.entries(OBJECTS)) {
    const own = await runInDurableObject(getStub() as never, (_, { storage }) =>
      listTableNames(storage as DurableObjectStorage),
    );
    tables.push(...(own as readonly string[]).map((table) => `${name} ${table}`));
  }
  return tables;
}

it("erases a text from every object and from KV, and names the uploads that have it", async () => {
  await fill();
  const before = await findText();
  const filled = new Set(before.map((one) => one.split(" ").slice(0, 2).join(" ")));
  const tables = (await listTables()).filter((table) => !OF_SQLITE.test(table));
  const others = tables.filter((table) => !filled.has(table));
  expect([...others].sort()).toEqual([...TABLES_WITHOUT_TEXT, ...OTHER_TABLES].sort());
  for (const place of ["log", "index", "alerts settings", "maps release", "kv"])
    expect(
      before.some((one) => one.startsWith(place)),
      place,
    ).toBe(true);

  await admin.previewErasure(PREVIEW, TEXT);
  await finishJobs();
  const preview = await admin.getErasure(PREVIEW);
  const { uploads } = await sourceMaps.summarize();
  const withText = uploads.filter(({ id }) => preview?.found?.uploads?.includes(id));
  // One has it in a source, the other one in its release.
  expect([withText.length, uploads.length]).toEqual([2, 3]);

  await getIndex().enqueueJob({ kind: "erase-text", text: TEXT, id: PREVIEW });
  await finishJobs();
  for (const { id } of withText) await sourceMaps.deleteUpload(id);
  await saveRecord();
  await getAlertSender().waitUntilIdle();
  await writeSnapshots();
  await runDurableObjectAlarm(getShard());
  expect(await findText()).toEqual([]);

  const { rules, destinations } = await getAlertSender().readSettings();
  expect(rules.map(({ name }) => name)).toEqual(["Errors of [erased]", "Mine"]);
  expect(destinations.map(({ name, target }) => [name, target])).toContainEqual([
    "Mail to [erased]",
    "grace@example.org",
  ]);
  expect(destinations.some(({ person }) => person === "p1")).toBe(false);
  // Another upload stays.
  expect((await sourceMaps.summarize()).uploads).toHaveLength(1);
});

it("the index judges with the rules without the text", async () => {
  await saveOnlyRule({ name: `Errors of ${TEXT}` });
  await getIndex().enqueueJob({ kind: "erase-text", text: TEXT });
  await finishJobs();
  await eventually(async () => {
    const kept = await bindings.KV.list();
    const values = await Promise.all(kept.keys.map(({ name }) => bindings.KV.get(name)));
    expect(values.join("\n")).not.toMatch(FOUND);
  });
  expect(await findText()).toEqual([]);
});
