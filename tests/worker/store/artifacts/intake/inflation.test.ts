/** The limits on what one upload token makes the object inflate. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { artifactLimits } from "#src/core/artifacts/artifact-limits.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { toBytes } from "#support/bytes.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { makeBuild } from "#support/source-maps/make-build.ts";
import { makeZip } from "#support/source-maps/make-zip.ts";
import { artifactUploads, sourceMaps } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const { script, map } = makeBuild("app");
const send = (bytes: Uint8Array, over: object = {}) =>
  artifactUploads.storeSingle(new Blob([new Uint8Array(bytes)]).stream(), {
    ...{ name: "build.zip", url: "~/assets/" },
    ...over,
  });

it("an archive ends at the first file that is no map", async () => {
  const blank = { path: "a.js.map", bytes: toBytes(" ".repeat(1_000_000)) };
  const others = Array.from({ length: 5 }, (_, n) => ({ ...blank, path: `b${n}.js.map` }));
  const stored = await send(makeZip([blank, ...others, { path: "c.js.map", bytes: toBytes(map) }]));
  expect(stored).toMatchObject({ ok: false, reason: "invalid-upload" });
  expect(JSON.stringify(stored)).toContain("~/assets/a.js.map");
  expect(JSON.stringify(stored)).not.toContain("b0.js.map");
  const { uploads, storedBytes } = await sourceMaps.summarize();
  expect([uploads.length, uploads[0]?.files, storedBytes]).toEqual([1, 0, 0]);
});

it("an archive of scripts and maps is stored as before", async () => {
  const files = [
    { path: "app.js", bytes: toBytes(script) },
    { path: "app.js.map", bytes: toBytes(map) },
  ];
  expect(await send(makeZip(files))).toMatchObject({ ok: true });
});

it("one sender inflates a limited number of bytes in an hour, and does not limit others", async () => {
  const files = [{ path: "app.js.map", bytes: toBytes(map) }];
  await send(makeZip(files), { sender: "t1" });
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    const used = artifactLimits.maxInflatedBytesPerHour - 10;
    const hour = Math.floor(readNowMs() / 3_600_000);
    storage.sql.exec("INSERT OR REPLACE INTO inflation VALUES ('t1', ?, ?)", hour, used);
  });
  const refused = await send(makeZip(files), { sender: "t1", release: "2" });
  expect(JSON.stringify(refused)).toContain("after decompression");
  expect(await send(makeZip(files), { sender: "t2", release: "3" })).toMatchObject({ ok: true });
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE inflation SET hour = hour - 1");
  });
  expect(await send(makeZip(files), { sender: "t1", release: "4" })).toMatchObject({ ok: true });
});
