/** The scripts in the stacks of a release, and which have maps. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { createReport } from "#support/reports/reports.ts";
import {
  listBundledFiles,
  makeBuild,
  runAlarm,
  sourceMaps,
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  finishJobs,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const RELEASE = "1.4.0";
const ID = "91ea0b2c91ea0b2c91ea0b2c91ea0b2c";
const toUrl = (name: string) => `https://shop.example/assets/${name}.js`;

/** An error whose stack names these scripts. */
function anError(n: number, names: readonly string[], over: Partial<Report> = {}): Report {
  const frames = names.map((name) => ({ file: toUrl(name), line: 1, column: 20, inApp: true }));
  return createReport(n, { release: RELEASE, frames, ...over });
}

const listFiles = async (release = RELEASE) =>
  (await projectStore.listScripts(release)).map(({ file }) => file);

it("are those of all its issues, each once, by release", async () => {
  await log.append([
    anError(1, ["app", "vendor"]),
    anError(2, ["app"]),
    anError(3, ["pay"], { digest: "0000-0000" }),
    anError(4, ["old"], { release: "1.3.0" }),
    createReport(5, {
      release: RELEASE,
      frames: [{ file: "/srv/server.js", line: 1, inApp: true }],
    }),
  ]);
  expect(await listFiles()).toEqual(["app", "pay", "vendor"].map(toUrl));
  expect(await listFiles("1.3.0")).toEqual([toUrl("old")]);
  expect(await listFiles("9")).toEqual([]);
});

it("are those of public reports only if trusted ones name none", async () => {
  await log.append([anError(1, ["invented"], { trust: "public", digest: "0000-0000" })]);
  expect(await listFiles()).toEqual([toUrl("invented")]);
  await log.append([anError(2, ["app"], { trust: "page" })]);
  expect(await listFiles()).toEqual([toUrl("app")]);
});

it("are limited in number", async () => {
  const many = Array.from({ length: limits.scriptsPerRelease + 5 }, (_, n) =>
    anError(n + 1, [`chunk-${n}`]),
  );
  await log.append(many.slice(0, limits.maxReportsPerAppend));
  await log.append(many.slice(limits.maxReportsPerAppend));
  expect(await listFiles()).toHaveLength(limits.scriptsPerRelease);
});

it("have a map by their debug id too", async () => {
  const files = listBundledFiles([makeBuild("app")]).map((file) => ({
    ...file,
    url: file.url.replace("assets/app.js", `${ID}-0.js`),
    headers: { "debug-id": ID },
  }));
  await uploadFiles(files);
  await runAlarm();
  const detail = { debug_meta: { images: [{ code_file: toUrl("app"), debug_id: ID }] } };
  await log.append([anError(1, ["app", "vendor"], { detail })]);
  const scripts = await projectStore.listScripts(RELEASE);
  expect(scripts).toEqual([{ file: toUrl("app"), debugIds: [ID] }, { file: toUrl("vendor") }]);
  expect(await sourceMaps.getCoverage(RELEASE, scripts)).toEqual([
    { file: toUrl("app"), hasMap: true },
    { file: toUrl("vendor"), hasMap: false },
  ]);
});

it("are read again from the archive and the snapshots when the index is lost", async () => {
  await log.append([anError(1, ["app", "vendor"])]);
  await writeSnapshots();
  await log.append([anError(2, ["pay"])]);
  await uploadChunk();
  for (const object of [getIndex(), getShard()])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  await projectStore.listNewestIssues().catch(() => undefined);
  await finishJobs();
  expect(await listFiles()).toEqual(["app", "pay", "vendor"].map(toUrl));
});

it("are erased with a text in their URL, and with the project", async () => {
  await log.append([anError(1, ["app", "jane-doe"])]);
  expect(await listFiles()).toHaveLength(2);
  await admin.eraseMatching("jane-doe");
  await finishJobs();
  expect(await listFiles()).toEqual([toUrl("app")]);
  await admin.eraseProject();
  await finishJobs();
  expect(await listFiles()).toEqual([]);
});
