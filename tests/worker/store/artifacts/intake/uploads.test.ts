import { runInDurableObject } from "cloudflare:test";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { packTar } from "#src/cli/tar.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { toBytes } from "#support/bytes.ts";
import {
  cutChunks,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
  toSha1,
} from "#support/source-maps/make-build.ts";
import { makeZip } from "#support/source-maps/make-zip.ts";
import {
  artifactUploads,
  createAssembly,
  createChunkBody,
  createThrowingFrame,
  resolveFrame,
  sendChunks,
  sourceMaps,
  uploadBundle,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const bundle = makeArtifactBundle(listBundledFiles([makeBuild("app")]));
const release = "shop@1.4.0";

describe("assembling a bundle", () => {
  it("names the missing chunks, and nothing else is stored", async () => {
    const assembly = createAssembly(bundle, { release });
    expect(await sourceMaps.assemble(assembly)).toEqual({
      state: "not_found",
      missingChunks: assembly.chunks,
    });
    expect((await sourceMaps.summarize()).uploads).toEqual([]);
  });

  it("answers ok for a small bundle when its frames are readable", async () => {
    await sendChunks(cutChunks(bundle));
    expect(await sourceMaps.assemble(createAssembly(bundle, { release }))).toEqual({
      state: "ok",
      missingChunks: [],
    });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
      file: "src/app.ts",
      line: 2,
      matchedBy: "release",
    });
  });

  it("answers ok again without any chunk, and lists one upload", async () => {
    await uploadBundle(bundle, { release });
    expect(await sourceMaps.assemble(createAssembly(bundle, { release }))).toMatchObject({
      state: "ok",
    });
    expect((await sourceMaps.summarize()).uploads).toHaveLength(1);
  });

  it("gives a known bundle to another release without its chunks", async () => {
    await uploadBundle(bundle, { release });
    expect(await sourceMaps.assemble(createAssembly(bundle, { release: "next" }))).toMatchObject({
      state: "ok",
    });
    for (const one of [release, "next"]) {
      expect(await resolveFrame(createThrowingFrame("app"), { release: one })).toMatchObject({
        kind: "resolved",
      });
    }
  });

  it("refuses chunks that are not the bundle of the checksum, and says so on the desk", async () => {
    const other = makeArtifactBundle(listBundledFiles([makeBuild("other")]));
    await sendChunks(cutChunks(other));
    const { chunks } = createAssembly(other);
    const detail = `The chunks together have the SHA-1 ${toSha1(other)}, not ${toSha1(bundle)}.`;
    const assembly = { checksum: toSha1(bundle), chunks, tool: "sentry-cli/3.8.0" };
    expect(await sourceMaps.assemble(assembly)).toEqual({
      state: "error",
      missingChunks: [],
      detail,
    });
    const { uploads, failures } = await sourceMaps.summarize();
    expect(uploads).toMatchObject([{ state: "failed", problem: detail }]);
    expect(failures).toMatchObject([{ detail: `sentry-cli/3.8.0: ${detail}` }]);
  });
});

it("a bundle that failed is accepted again after five minutes", async () => {
  const other = makeArtifactBundle(listBundledFiles([makeBuild("other")]));
  await sendChunks(cutChunks(other));
  const assembly = { checksum: toSha1(bundle), chunks: createAssembly(other).chunks };
  for (let time = 0; time < 2; time++) {
    expect(await sourceMaps.assemble(assembly)).toMatchObject({ state: "error" });
  }
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE upload SET uploaded_ms = uploaded_ms - 301000");
  });
  expect(await sourceMaps.assemble(assembly)).toMatchObject({ state: "not_found" });
  expect(await uploadBundle(bundle)).toMatchObject({ state: "ok" });
});

describe("chunks", () => {
  it.each([
    {
      what: "another SHA-1 than its name says",
      body: createChunkBody([bundle], { name: () => "0".repeat(40) }),
      reason: "invalid-upload",
    },
    {
      what: "a chunk that inflates to more than its limit",
      body: createChunkBody([new Uint8Array(1024 * 1024 + 1)]),
      reason: "upload-too-large",
    },
    {
      what: "bytes that are not gzip",
      body: (() => {
        const form = new FormData();
        form.append("file_gzip", new File(["no gzip"], "0".repeat(40)));
        const { body, headers } = new Response(form);
        return {
          body: body as ReadableStream<Uint8Array>,
          contentType: headers.get("content-type") ?? "",
        };
      })(),
      reason: "invalid-upload",
    },
    {
      what: "no multipart body",
      body: { body: new Blob(["x"]).stream(), contentType: "text/plain" },
      reason: "invalid-upload",
    },
  ])("refuses $what", async ({ body: { body, contentType }, reason }) => {
    expect(await artifactUploads.storeChunks(body, contentType)).toMatchObject({
      ok: false,
      reason,
    });
  });

  it("accepts chunks without compression", async () => {
    const { body, contentType } = createChunkBody([bundle], { field: "file" });
    expect(await artifactUploads.storeChunks(body, contentType)).toEqual({
      ok: true,
      value: { chunks: 1 },
    });
    expect(await sourceMaps.assemble(createAssembly(bundle))).toMatchObject({ state: "ok" });
  });

  it("stores no chunk of a body with an invalid one", async () => {
    const other = new Uint8Array([1, 2, 3]);
    const names = new Map([
      [bundle, toSha1(bundle)],
      [other, "0".repeat(40)],
    ]);
    const { body, contentType } = createChunkBody([bundle, other], {
      name: (chunk) => names.get(chunk) ?? "",
    });
    expect((await artifactUploads.storeChunks(body, contentType)).ok).toBe(false);
    expect(await sourceMaps.assemble(createAssembly(bundle))).toMatchObject({ state: "not_found" });
  });
});

describe("a file without a bundle", () => {
  const { script, map } = makeBuild("app");

  it.each([
    { what: "a map", name: "app.js.map", bytes: toBytes(map) },
    { what: "a map that is compressed", name: "app.js.map.gz", bytes: gzipSync(map) },
  ])("can be $what, which is converted before the answer", async ({ name, bytes }) => {
    const answer = await artifactUploads.storeSingle(new Blob([new Uint8Array(bytes)]).stream(), {
      name,
      release,
      url: "~/assets/app.js.map",
    });
    expect(answer).toEqual({
      ok: true,
      value: {
        files: [
          {
            url: "~/assets/app.js.map",
            kind: "map",
            bytes: toBytes(map).length,
            sources: 1,
            sourcesWithText: 1,
            problems: [],
          },
        ],
      },
    });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
  });

  it.each([
    {
      what: "a zip",
      bytes: makeZip([
        { path: "app.js", bytes: toBytes(script) },
        { path: "app.js.map", bytes: toBytes(map) },
        { path: "index.html", bytes: toBytes("<!doctype html>") },
      ]),
    },
    {
      what: "a compressed tar",
      bytes: gzipSync(
        packTar([
          { path: "./app.js", bytes: toBytes(script) },
          { path: "./app.js.map", bytes: toBytes(map) },
        ]),
      ),
    },
  ])("can be $what of a build, below a URL", async ({ bytes }) => {
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const answer = await artifactUploads.storeSingle(body, { release, url: "~/assets/" });
    const files = answer.ok ? answer.value.files : [];
    expect(files.map(({ url, kind, problems }) => ({ url, kind, problems }))).toEqual([
      { url: "~/assets/app.js", kind: "script", problems: [] },
      { url: "~/assets/app.js.map", kind: "map", problems: [] },
    ]);
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
      function: "fail",
    });
  });

  it("can be a script whose map is in another upload of the release", async () => {
    for (const [name, text] of Object.entries({ "app.js": script, "app.js.map": map })) {
      await artifactUploads.storeSingle(new Blob([text]).stream(), {
        name,
        release,
        url: `~/assets/${name}`,
      });
    }
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
  });

  it.each([
    { what: "the URL of its script", facts: { url: "~/assets/app.js" } },
    { what: "a compressed file's name", facts: { url: "~/assets/", name: "app.js.map.gz" } },
  ])("can be a map with $what", async ({ facts }) => {
    const answer = await artifactUploads.storeSingle(new Blob([map]).stream(), {
      release,
      ...facts,
    });
    expect(answer).toMatchObject({ value: { files: [{ url: "~/assets/app.js.map" }] } });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
    });
  });

  it("that has neither a URL nor a name says so", async () => {
    const answer = await artifactUploads.storeSingle(new Blob([map]).stream(), { release });
    const problems = [expect.stringContaining("Add url=~/")];
    expect(answer).toMatchObject({ value: { files: [{ kind: "map", problems }] } });
  });

  it.each([
    { what: "HTML", text: "<!doctype html>", detail: "it is HTML" },
    { what: "nothing", text: "", detail: "empty" },
    { what: "an invalid map", text: '{"version":2,"mappings":""}', detail: "version 3" },
  ])("that is $what is refused with the reason", async ({ text, detail }) => {
    const body = new Blob([text]).stream();
    const answer = await artifactUploads.storeSingle(body, { name: "a.map", release });
    const reason = { ok: false, reason: "invalid-upload" };
    expect(answer).toMatchObject({ ...reason, detail: expect.stringContaining(detail) });
  });
});

it("a chunk of exactly the limit is stored", async () => {
  const whole = new Uint8Array(1024 * 1024).fill(7);
  await sendChunks([whole]);
  const assembly = { checksum: toSha1(whole), chunks: [toSha1(whole)] };
  expect(await sourceMaps.assemble(assembly)).toMatchObject({ missingChunks: [] });
});
