/** Every version of the store that was ever written is opened, counted on and made anew by the present one. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { readQuery } from "../../src/core/issue-query.ts";
import { type TallyName, TallySheet } from "../../src/core/tally.ts";
import type { ProjectIndex } from "../../src/store/project-index.ts";
import { readChunk } from "../../src/store/record.ts";
import type { ReportLog } from "../../src/store/report-log.ts";
import { createSpill } from "../../src/store/spill.ts";
import { fresh } from "../support/fresh.ts";
import { aReport } from "../support/reports.ts";
import { bindings, chunkKeys, desk, index, log, sealNow, shard } from "../support/store.ts";
import { open, type StoredVersion, versions } from "../support/stored-versions.ts";

afterEach(() => fresh());

/** The issue of most reports in each fixture, and a number that no report in them has. */
const DIGEST = "7F3K-Q2M9";
const NEW = 9_000;

const spill = createSpill(bindings, {
  project: "1",
  shards: 1,
  retentionDays: 30,
  // What waits is no longer of the response's own turn.
  nowMs: () => Date.now() + 120_000,
  mintId: () => "",
  after: () => undefined,
});

/** Opens a version; what waits beside the log comes in, and a task that was under way ends. */
async function opened(name: string): Promise<StoredVersion> {
  const version = await open(name);
  await workDone();
  await spill.feed();
  await shard().settle();
  return version;
}

async function workDone(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await desk.newest();
    if ((await index().health()).work === undefined) break;
    await runDurableObjectAlarm(index());
  }
  expect((await index().health()).work).toBeUndefined();
}

/** Has everything copied that is not; a restarted index does not know of copies that must rest. */
async function copyAll(): Promise<void> {
  const held = () => runInDurableObject(shard(), (log: ReportLog) => log.health());
  for (let round = 0; round < 5 && (await held()).rows > 0; round++) {
    await runInDurableObject(shard(), (log: ReportLog) => log.alarm());
  }
  expect(await held()).toMatchObject({ rows: 0, lines: 0 });
  await abortAllDurableObjects();
  await index().health();
  await index().quiet();
}

const byText = <T>(values: readonly T[]) => values.map((value) => JSON.stringify(value)).sort();

/** Expects the counts, lists, codes and words of then. */
async function expectCounts({ then }: StoredVersion): Promise<void> {
  for (const issue of then.issues) {
    expect(await desk.issueNow(issue.digest), issue.digest).toMatchObject(issue);
  }
  const lists = [await desk.newest(), await desk.list(readQuery("is:noise"))];
  expect(lists.map(({ total }) => total)).toEqual([then.total, then.issues.length - then.total]);
  const listed = lists.flatMap(({ issues }) => issues).map(({ digest, count }) => [digest, count]);
  expect(byText(listed)).toEqual(byText(then.issues.map(({ digest, count }) => [digest, count])));
  for (const [alias, digests] of Object.entries(then.aliases)) {
    expect(await desk.aliases(alias), alias).toEqual(digests);
  }
  for (const [words, digests] of Object.entries(then.search ?? {})) {
    expect(await desk.search(words), words).toEqual(digests);
  }
  for (const [digest, notes] of Object.entries(then.notes ?? {})) {
    expect(await desk.notes(digest), digest).toEqual(notes);
  }
  if (then.views !== undefined) expect(await desk.views()).toEqual(then.views);
  for (const [trace, digest] of Object.entries(then.traced ?? {})) {
    expect(await desk.locate(trace), trace).toMatchObject({ digest });
  }
}

/** In the record a report that was erased is one that was only counted, and one of an issue that was erased is none. */
function hasErased({ tables }: StoredVersion): boolean {
  return tables.log.some(({ name, rows }) => name === "erased" && rows?.length !== 0);
}

/**
 * Expects the tallies of then, over all days: what waited beside the log counts on the day on which it comes in. Where an erasure
 * is under way, a report may be erased before it is counted, and counts without its body then.
 */
async function expectTallies(version: StoredVersion): Promise<void> {
  const { then } = version;
  if (then.tallies === undefined) return;
  const isMeant = ([first = "", item]: TallyName) =>
    !(hasErased(version) && ["accepted", "counted"].includes(first) && item === "error");
  const [now, before] = [new TallySheet(), new TallySheet()];
  for (const { name, count } of await desk.tallies(7)) if (isMeant(name)) now.add(name, count);
  for (const [, name, count] of then.tallies) if (isMeant(name)) before.add(name, count);
  expect(byText(now.take())).toEqual(byText(before.take()));
}

/** Expects that each report leads to its issue, and to its body where that was kept; `isLost` says of which ids nothing is known. */
async function expectReports(
  { then }: StoredVersion,
  isLost: (id: string) => boolean = () => false,
): Promise<void> {
  const digests = then.issues.map(({ digest }) => digest);
  for (const [id, digest, kept] of then.reports) {
    const found = await desk.locate(id);
    if (isLost(id)) {
      expect([found, kept], id).toEqual([null, "sum"]);
      continue;
    }
    expect(digests, id).toContain(found?.digest);
    // The first versions led a browser's report to a digest of its own, of which there was no issue.
    // The tenth led a report that came before its issue was split off to that issue, which does not count it.
    const from = then.issues.filter(({ parted = [] }) => parted.includes(digest));
    const meant = [digest, ...from.map((issue) => issue.digest)];
    if (digests.includes(digest)) expect(meant, id).toContain(found?.digest);
    const report = await desk.report({ position: found?.position ?? "" });
    expect(report?.id, id).toBe(kept === "body" ? id : undefined);
  }
}

/** Every line of KV's chunks that names reports by their ids; a sum has one of those that it stands for, and does not say so. */
async function recordOfIds(): Promise<string> {
  const chunks = (await chunkKeys()).map((key) => readChunk(bindings.KV, key));
  const lines = (await Promise.all(chunks)).flatMap((chunk) => chunk ?? []);
  return lines.filter((line) => !line.startsWith('{"sum":')).join("\n");
}

it("each fixture holds what was counted and copied, what was only one of both, and what was neither", async () => {
  expect(versions.length).toBeGreaterThanOrEqual(10);
  for (const name of versions) {
    const { tables } = await open(name);
    const rowsOf = (of: "log" | "index", table: string) =>
      tables[of].find((it) => it.name === table)?.rows ?? [];
    const counted = Number(rowsOf("index", "counted")[0]?.[1]);
    const copied = new Set(rowsOf("log", "chunk").map(([chunk]) => chunk));
    const held = rowsOf("log", "row").map(([seq, chunk]) => {
      return [Number(seq) <= counted ? "counted" : "", copied.has(chunk ?? "") ? "copied" : ""];
    });
    const rows = byText([...new Set(held.map((row) => row.join(" ").trim()))]);
    expect(rows, name).toEqual(byText(["", "copied", "counted"]));
    expect(copied.size, name).toBeGreaterThan(1);
    await fresh();
  }
});

describe.each(versions)("what version %s wrote", (name) => {
  it("counts as it did then, and what was not counted yet counts once", async () => {
    const version = await opened(name);
    await expectCounts(version);
    await expectTallies(version);
    await expectReports(version);
    await abortAllDurableObjects();
    await shard().settle();
    await expectCounts(version);
    await expectTallies(version);
  });

  it("is copied where it was not, and forgotten nowhere", async () => {
    const version = await opened(name);
    await copyAll();
    const chunks = version.tables.log.find((table) => table.name === "row")?.rows ?? [];
    const keys = await chunkKeys();
    for (const [, chunk, hour] of chunks) {
      expect(keys).toContain(`c/1/${hour}/0.${String(chunk).padStart(8, "0")}`);
    }
    await runInDurableObject(index(), (instance: ProjectIndex) => instance.alarm());
    await expectCounts(version);
    await expectReports(version);
    for (const { digest } of version.then.issues) {
      expect(await bindings.KV.get(`g/1/${digest}`, "json"), digest).toMatchObject({ digest });
    }
  });

  it("goes on: a retry counts once, a new report once more, and people decide", async () => {
    const { then } = await opened(name);
    const retries = then.reports.map(([id]) => aReport(NEW, { id }));
    const answers = await log.append(retries);
    expect(answers.filter(({ repeated }) => !repeated)).toEqual([]);
    const [answer] = await log.append([aReport(NEW)]);
    const before = then.issues.find(({ digest }) => digest === DIGEST)?.count ?? 0;
    expect(await desk.issueNow(DIGEST)).toMatchObject({ count: before + 1 });
    expect(await desk.decide(DIGEST, { state: "muted" })).toMatchObject({ state: "muted" });
    await sealNow();
    await abortAllDurableObjects();
    expect(await desk.issueNow(DIGEST)).toMatchObject({ count: before + 1, state: "muted" });
    expect(await desk.report({ position: answer?.position ?? "" })).toMatchObject({
      id: aReport(NEW).id,
    });
  });

  it("is made anew from KV and what the log holds", async () => {
    const version = await opened(name);
    await index().begin({ kind: "rebuild" });
    await workDone();
    await expectCounts(version);
    if (!hasErased(version)) await expectTallies(version);
    await expectReports(version);
  });

  it("is made anew from KV alone", async () => {
    const version = await opened(name);
    await copyAll();
    const record = await recordOfIds();
    await runInDurableObject(index(), (_: ProjectIndex, { storage }) => storage.deleteAll());
    await runInDurableObject(shard(), (_: ReportLog, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    await workDone();
    await expectCounts(version);
    if (!hasErased(version)) await expectTallies(version);
    // Chunks did not always say whose ids their sums stand for, and do not say it of what was erased.
    await expectReports(version, (id) => !record.includes(id));
  });
});
