/** Hostile uploads: names, sizes, races and numbers. */
import { runInDurableObject } from "cloudflare:test";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { artifactLimits } from "#src/core/artifacts/artifact-limits.ts";
import { MANIFEST_PATH } from "#src/core/artifacts/bundle-manifest.ts";
import { readPieces } from "#src/store/artifacts/intake/receive-body.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { toBytes } from "#support/bytes.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { makeBundle, makeZip } from "#support/source-maps/make-zip.ts";
import {
  artifactUploads,
  createAssembly,
  createThrowingFrame,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
  resolveFrame,
  sendBundle,
  sendChunks,
  sourceMaps,
  uploadBuild,
  uploadBundle,
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";

function count(table: string): Promise<number> {
  return runInDurableObject(
    getSourceMaps(),
    (_: SourceMaps, { storage }) =>
      storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  );
}

const store = (bytes: Uint8Array, facts: object = {}) =>
  artifactUploads.storeSingle(new Blob([new Uint8Array(bytes)]).stream(), { release, ...facts });

describe("names of files", () => {
  const NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "../../../../etc/passwd",
    "\u202eexe.sj",
    "__proto__",
    "%00%2e%2e",
  ];

  it("are text on the pages, and never a path or markup", async () => {
    const { script, map } = makeBuild("app");
    const files = NAMES.flatMap((name) => [
      { url: `~/${name}.js`, type: "minified_source" as const, text: script },
      { url: `~/${name}.js.map`, type: "source_map" as const, text: map },
    ]);
    const facts = { release: NAMES[0] as string, dist: NAMES[1] as string };
    await uploadFiles(files, facts);
    const [upload] = (await sourceMaps.summarize()).uploads;
    const query = new URLSearchParams({ file: NAMES[0] as string, release: NAMES[1] as string });
    for (const path of ["/source-maps", `/source-maps/${upload?.id}`, `/source-maps?${query}`]) {
      const { response, body } = await visit(path, { headers: { accept: "text/html" } });
      expect([path, response.status]).toEqual([path, 200]);
      expect(body).not.toMatch(/<script>alert|<img src=x|href="javascript:|\u202e/);
    }
    const frame = { ...createThrowingFrame("app"), file: "https://shop.example/__proto__.js" };
    expect(await resolveFrame(frame, { release: facts.release })).toMatchObject({ line: 2 });
  });

  it.each([
    ["a script with a reference of 3 MB", `a();\n//# sourceMappingURL=${"x".repeat(3_000_000)}`],
    ["a script with a long inline map", `a();\n//# sourceMappingURL=data:,${"x".repeat(3e6)}`],
  ])("of %s are truncated", async (_, text) => {
    const answer = await store(toBytes(text), { name: "app.js" });
    const problems = answer.ok
      ? answer.value.files.flatMap((one) => one.problems)
      : [answer.detail];
    expect(problems).toHaveLength(1);
    expect(problems[0]?.length).toBeLessThan(artifactLimits.maxUrlChars + 100);
  });

  it("of megabytes in a manifest are truncated", async () => {
    const long = "x".repeat(900_000);
    const manifest = {
      files: {
        [long]: { url: `~/${long}.js`, type: "minified_source", headers: { sourcemap: long } },
        "a.js": { url: "~/a.js", type: "minified_source", headers: { sourcemap: `data:${long}` } },
      },
    };
    const bundle = makeBundle([
      { path: "a.js", bytes: toBytes("a();") },
      { path: MANIFEST_PATH, bytes: toBytes(manifest) },
    ]);
    expect(await uploadBundle(bundle, { release })).toMatchObject({ state: "ok" });
    const [upload] = (await sourceMaps.summarize()).uploads;
    const listed = JSON.stringify(await sourceMaps.listFiles(upload?.id ?? ""));
    expect(listed.length).toBeLessThan(4_000);
  });

  it("of 60 kB in a zip are truncated", async () => {
    const paths = Array.from({ length: 20 }, (_, n) => `${"d/".repeat(30_000)}${n}.js`);
    const answer = await store(makeZip(paths.map((path) => ({ path, bytes: toBytes("a();") }))), {
      url: "~/",
    });
    expect(answer.ok && answer.value.files).toHaveLength(20);
    const bytes = await runInDurableObject(
      getSourceMaps(),
      (_: SourceMaps, { storage }) =>
        storage.sql
          .exec<{ n: number }>("SELECT sum(length(url) + length(entry)) AS n FROM file")
          .one().n,
    );
    expect(bytes).toBeLessThan(60_000);
  });
});

describe("a body that is refused", () => {
  it.each([
    ["ends within gzip", gzipSync(toBytes("x".repeat(3_000_000))).subarray(0, -20)],
    ["is not gzip after its first bytes", new Uint8Array([0x1f, 0x8b, ...new Uint8Array(50)])],
  ])("leaves nothing if it %s", async (_, bytes) => {
    expect(await store(bytes)).toMatchObject({ ok: false, reason: "invalid-upload" });
    expect(await count("chunk")).toBe(0);
    expect(await count("upload")).toBe(0);
  });

  it("leaves the chunks of other uploads", async () => {
    const first = new Uint8Array(1024 * 1024).fill(7);
    await sendChunks([first]);
    const broken = gzipSync(Buffer.concat([first, Buffer.alloc(3_000_000, 1)]));
    expect(await store(broken.subarray(0, -10))).toMatchObject({ ok: false });
    expect(await count("chunk")).toBe(1);
  });
});

it("a body whose sender pauses ends, so that other uploads do not wait for it", async () => {
  const { readable, writable } = new IdentityTransformStream();
  void writable.getWriter().write(toBytes("a();"));
  const pieces = readPieces(readable, 10);
  expect((await pieces.next()).value).toEqual(toBytes("a();"));
  await expect(pieces.next()).rejects.toThrow("no bytes for 0.01 s");
});

it("chunks that Errata named to a tool as stored are kept, also if another upload has ended since", async () => {
  // Both bundles begin with the same chunk.
  const padding = { path: "a.txt", bytes: crypto.getRandomValues(new Uint8Array(65_536)) };
  const start = Array.from({ length: 18 }, (_, n) => ({ ...padding, path: `${n}.txt` }));
  const bundles = ["one", "two"].map((name) => {
    const { script, map } = makeBuild(name);
    const files = { [`${name}.js`]: script, [`${name}.js.map`]: map };
    const entries = Object.entries(files).map(([path, text]) => ({ path, bytes: toBytes(text) }));
    const manifest = Object.fromEntries(
      Object.keys(files).map((path) => [
        path,
        {
          url: `~/assets/${path}`,
          type: path.endsWith(".map") ? "source_map" : "minified_source",
        },
      ]),
    );
    const last = { path: MANIFEST_PATH, bytes: toBytes({ files: manifest }) };
    return new Uint8Array(makeBundle([...start, ...entries, last]));
  });
  const [one, two] = bundles as [Uint8Array, Uint8Array];
  const [assembly, other] = [createAssembly(one, { release }), createAssembly(two, { release })];
  expect(assembly.chunks[0]).toBe(other.chunks[0]);
  await sendChunks([one.subarray(0, 1024 * 1024)]);
  // The tool of the second bundle learns that its first chunk is stored.
  expect(await sourceMaps.assemble(other)).toMatchObject({ missingChunks: other.chunks.slice(1) });
  expect(await uploadBundle(one, { release })).toMatchObject({ state: "ok" });
  await sendChunks([two.subarray(1024 * 1024)]);
  expect(await sourceMaps.assemble(other)).toMatchObject({ missingChunks: [] });
});

it("uploads above the largest number delete the oldest ones", async () => {
  await uploadBuild("app", { release });
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
       INSERT INTO upload(id, checksum, uploaded_ms, state, chunks, saved, attempts)
       SELECT 'x' || n, 'x', ?, 'failed', '[]', 1, 0 FROM number`,
      artifactLimits.maxUploads,
      readNowMs(),
    );
  });
  await sendBundle(makeArtifactBundle(listBundledFiles([makeBuild("other")])), { release });
  await runInDurableObject(getSourceMaps(), (instance: SourceMaps) => instance.alarm());
  expect(await count("upload")).toBe(artifactLimits.maxUploads);
  expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
    kind: "unmapped",
  });
  expect(await resolveFrame(createThrowingFrame("other"), { release })).toMatchObject({
    kind: "resolved",
  });
});
