import { afterEach, describe, expect, it } from "vitest";
import { fresh } from "../../support/fresh.ts";
import {
  artifactUploads,
  assemblyOf,
  bundleOf,
  chunkBody,
  cutChunks,
  filesOf,
  frameOf,
  makeBuild,
  resolveFrame,
  sendChunks,
  sha1,
  sourceMaps,
  uploadBundle,
} from "../../support/source-maps.ts";

afterEach(() => fresh());

const bundle = bundleOf(filesOf([makeBuild("app")]));
const release = "shop@1.4.0";

describe("assembling a bundle", () => {
  it("names the missing chunks, and nothing else is stored", async () => {
    const assembly = assemblyOf(bundle, { release });
    expect(await sourceMaps.assemble(assembly)).toEqual({
      state: "not_found",
      missingChunks: assembly.chunks,
    });
    expect((await sourceMaps.summarize()).uploads).toEqual([]);
  });

  it("answers ok for a small bundle when its frames are readable", async () => {
    await sendChunks(cutChunks(bundle));
    expect(await sourceMaps.assemble(assemblyOf(bundle, { release }))).toEqual({
      state: "ok",
      missingChunks: [],
    });
    expect(await resolveFrame(frameOf("app"), { release })).toMatchObject({
      kind: "resolved",
      file: "src/app.ts",
      line: 2,
      matchedBy: "release",
    });
  });

  it("answers ok again without any chunk, and lists one upload", async () => {
    await uploadBundle(bundle, { release });
    expect(await sourceMaps.assemble(assemblyOf(bundle, { release }))).toMatchObject({
      state: "ok",
    });
    expect((await sourceMaps.summarize()).uploads).toHaveLength(1);
  });

  it("gives a known bundle to another release without its chunks", async () => {
    await uploadBundle(bundle, { release });
    expect(await sourceMaps.assemble(assemblyOf(bundle, { release: "next" }))).toMatchObject({
      state: "ok",
    });
    for (const one of [release, "next"]) {
      expect(await resolveFrame(frameOf("app"), { release: one })).toMatchObject({
        kind: "resolved",
      });
    }
  });

  it("refuses chunks that are not the bundle of the checksum, and says so on the desk", async () => {
    const other = bundleOf(filesOf([makeBuild("other")]));
    await sendChunks(cutChunks(other));
    const { chunks } = assemblyOf(other);
    const detail = `The chunks together have the SHA-1 ${sha1(other)}, not ${sha1(bundle)}.`;
    const assembly = { checksum: sha1(bundle), chunks, tool: "sentry-cli/3.8.0" };
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

describe("chunks", () => {
  it.each([
    {
      what: "another SHA-1 than its name says",
      body: chunkBody([bundle], { name: () => "0".repeat(40) }),
      reason: "invalid-upload",
    },
    {
      what: "a chunk that inflates to more than its limit",
      body: chunkBody([new Uint8Array(1024 * 1024 + 1)]),
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
    const { body, contentType } = chunkBody([bundle], { field: "file" });
    expect(await artifactUploads.storeChunks(body, contentType)).toEqual({
      ok: true,
      value: { chunks: 1 },
    });
    expect(await sourceMaps.assemble(assemblyOf(bundle))).toMatchObject({ state: "ok" });
  });

  it("stores no chunk of a body with an invalid one", async () => {
    const other = new Uint8Array([1, 2, 3]);
    const names = new Map([
      [bundle, sha1(bundle)],
      [other, "0".repeat(40)],
    ]);
    const { body, contentType } = chunkBody([bundle, other], {
      name: (chunk) => names.get(chunk) ?? "",
    });
    expect((await artifactUploads.storeChunks(body, contentType)).ok).toBe(false);
    expect(await sourceMaps.assemble(assemblyOf(bundle))).toMatchObject({ state: "not_found" });
  });
});
