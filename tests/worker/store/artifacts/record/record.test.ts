import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import {
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
} from "#support/source-maps/make-build.ts";
import {
  createThrowingFrame,
  listRecordKeys,
  replaceObjectKv,
  resolveFrame,
  runAlarm,
  saveRecord,
  sourceMaps,
  uploadBundle,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createFaultyKv, createRefusingKv, withKvMethods } from "#support/store/faulty-kv.ts";
import { admin, bindings, finishJobs, getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";
const bundle = makeArtifactBundle(listBundledFiles([makeBuild("app"), makeBuild("vendor")]));

/** The object loses its storage, as if it were created again. */
async function loseObject(): Promise<void> {
  await runInDurableObject(getSourceMaps(), async (_: SourceMaps, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await abortAllDurableObjects();
}

/** Runs alarms until the object answers. */
async function untilReadable(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    const isReadable = await sourceMaps.summarize().then(
      () => true,
      () => false,
    );
    if (isReadable) return;
    await runAlarm();
  }
}

describe("the record in KV", () => {
  it("needs one pack and one value for a deploy", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    const keys = await listRecordKeys();
    expect(keys.map((key) => key.split("/").slice(0, 3).join("/")).sort()).toEqual([
      "source-maps/1/packs",
      "source-maps/1/uploads",
    ]);
  });

  it("needs one value for a deploy of maps that the project has", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    const again = makeArtifactBundle(listBundledFiles([makeBuild("app"), makeBuild("vendor")]), {
      note: "again",
    });
    await uploadBundle(again, { release: "shop@1.4.1" });
    await saveRecord();
    const keys = await listRecordKeys();
    expect(keys.filter((key) => key.includes("/packs/"))).toHaveLength(1);
    expect(keys.filter((key) => key.includes("/uploads/"))).toHaveLength(2);
  });

  it("rebuilds an object that lost its storage, which then gives equal answers", async () => {
    const clock = new TestClock();
    clock.start();
    await uploadBundle(bundle, { release, dist: "7", tool: "sentry-cli/3.8.0" });
    await sourceMaps.changeRelease({ version: release, releasedMs: 5 });
    const ask = async () => ({
      frame: await resolveFrame(createThrowingFrame("app"), { release, dist: "7" }),
      uploads: (await sourceMaps.summarize()).uploads.map(({ lastUsedMs: _, ...one }) => one),
      files: await sourceMaps.listFiles((await sourceMaps.summarize()).uploads[0]?.id ?? ""),
      facts: await sourceMaps.listReleaseFacts(),
    });
    const before = await ask();
    expect(before.frame).toMatchObject({ kind: "resolved" });
    clock.advance(10_000);
    await runAlarm();
    clock.restore();
    await saveRecord();
    await loseObject();
    await untilReadable();
    expect(await ask()).toEqual(before);
  });

  it("answers nothing while an object without storage reads it", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    await loseObject();
    await expect(resolveFrame(createThrowingFrame("app"), { release })).rejects.toThrow(
      "read from KV",
    );
    await untilReadable();
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
  });

  it("is written later, if KV refuses, while frames are resolved", async () => {
    await resolveFrame(createThrowingFrame("app"));
    await replaceObjectKv(createRefusingKv(bindings.KV, "put"));
    expect(await uploadBundle(bundle, { release })).toMatchObject({ state: "ok" });
    await runAlarm();
    expect(await listRecordKeys()).toEqual([]);
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
    await replaceObjectKv(bindings.KV);
    await saveRecord();
    expect(await listRecordKeys()).toHaveLength(2);
  });

  it("repeats a put whose reply was lost with the same key and bytes", async () => {
    await resolveFrame(createThrowingFrame("app"));
    const { kv, puts } = createFaultyKv(bindings.KV, ["lose-reply", "ok", "lose-reply"]);
    await replaceObjectKv(kv);
    await uploadBundle(bundle, { release });
    await saveRecord();
    const [first, second, third, fourth] = puts;
    expect(second).toEqual(first);
    expect(fourth).toEqual(third);
    expect(await listRecordKeys()).toHaveLength(2);
  });

  it("writes the values that KV has lost again, by the rebuild of the project", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    const keys = await listRecordKeys();
    for (const key of keys) await bindings.KV.delete(key);
    await admin.rebuildIndex();
    await finishJobs();
    await saveRecord();
    expect(await listRecordKeys()).toEqual(keys);
    await loseObject();
    await untilReadable();
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
  });
});

describe("deleting an upload", () => {
  it("deletes it from KV, with the maps that no other upload has", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    const other = makeArtifactBundle(listBundledFiles([makeBuild("vendor")]));
    await uploadBundle(other, { release: "shop@1.4.1" });
    await saveRecord();
    const { uploads } = await sourceMaps.summarize();
    const [, first] = uploads;
    expect(await sourceMaps.deleteUpload(first?.id ?? "")).toBe(true);
    await saveRecord();
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "unmapped",
    });
    const values = await Promise.all(
      (await listRecordKeys()).map((key) => bindings.KV.get(key, "text")),
    );
    expect(values.filter((value) => value?.includes("hash"))).toHaveLength(1);
    await loseObject();
    await untilReadable();
    expect((await sourceMaps.summarize()).uploads).toMatchObject([{ release: "shop@1.4.1" }]);
    expect(
      await resolveFrame(createThrowingFrame("vendor"), { release: "shop@1.4.1" }),
    ).toMatchObject({
      kind: "resolved",
    });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "unmapped",
    });
  });

  it("is not restored by a rebuild while KV still lists it", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    const values = new Map<string, ArrayBuffer>();
    for (const key of await listRecordKeys()) {
      values.set(key, (await bindings.KV.get(key, "arrayBuffer")) ?? new ArrayBuffer());
    }
    const [upload] = (await sourceMaps.summarize()).uploads;
    await sourceMaps.deleteUpload(upload?.id ?? "");
    await saveRecord();
    for (const [key, value] of values) await bindings.KV.put(key, value);
    await admin.rebuildIndex();
    await finishJobs();
    expect((await sourceMaps.summarize()).uploads).toEqual([]);
  });

  it("is false for an unknown upload", async () => {
    expect(await sourceMaps.deleteUpload("unknown")).toBe(false);
  });
});

describe("erasing the project", () => {
  it("ends a restore in progress, which adds nothing afterwards", async () => {
    await uploadBundle(bundle, { release });
    await saveRecord();
    await loseObject();
    await sourceMaps.summarize().catch(() => undefined);
    let isErased = false;
    // The object is erased while it waits for a value.
    const get = async (key: string, type: "arrayBuffer") => {
      const value = await bindings.KV.get(key, type);
      if (!isErased) await getSourceMaps().wipe();
      isErased = true;
      return value;
    };
    await replaceObjectKv(withKvMethods(bindings.KV, { get }));
    await runAlarm();
    expect(isErased).toBe(true);
    expect(await sourceMaps.summarize()).toMatchObject({ uploads: [], storedBytes: 0 });
  });

  it("leaves nothing in the object and nothing in KV", async () => {
    await uploadBundle(bundle, { release });
    await sourceMaps.changeRelease({ version: release });
    await saveRecord();
    await admin.eraseProject();
    await finishJobs();
    expect(await listRecordKeys()).toEqual([]);
    expect(await sourceMaps.summarize()).toMatchObject({ uploads: [], storedBytes: 0 });
    expect(await sourceMaps.listReleaseFacts()).toEqual([]);
    const rows = await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) =>
      ["chunk", "upload", "file", "map", "map_part", "pack", "pack_slice"].map(
        (table) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
      ),
    );
    expect(rows).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
