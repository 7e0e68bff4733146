// The functions of sources: read when a frame first needs them, then stored beside their map.

import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { NAMES_VERSION } from "#src/core/symbolication/parse-functions.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { rawDeflate } from "#src/store/artifacts/tables/raw-deflate.ts";
import { toBytes } from "#support/bytes.ts";
import type { BundledFile } from "#support/source-maps/make-build.ts";
import {
  createThrowingFrame,
  resolveFrame,
  sourceMaps,
  uploadBuild,
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";

const uploadApp = () => uploadBuild("app", { release });
const resolveApp = () => resolveFrame(createThrowingFrame("app"), { release });

function readRows(): Promise<readonly { source: number; version: number; bytes: number | null }[]> {
  return runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) =>
    storage.sql
      .exec<{ source: number; version: number; bytes: number | null }>(
        "SELECT source, version, length(functions) AS bytes FROM source_functions ORDER BY source",
      )
      .toArray(),
  );
}

/** Replaces the stored functions. The object forgets what it has in memory. */
async function replaceStored(name: string, version = NAMES_VERSION): Promise<void> {
  const json = toBytes(JSON.stringify({ names: [name], ranges: [0, 0, 0], boundaries: [0, 0, 0] }));
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    const query = "UPDATE source_functions SET functions = ?, version = ?";
    storage.sql.exec(query, rawDeflate.deflate(json), version);
  });
  await abortAllDurableObjects();
}

/** A script with one line for each source, whose function throws at its start. */
function makeLargeBuild(sources: readonly string[]): readonly BundledFile[] {
  const map = JSON.stringify({
    version: 3,
    sources: sources.map((_, n) => `../src/file${n}.js`),
    sourcesContent: sources,
    names: [],
    // Each line begins at the `throw` of the next source.
    mappings: sources.map((_, n) => (n === 0 ? "AAAa" : "ACAA")).join(";"),
  });
  return [
    { url: "~/assets/large.js", type: "minified_source", text: "\n".repeat(sources.length) },
    { url: "~/assets/large.js.map", type: "source_map", text: map },
  ];
}

describe("the functions of a source", () => {
  it("are stored when a frame first needs them, and read from there", async () => {
    await uploadApp();
    expect(await readRows()).toEqual([]);
    expect(await resolveApp()).toMatchObject({ function: "fail" });
    expect(await readRows()).toMatchObject([{ source: 0, version: NAMES_VERSION }]);
    await replaceStored("stored");
    expect(await resolveApp()).toMatchObject({ function: "stored" });
  });

  it("are parsed again for another version, and if the row is damaged", async () => {
    await uploadApp();
    await resolveApp();
    await replaceStored("old", NAMES_VERSION - 1);
    expect(await resolveApp()).toMatchObject({ function: "fail" });
    expect(await readRows()).toMatchObject([{ version: NAMES_VERSION }]);
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("UPDATE source_functions SET functions = x'00ff'");
    });
    await abortAllDurableObjects();
    expect(await resolveApp()).toMatchObject({ function: "fail" });
  });

  it("are deleted with the upload, and with the project", async () => {
    await uploadApp();
    await resolveApp();
    const [upload] = (await sourceMaps.summarize()).uploads;
    await sourceMaps.deleteUpload(upload?.id ?? "");
    expect(await readRows()).toEqual([]);
    await uploadApp();
    await resolveApp();
    expect(await readRows()).toHaveLength(1);
    await getSourceMaps().wipe();
    expect(await readRows()).toEqual([]);
  });

  it("are stored as absent for a text that cannot be parsed", async () => {
    const files = makeLargeBuild(["function fail( { throw"]);
    await uploadFiles(files, { release });
    const frame = { ...createThrowingFrame("large"), line: 1, column: 1 };
    const resolved = await resolveFrame(frame, { release });
    expect(resolved).toMatchObject({ kind: "resolved", line: 1, function: undefined });
    expect(await readRows()).toEqual([{ source: 0, version: NAMES_VERSION, bytes: null }]);
  });

  it("of many sources are parsed by several requests, those of the newest frames first", async () => {
    const bytes = limits.maxParsedBytesPerRequest * 0.4;
    const sources = [0, 1, 2, 3].map((n) => `function f${n}(){throw 1}/*${"x".repeat(bytes)}*/`);
    await uploadFiles(makeLargeBuild(sources), { release });
    const frames = sources.map((_, n) => ({
      ...createThrowingFrame("large"),
      line: n + 1,
      column: 1,
    }));
    const readNames = async () => {
      const [stack] = await sourceMaps.resolveStacks({ stacks: [frames], images: [], release });
      return stack?.map((frame) => (frame.kind === "resolved" ? frame.function : "unmapped"));
    };
    expect(await readNames()).toEqual(["f0", "f1", undefined, undefined]);
    expect(await readNames()).toEqual(["f0", "f1", "f2", "f3"]);
    expect(await readRows()).toHaveLength(4);
  });

  it("of a source above the limit are not parsed", async () => {
    const text = `function f(){throw 1}/*${"x".repeat(limits.maxParsedSourceBytes)}*/`;
    await uploadFiles(makeLargeBuild([text]), { release });
    const frame = { ...createThrowingFrame("large"), line: 1, column: 1 };
    expect(await resolveFrame(frame, { release })).toMatchObject({ function: undefined });
    expect(await readRows()).toEqual([]);
  });
});
