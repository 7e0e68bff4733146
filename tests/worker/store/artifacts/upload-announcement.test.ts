import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hasProjectArtifacts } from "#src/core/accounts/project-changes.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { createSourceMapClient } from "#src/store/client/source-map-client.ts";
import { readNowMs } from "#support/clock/clock.ts";
import {
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
} from "#support/source-maps/make-build.ts";
import {
  createThrowingFrame,
  runAlarm,
  sourceMaps,
  uploadBundle,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, bindings, finishJobs, getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const bundle = makeArtifactBundle(listBundledFiles([makeBuild("app")]));

async function isMarked(project = "1"): Promise<boolean> {
  const registry = await bindings.REGISTRY.getByName("registry").readIfNewer(0);
  return registry !== null && hasProjectArtifacts(registry, project);
}

describe("the registry", () => {
  it("marks a project with its first upload, and not before", async () => {
    expect(await isMarked()).toBe(false);
    await uploadBundle(bundle, { release: "a" });
    await runAlarm();
    expect(await isMarked()).toBe(true);
    expect(await isMarked("2")).toBe(false);
  });

  it("marks a project with facts of a release", async () => {
    await sourceMaps.changeRelease({ version: "a" });
    await runAlarm();
    expect(await isMarked()).toBe(true);
  });

  it("gets the mark again once a day, because it may be restored from an older copy", async () => {
    await uploadBundle(bundle, { release: "a" });
    await runAlarm();
    await bindings.REGISTRY.getByName("registry").markArtifacts("1", false);
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("UPDATE announced SET at_ms = at_ms - 86400000");
      return storage.setAlarm(readNowMs() + 1_000_000);
    });
    await runAlarm();
    expect(await isMarked()).toBe(true);
  });

  it("marks no project whose data was erased", async () => {
    await uploadBundle(bundle, { release: "a" });
    await runAlarm();
    await admin.eraseProject();
    await finishJobs();
    await runAlarm();
    expect(await isMarked()).toBe(false);
  });
});

describe("a project without uploads", () => {
  const calls = vi.fn();
  const SOURCE_MAPS = new Proxy(bindings.SOURCE_MAPS, {
    get: (target, name) => {
      calls(name);
      return Reflect.get(target, name).bind(target);
    },
  });
  const createClient = () =>
    createSourceMapClient({ SOURCE_MAPS }, { project: "1", hasArtifacts: async () => false });

  it("is answered without a call to its object", async () => {
    const { sourceMaps: client } = createClient();
    const debugId = "0".repeat(31).concat("1");
    const [stack] = await client.resolveStacks({
      stacks: [[createThrowingFrame("app"), { function: "map" }, { file: "node:fs", line: 1 }]],
      images: [{ file: createThrowingFrame("app").file, debugId }],
    });
    expect(stack).toEqual([
      { kind: "unmapped", reason: "nothing-uploaded", debugId },
      { kind: "unmapped", reason: "not-expected" },
      { kind: "unmapped", reason: "not-expected" },
    ]);
    expect(await client.summarize()).toMatchObject({ uploads: [], storedBytes: 0 });
    expect(await client.listReleaseFacts()).toEqual([]);
    expect(await client.listFiles("x")).toBeNull();
    expect(await client.getCoverage("a", [{ file: "app.js" }])).toEqual([
      { file: "app.js", hasMap: false },
    ]);
    expect(calls).not.toHaveBeenCalled();
  });

  it("is asked by the isolate that has uploaded to it, before the registry has the mark", async () => {
    const { sourceMaps: client } = createClient();
    await client.changeRelease({ version: "a" });
    expect(await client.listReleaseFacts()).toMatchObject([{ version: "a" }]);
  });
});
