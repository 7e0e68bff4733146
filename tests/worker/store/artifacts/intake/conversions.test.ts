import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { MANIFEST_PATH } from "#src/core/artifacts/bundle-manifest.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { toBytes } from "#support/bytes.ts";
import {
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
} from "#support/source-maps/make-build.ts";
import { makeBundle } from "#support/source-maps/make-zip.ts";
import {
  createAssembly,
  createThrowingFrame,
  resolveFrame,
  runAlarm,
  sendBundle,
  sourceMaps,
  uploadBundle,
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";

/** Random text, which does not compress to less than half. */
function createText(bytes: number): string {
  const parts = Array.from({ length: Math.ceil(bytes / 50_000) }, () => randomBytes(50_000));
  return Buffer.concat(parts).toString("hex");
}

/** A bundle above 2 MB, which alarms convert. */
function createLargeBundle(names: readonly string[]) {
  const builds = names.map((name) => {
    const build = makeBuild(name);
    const map = JSON.parse(build.map) as { sources: string[]; sourcesContent: string[] };
    map.sources.push("../src/text.ts");
    map.sourcesContent.push(createText(800_000));
    return { ...build, map: JSON.stringify(map) };
  });
  return makeArtifactBundle(listBundledFiles(builds));
}

function count(query: string): Promise<number> {
  return runInDurableObject(
    getSourceMaps(),
    (_: SourceMaps, { storage }) => storage.sql.exec<{ n: number }>(query).one().n,
  );
}

describe("a large bundle", () => {
  it("is converted by alarms, also if the object is killed after each of them", async () => {
    const bundle = createLargeBundle(["one", "two", "three", "four"]);
    expect(await sendBundle(bundle, { release })).toMatchObject({ state: "created" });
    let turns = 0;
    for (; turns < 20; turns++) {
      const { state } = await sourceMaps.assemble(createAssembly(bundle, { release }));
      if (state === "ok") break;
      expect(await resolveFrame(createThrowingFrame("one"), { release })).toEqual({
        kind: "unmapped",
        reason: "converting",
      });
      await runAlarm();
      await abortAllDurableObjects();
    }
    expect(turns).toBeGreaterThan(1);
    for (const name of ["one", "two", "three", "four"]) {
      expect(await resolveFrame(createThrowingFrame(name), { release })).toMatchObject({
        kind: "resolved",
      });
    }
    expect(await count("SELECT count(*) AS n FROM chunk")).toBe(0);
  });

  it("has the names of functions for a script of megabytes", async () => {
    const { script, ...build } = makeBuild("app");
    const large = `${script}/*${"x".repeat(7_500_000)}*/`;
    await uploadBundle(makeArtifactBundle(listBundledFiles([{ ...build, script: large }])), {
      release,
    });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      function: "fail",
    });
  });

  it("leaves nothing if its upload is deleted during the conversion", async () => {
    const bundle = createLargeBundle(["one", "two", "three"]);
    await sendBundle(bundle, { release });
    const [upload] = (await sourceMaps.summarize()).uploads;
    const running = runAlarm();
    await sourceMaps.deleteUpload(upload?.id ?? "");
    await running;
    await runAlarm();
    for (const table of ["upload", "file", "map", "map_part", "chunk"]) {
      expect(await count(`SELECT count(*) AS n FROM ${table}`), table).toBe(0);
    }
  });

  it("gives up on a file whose conversion was interrupted three times, and converts others", async () => {
    const bundle = createLargeBundle(["one", "two", "three"]);
    await sendBundle(bundle, { release });
    await runAlarm();
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("UPDATE file SET attempts = 3 WHERE url LIKE '%three.js' AND done = 0");
    });
    expect(await uploadBundle(bundle, { release })).toMatchObject({ state: "ok" });
    const [upload] = (await sourceMaps.summarize()).uploads;
    const files = await sourceMaps.listFiles(upload?.id ?? "");
    expect(files?.find(({ url }) => url.endsWith("three.js"))?.problems).toEqual([
      "The conversion was interrupted several times: the file may need too much memory.",
    ]);
    expect(await resolveFrame(createThrowingFrame("one"), { release })).toMatchObject({
      kind: "resolved",
    });
  });
});

describe("two concurrent uploads", () => {
  it("are both readable", async () => {
    const bundles = ["one", "two"].map((name) => createLargeBundle([name, `${name}-more`]));
    await Promise.all(bundles.map((bundle) => sendBundle(bundle, { release })));
    for (const bundle of bundles) {
      expect(await uploadBundle(bundle, { release })).toMatchObject({ state: "ok" });
    }
    for (const name of ["one", "one-more", "two", "two-more"]) {
      expect(await resolveFrame(createThrowingFrame(name), { release })).toMatchObject({
        kind: "resolved",
      });
    }
  });

  it("are one upload if they are the same", async () => {
    const bundle = makeArtifactBundle(listBundledFiles([makeBuild("app")]));
    const states = await Promise.all([
      sendBundle(bundle, { release }),
      sendBundle(bundle, { release }),
    ]);
    expect(states.map(({ state }) => state)).toEqual(["ok", "ok"]);
    expect((await sourceMaps.summarize()).uploads).toHaveLength(1);
  });
});

describe("a hostile bundle", () => {
  const manifest = (url: string, type: string) => ({
    path: MANIFEST_PATH,
    bytes: toBytes({ files: { "a.map": { url, type } } }),
  });
  const map = { path: "a.map", bytes: toBytes('{"version":3,"sources":[],"mappings":""}') };
  const good = makeBundle([manifest("~/a.js.map", "source_map"), map]);

  it.each([
    { what: "that is cut off", bytes: good.subarray(0, -30), detail: "The zip is invalid" },
    {
      what: "without a manifest",
      bytes: makeBundle([map]),
      detail: "The bundle has no manifest.json.",
    },
    {
      what: "with a manifest that is not JSON",
      bytes: makeBundle([{ path: MANIFEST_PATH, bytes: toBytes("{") }]),
      detail: "manifest.json is invalid: expected JSON.",
    },
    {
      what: "without a script or map",
      bytes: makeBundle([manifest("~/a.ts", "source"), map]),
      detail: "The upload has no script and no source map.",
    },
    {
      what: "with more files than the limit",
      bytes: makeBundle([
        {
          path: MANIFEST_PATH,
          bytes: toBytes({
            files: Object.fromEntries(
              Array.from({ length: 2_001 }, (_, n) => [
                `${n}.map`,
                { url: `~/${n}.map`, type: "source_map" },
              ]),
            ),
          }),
        },
      ]),
      detail: "expected at most 2000 files",
    },
    { what: "that is HTML", bytes: toBytes("<!doctype html>"), detail: "it is HTML" },
  ])("$what is refused with the reason", async ({ bytes, detail }) => {
    const state = await uploadBundle(new Uint8Array(bytes), { release });
    expect(state).toMatchObject({ state: "error", missingChunks: [] });
    expect(state.detail).toContain(detail);
    const { uploads, failures } = await sourceMaps.summarize();
    expect(uploads).toMatchObject([{ state: "failed" }]);
    expect(failures[0]?.detail).toContain(detail);
  });

  /** The bundle with another size for its map, in the local header and in the directory. */
  function declareSize(bundle: Uint8Array, size: number, declared: number): Buffer {
    const bytes = Buffer.from(bundle);
    for (let at = bytes.indexOf("PK"); at !== -1; at = bytes.indexOf("PK", at + 1)) {
      const fields = bytes.readUInt16LE(at + 2) === 0x0403 ? at + 22 : at + 24;
      if (fields + 4 <= bytes.length && bytes.readUInt32LE(fields) === size) {
        bytes.writeUInt32LE(declared, fields);
      }
    }
    return bytes;
  }

  it.each([
    { what: "a small", text: "" },
    { what: "a large", text: createText(300_000) },
  ])("with $what map that inflates to more than it declares is refused", async ({ text }) => {
    const bytes = toBytes({ version: 3, sources: ["a"], sourcesContent: [text], mappings: "" });
    const bundle = makeBundle([manifest("~/a.js.map", "source_map"), { ...map, bytes }]);
    const declared = bytes.length - 10;
    const state = await uploadBundle(declareSize(bundle, bytes.length, declared), { release });
    expect(state).toMatchObject({ state: "error" });
    expect(state.detail).toContain(`that inflates to ${declared} bytes`);
    expect(await count("SELECT count(*) AS n FROM map")).toBe(0);
  });

  it("with a map above the limit is refused without inflating it", async () => {
    const bytes = declareSize(good, map.bytes.length, 65 * 1024 * 1024);
    const state = await uploadBundle(bytes, { release });
    expect(state.detail).toContain("at most 67108864 bytes");
  });

  it("with one map that cannot be read still provides the others", async () => {
    const files = [
      ...listBundledFiles([makeBuild("app")]),
      { url: "~/assets/bad.js.map", type: "source_map" as const, text: '{"version":2}' },
    ];
    expect(await uploadFiles(files, { release })).toMatchObject({
      state: "ok",
    });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
    expect(await resolveFrame(createThrowingFrame("bad"), { release })).toMatchObject({
      reason: "map-refused",
    });
    expect((await sourceMaps.summarize()).failures[0]?.detail).toContain("~/assets/bad.js.map");
  });
});

describe("chunks", () => {
  it("that no upload uses are deleted after a day, and those of an upload are not", async () => {
    const [used, unused] = [createLargeBundle(["one"]), createLargeBundle(["two"])];
    await sendBundle(used, { release });
    await sendBundle(unused, { release: "other" });
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("DELETE FROM upload WHERE release = 'other'");
      storage.sql.exec("UPDATE chunk SET at_ms = 0");
    });
    await runAlarm();
    expect(await sourceMaps.assemble(createAssembly(unused))).toMatchObject({ state: "not_found" });
    expect(await uploadBundle(used, { release })).toMatchObject({ state: "ok" });
  });
});
