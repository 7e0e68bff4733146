import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { type BundledFile, listBundledFiles, makeBuild } from "#support/source-maps/make-build.ts";
import {
  createThrowingFrame,
  resolveFrame,
  sourceMaps,
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";
const ID = "85314830-023f-4cf1-a267-535f4e37bb17";
const OTHER_ID = "0b5e1a4c-7d2f-4b66-9f11-2a3c4d5e6f70";
const toHex = (id: string) => id.replaceAll("-", "");

function withId(files: readonly BundledFile[], id: string): readonly BundledFile[] {
  return files.map((file) => ({ ...file, headers: { "debug-id": id } }));
}

describe("the map of a frame is found", () => {
  it("by the debug id that the sender named, whatever the URL and the release", async () => {
    await uploadFiles(withId(listBundledFiles([makeBuild("0")], "~/plugin/"), ID), {
      release: "other",
    });
    const facts = { release, debugId: toHex(ID) };
    expect(await resolveFrame(createThrowingFrame("index-abc"), facts)).toMatchObject({
      kind: "resolved",
      matchedBy: "debug-id",
    });
  });

  it("by the newest of two uploads with one debug id", async () => {
    const [older, newer] = [makeBuild("older"), makeBuild("newer")];
    await uploadFiles(withId(listBundledFiles([older]), ID), { release });
    await uploadFiles(withId(listBundledFiles([newer]), ID), { release });
    expect(await resolveFrame(createThrowingFrame("x"), { debugId: toHex(ID) })).toMatchObject({
      file: "src/newer.ts",
    });
  });

  it("again after each change of the uploads, and otherwise with the same result", async () => {
    const resolve = () => resolveFrame(createThrowingFrame("app"), { release });
    await uploadFiles(listBundledFiles([makeBuild("other")]), { release });
    expect(await resolve()).toMatchObject({ kind: "unmapped" });
    await uploadFiles(listBundledFiles([makeBuild("app")]), { release });
    const resolved = await resolve();
    expect(resolved).toMatchObject({ kind: "resolved" });
    expect(await resolve()).toEqual(resolved);
    const { uploads } = await sourceMaps.summarize();
    for (const { id } of uploads) await sourceMaps.deleteUpload(id);
    expect(await resolve()).toMatchObject({ kind: "unmapped" });
  });

  it.each([
    {
      what: "as sent",
      prefix: "https://shop.example/assets/",
      file: "https://shop.example/assets/",
    },
    { what: "with a host", prefix: "~/assets/", file: "https://shop.example/assets/" },
    { what: "in app:///", prefix: "~/", file: "app:///" },
    { what: "as the bare name of a module", prefix: "~/", file: "" },
  ])("by release and URL: $what", async ({ prefix, file }) => {
    await uploadFiles(listBundledFiles([makeBuild("app")], prefix), { release });
    expect(await resolveFrame(createThrowingFrame("app", file), { release })).toMatchObject({
      kind: "resolved",
      matchedBy: "release",
    });
  });

  it("with the query of the URL ignored", async () => {
    await uploadFiles(listBundledFiles([makeBuild("app")]), { release });
    const frame = {
      ...createThrowingFrame("app"),
      file: "https://shop.example/assets/app.js?v=2#x",
    };
    expect(await resolveFrame(frame, { release })).toMatchObject({ kind: "resolved" });
  });

  it("in the upload that the answer names", async () => {
    await uploadFiles(listBundledFiles([makeBuild("app")]), { release });
    const { uploads } = await sourceMaps.summarize();
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      upload: uploads[0]?.id,
    });
  });

  it("by the second debug id of a script into which ids were injected twice", async () => {
    const build = makeBuild("app", { debugId: ID });
    const snippet = `e._sentryDebugIds[n]="${OTHER_ID}";`;
    const files = listBundledFiles([{ ...build, script: snippet + build.script }]);
    await uploadFiles(withId(files, ID));
    expect(
      await resolveFrame(createThrowingFrame("x"), { debugId: toHex(OTHER_ID) }),
    ).toMatchObject({ kind: "resolved", matchedBy: "debug-id" });
  });

  it("in tables that were stored before files had a second debug id", async () => {
    await uploadFiles(withId(listBundledFiles([makeBuild("app")]), ID));
    await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
      storage.sql.exec("DROP INDEX file_other_debug_id");
      storage.sql.exec("ALTER TABLE file DROP COLUMN other_debug_id");
    });
    await abortAllDurableObjects();
    await sourceMaps.summarize().catch(() => undefined);
    expect(await resolveFrame(createThrowingFrame("x"), { debugId: toHex(ID) })).toMatchObject({
      kind: "resolved",
    });
  });
});

it.each(["https://", "http://", "https://www.", "http://www."])(
  "an upload for %s… does not leave its host to uploads for any host",
  async (scheme) => {
    await uploadFiles(listBundledFiles([makeBuild("app")]), { release });
    const ask = () =>
      resolveFrame(createThrowingFrame("app", "https://cdn.example/assets/"), { release });
    expect(await ask()).toMatchObject({ kind: "resolved" });
    await uploadFiles(listBundledFiles([makeBuild("own")], `${scheme}cdn.example/lib/`), {
      release,
    });
    expect(await ask()).toMatchObject({ kind: "unmapped", reason: "other-url" });
  },
);

describe("a frame without a map states why", () => {
  const cases: readonly {
    readonly what: string;
    readonly files: readonly BundledFile[];
    readonly ask: () => ReturnType<typeof resolveFrame>;
    readonly answer: object;
  }[] = [
    {
      what: "nothing of its release was uploaded",
      files: listBundledFiles([makeBuild("app")]),
      ask: () => resolveFrame(createThrowingFrame("app"), { release: "shop@2" }),
      answer: { reason: "nothing-uploaded" },
    },
    {
      what: "no upload has its debug id",
      files: listBundledFiles([makeBuild("vendor")]),
      ask: () =>
        resolveFrame(createThrowingFrame("app"), { release: "shop@2", debugId: toHex(ID) }),
      answer: { reason: "nothing-uploaded", debugId: toHex(ID) },
    },
    {
      what: "the file was uploaded with another debug id",
      files: withId(listBundledFiles([makeBuild("app")]), OTHER_ID),
      ask: () => resolveFrame(createThrowingFrame("app"), { release, debugId: toHex(ID) }),
      answer: {
        reason: "other-debug-id",
        debugId: toHex(ID),
        uploadedId: toHex(OTHER_ID),
      },
    },
    {
      what: "several files of its release have its name, none its URL",
      files: [
        ...listBundledFiles([makeBuild("app")], "~/a/"),
        ...listBundledFiles([{ ...makeBuild("app"), map: makeBuild("b").map }], "~/b/"),
      ],
      ask: () => resolveFrame(createThrowingFrame("app"), { release }),
      answer: { reason: "other-url", uploadedUrl: "~/a/app.js" },
    },
    {
      what: "its host is not that of the page",
      files: listBundledFiles([makeBuild("app")]),
      ask: () => resolveFrame(createThrowingFrame("app"), { release, pageHost: "other.example" }),
      answer: { reason: "other-host", host: "shop.example" },
    },
    {
      what: "its release has no such file",
      files: listBundledFiles([makeBuild("vendor")]),
      ask: () => resolveFrame(createThrowingFrame("app"), { release }),
      answer: { reason: "other-url" },
    },
    {
      what: "its script was uploaded without the map",
      files: listBundledFiles([makeBuild("app")]).filter(({ type }) => type === "minified_source"),
      ask: () => resolveFrame(createThrowingFrame("app"), { release }),
      answer: { reason: "map-missing", mapUrl: "app.js.map" },
    },
    {
      what: "several uploads have its name, and the report has no release",
      files: listBundledFiles([makeBuild("app")]),
      ask: () => resolveFrame(createThrowingFrame("app")),
      answer: { reason: "ambiguous", uploads: 1 },
    },
    {
      what: "nothing maps to its position",
      files: listBundledFiles([makeBuild("app")]),
      ask: () => resolveFrame({ ...createThrowingFrame("app"), line: 9 }, { release }),
      answer: { reason: "no-segment", line: 9, column: 20 },
    },
    {
      what: "it is of an extension",
      files: listBundledFiles([makeBuild("app")]),
      ask: () =>
        resolveFrame(createThrowingFrame("app", "chrome-extension://abc/"), { release: "x" }),
      answer: { reason: "not-expected" },
    },
    {
      what: "it is of an inline script",
      files: listBundledFiles([makeBuild("app")]),
      ask: () =>
        resolveFrame(
          { ...createThrowingFrame("app"), file: "https://shop.example/cart" },
          { release },
        ),
      answer: { reason: "not-expected" },
    },
    {
      what: "it names a source",
      files: listBundledFiles([makeBuild("app")]),
      ask: () =>
        resolveFrame({ ...createThrowingFrame("app"), file: "/srv/src/app.ts" }, { release }),
      answer: { reason: "not-expected" },
    },
  ];

  it.each(cases)("$what", async ({ files, ask, answer }) => {
    await uploadFiles(files, { release });
    expect(await ask()).toEqual({ kind: "unmapped", ...answer });
  });
});
