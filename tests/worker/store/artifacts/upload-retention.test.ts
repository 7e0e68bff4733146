import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { decodePack } from "#src/store/artifacts/record/record-format.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { ArtifactTables } from "#src/store/artifacts/tables/artifact-tables.ts";
import { UploadRetention } from "#src/store/artifacts/upload-retention.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import {
  createThrowingFrame,
  listRecordKeys,
  resolveFrame,
  runAlarm,
  saveRecord,
  sourceMaps,
  uploadBuild,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getShard, getSourceMaps, log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const RELEASES = ["a", "b", "c", "d", "e"];

async function uploadReleases(): Promise<void> {
  for (const release of RELEASES) {
    await uploadBuild(`app-${release}`, {
      release,
    });
  }
  await saveRecord();
}

/** Makes every upload as old as `ageDays`, and runs the daily sweep. */
async function sweepAfter(ageDays: number, usedRelease = ""): Promise<void> {
  const atMs = readNowMs() - ageDays * 86_400_000;
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE upload SET uploaded_ms = ?", atMs);
    storage.sql.exec("UPDATE upload SET used_ms = ? WHERE release <> ?", atMs, usedRelease);
    storage.sql.exec("UPDATE sweep SET at_ms = 0");
    return storage.setAlarm(readNowMs() + 1_000_000);
  });
  await runAlarm();
}

/** The retention of the object, with another clock or limit. */
function createRetention(
  storage: DurableObjectStorage,
  { nowMs = readNowMs, maxStoredBytes = Number.MAX_SAFE_INTEGER },
): UploadRetention {
  return new UploadRetention({
    ...{ tables: new ArtifactTables(storage, "1"), storage, nowMs, keptDays: 90, maxStoredBytes },
    listLiveReleases: async () => new Set(),
    onDeleted: () => undefined,
  });
}

async function listReleases(): Promise<readonly unknown[]> {
  return (await sourceMaps.summarize()).uploads.map(({ release }) => release);
}

describe("an upload that was not used for 90 days", () => {
  it("is deleted, except those of the three newest releases", async () => {
    await uploadReleases();
    await sweepAfter(89);
    expect(await listReleases()).toEqual(RELEASES.toReversed());
    await sweepAfter(91);
    expect(await listReleases()).toEqual(["e", "d", "c"]);
  });

  it("is kept if a frame was resolved by it", async () => {
    await uploadReleases();
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("UPDATE upload SET used_ms = NULL");
    });
    await resolveFrame(createThrowingFrame("app-b"), { release: "b" });
    await sweepAfter(91, "b");
    expect(await listReleases()).toEqual(["e", "d", "c", "b"]);
  });

  it("is kept if stored reports have its release", async () => {
    await uploadReleases();
    await log.append([createReport(1, { release: "a" })]);
    await getShard().flush();
    await sweepAfter(91);
    expect(await listReleases()).toEqual(["e", "d", "c", "a"]);
  });

  it("is deleted from KV as well", async () => {
    await uploadReleases();
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) =>
      createRetention(storage, { nowMs: () => readNowMs() + 91 * 86_400_000 }).run(),
    );
    await saveRecord();
    const keys = await listRecordKeys();
    expect(keys.filter((key) => key.includes("/uploads/"))).toHaveLength(3);
    const packs = keys.filter((key) => key.includes("/packs/"));
    const values = await Promise.all(packs.map((key) => bindings.KV.get(key, "arrayBuffer")));
    const maps = values.flatMap((value) => decodePack(value ?? new ArrayBuffer()) ?? []);
    expect(maps).toHaveLength(3);
  });
});

it("above the limit of a project the least recently used uploads go first, which is listed", async () => {
  await uploadReleases();
  const { storedBytes } = await sourceMaps.summarize();
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE upload SET used_ms = ? WHERE release = 'a'", readNowMs() + 1_000);
    const maxStoredBytes = Math.floor((storedBytes * 4.5) / 5);
    createRetention(storage, { maxStoredBytes }).enforceLimit();
  });
  expect(await listReleases()).toEqual(["e", "d", "c", "a"]);
  const { failures } = await sourceMaps.summarize();
  expect(failures[0]?.detail).toContain("The source maps of release b were deleted");
});

it("above the limit the oldest uploads of one release go, and the three newest stay", async () => {
  for (const name of RELEASES) {
    await uploadBuild(`app-${name}`, {
      release: "always",
    });
  }
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    createRetention(storage, { maxStoredBytes: 1 }).enforceLimit();
  });
  expect(await listReleases()).toEqual(["always", "always", "always"]);
  expect(await resolveFrame(createThrowingFrame("app-e"), { release: "always" })).toMatchObject({
    kind: "resolved",
  });
});
