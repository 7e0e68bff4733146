/** A script and its map in uploads of their own, as `curl -T` sends one after the other. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import {
  artifactUploads,
  createThrowingFrame,
  makeBuild,
  resolveFrame,
  runAlarm,
  saveRecord,
  sourceMaps,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";
const { script, map } = makeBuild("app");
const FILES = { script: { name: "app.js", text: script }, map: { name: "app.js.map", text: map } };

interface Facts {
  readonly release?: string;
  readonly dist?: string;
  readonly url?: string;
}

/** Uploads a file alone; resolves to what the answer says about it. */
async function send(text: string, name: string, facts: Facts = { release }) {
  const body = new Blob([text]).stream();
  const answer = await artifactUploads.storeSingle(body, { name, url: "~/assets/", ...facts });
  if (!answer.ok) throw new Error(answer.detail);
  return answer.value.files[0];
}

/** The problems of all files, by URL. */
async function listProblems(): Promise<Record<string, readonly string[]>> {
  const { uploads } = await sourceMaps.summarize();
  const files = await Promise.all(uploads.map(({ id }) => sourceMaps.listFiles(id)));
  return Object.fromEntries(files.flat().map((file) => [file?.url ?? "", file?.problems ?? []]));
}

const ORDERS = [
  { order: "the script before the map", first: FILES.script, second: FILES.map },
  { order: "the map before the script", first: FILES.map, second: FILES.script },
];

describe.each(ORDERS)("$order", ({ first, second }) => {
  it("gives the names of functions, and no file has a problem", async () => {
    await send(first.text, first.name);
    await send(second.text, second.name);
    expect(await listProblems()).toEqual({ "~/assets/app.js": [], "~/assets/app.js.map": [] });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
      file: "src/app.ts",
      line: 2,
      function: "fail",
    });
  });

  it("is matched by the debug id, whatever the release and the URL are", async () => {
    const debugId = "0c1f4c5e6f6b5d7e9f3a1b2c3d4e5f6a";
    const build = makeBuild("app", { debugId });
    const texts: Record<string, string> = { "app.js": build.script, "app.js.map": build.map };
    await send(texts[first.name] ?? "", first.name, { url: "~/one/" });
    await send(texts[second.name] ?? "", second.name, { release, url: "~/two/" });
    expect(Object.values(await listProblems())).toEqual([[], []]);
    expect(
      await resolveFrame(createThrowingFrame("app", "https://x.example/"), { debugId }),
    ).toMatchObject({
      kind: "resolved",
      function: "fail",
    });
  });

  it("survives the loss of the object", async () => {
    await send(first.text, first.name);
    await saveRecord();
    await send(second.text, second.name);
    await saveRecord();
    await runInDurableObject(getSourceMaps(), async (_: SourceMaps, { storage }) => {
      await storage.deleteAll();
    });
    await abortAllDurableObjects();
    await sourceMaps.summarize().catch(() => undefined);
    await runAlarm();
    expect(await listProblems()).toEqual({ "~/assets/app.js": [], "~/assets/app.js.map": [] });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      function: "fail",
    });
  });

  it("is readable without the names of functions if the first one was sent days before", async () => {
    await send(first.text, first.name);
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("DELETE FROM chunk");
    });
    await send(second.text, second.name);
    expect(await listProblems()).toEqual({ "~/assets/app.js": [], "~/assets/app.js.map": [] });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({ line: 2 });
  });

  it.each<[string, Facts]>([
    ["another release", { release: "shop@2" }],
    ["another dist", { release, dist: "7" }],
    ["another folder", { release, url: "~/other/" }],
  ])("is not a pair with a file of %s", async (_, facts) => {
    await send(first.text, first.name);
    await send(second.text, second.name, facts);
    const problems = Object.values(await listProblems()).flat();
    expect(problems).toEqual(["No source map was uploaded for it (app.js.map)."]);
  });
});

it.each(ORDERS)(
  "a second build at the URLs of the first has its own map: $order",
  async (files) => {
    for (const name of ["one", "two"]) {
      const build = { ...makeBuild(name), name: "app" };
      const texts = {
        "app.js": build.script.replaceAll(`${name}.js`, "app.js"),
        "app.js.map": build.map,
      };
      for (const { name: file } of [files.first, files.second])
        await send(texts[file as keyof typeof texts], file);
    }
    const { uploads } = await sourceMaps.summarize();
    expect(uploads).toHaveLength(4);
    const last = uploads.find(({ id }) => id === uploads[0]?.id);
    const before = (last?.uploadedMs ?? 0) + 1;
    const frame = createThrowingFrame("app");
    const newest = await resolveFrame(frame, { release, atMs: before });
    expect(newest).toMatchObject({ file: "src/two.ts", builds: 2 });
    expect(await resolveFrame(frame, { release, atMs: 1 })).toMatchObject({ file: "src/one.ts" });
  },
);

it("a map is not a pair with a script of another build, by their debug ids", async () => {
  const [one, other] = ["0c1f4c5e6f6b5d7e9f3a1b2c3d4e5f6a", "11111c5e6f6b5d7e9f3a1b2c3d4e5f6a"];
  await send(makeBuild("app", { debugId: one as string }).script, "app.js");
  await send(makeBuild("app", { debugId: other as string }).map, "app.js.map");
  expect((await listProblems())["~/assets/app.js"]).toHaveLength(1);
});

it("the bytes of a script without its map are kept for a day", async () => {
  await send(script, "app.js");
  const count = () =>
    runInDurableObject(
      getSourceMaps(),
      (_: SourceMaps, { storage }) =>
        storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM chunk").one().n,
    );
  expect(await count()).toBe(1);
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE chunk SET at_ms = 0");
    storage.sql.exec("DELETE FROM sweep");
  });
  await runAlarm();
  expect(await count()).toBe(0);
});
