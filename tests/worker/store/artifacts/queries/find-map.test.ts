import { afterEach, describe, expect, it } from "vitest";
import {
  type BundledFile,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
} from "#support/source-maps/make-build.ts";
import {
  createThrowingFrame,
  resolveFrame,
  sourceMaps,
  uploadBundle,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";
const ID = "85314830-023f-4cf1-a267-535f4e37bb17";
const OTHER_ID = "0b5e1a4c-7d2f-4b66-9f11-2a3c4d5e6f70";
const toHex = (id: string) => id.replaceAll("-", "");

function upload(files: readonly BundledFile[], facts: { release?: string; dist?: string } = {}) {
  return uploadBundle(makeArtifactBundle(files, { facts }), facts);
}

function withId(files: readonly BundledFile[], id: string): readonly BundledFile[] {
  return files.map((file) => ({ ...file, headers: { "debug-id": id } }));
}

describe("the map of a frame is found", () => {
  it("by the debug id that the sender named, whatever the URL and the release", async () => {
    await upload(withId(listBundledFiles([makeBuild("0")], "~/plugin/"), ID), { release: "other" });
    const facts = { release, debugId: toHex(ID) };
    expect(await resolveFrame(createThrowingFrame("index-abc"), facts)).toMatchObject({
      kind: "resolved",
      matchedBy: "debug-id",
    });
  });

  it("by the newest of two uploads with one debug id", async () => {
    const [older, newer] = [makeBuild("older"), makeBuild("newer")];
    await upload(withId(listBundledFiles([older]), ID), { release });
    await upload(withId(listBundledFiles([newer]), ID), { release });
    expect(await resolveFrame(createThrowingFrame("x"), { debugId: toHex(ID) })).toMatchObject({
      file: "src/newer.ts",
    });
  });

  it("again after each change of the uploads, and otherwise with the same result", async () => {
    const resolve = () => resolveFrame(createThrowingFrame("app"), { release });
    await upload(listBundledFiles([makeBuild("other")]), { release });
    expect(await resolve()).toMatchObject({ kind: "unmapped" });
    await upload(listBundledFiles([makeBuild("app")]), { release });
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
    await upload(listBundledFiles([makeBuild("app")], prefix), { release });
    expect(await resolveFrame(createThrowingFrame("app", file), { release })).toMatchObject({
      kind: "resolved",
      matchedBy: "release",
    });
  });

  it("with the query of the URL ignored", async () => {
    await upload(listBundledFiles([makeBuild("app")]), { release });
    const frame = {
      ...createThrowingFrame("app"),
      file: "https://shop.example/assets/app.js?v=2#x",
    };
    expect(await resolveFrame(frame, { release })).toMatchObject({ kind: "resolved" });
  });

  it("in the dist of the report, and in another dist if it is the only one", async () => {
    await upload(listBundledFiles([makeBuild("app")]), { release, dist: "7" });
    expect(
      await resolveFrame(createThrowingFrame("app"), { release, dist: "7" }),
    ).not.toHaveProperty("otherDist");
    expect(await resolveFrame(createThrowingFrame("app"), { release, dist: "8" })).toMatchObject({
      kind: "resolved",
      otherDist: "7",
    });
  });

  it("by the id in the uploaded script, although the sender named neither id nor release", async () => {
    await upload([...listBundledFiles([makeBuild("index-Cepvnn19", { debugId: ID })])]);
    expect(await resolveFrame(createThrowingFrame("index-Cepvnn19"))).toMatchObject({
      kind: "resolved",
      matchedBy: "script",
    });
  });

  it("by a hashed name alone, if only one upload has it", async () => {
    await upload(listBundledFiles([makeBuild("index-Cepvnn19")], "~/build/js/"), { release });
    const server = createThrowingFrame("index-Cepvnn19", "/srv/shop/js/");
    expect(await resolveFrame(server)).toMatchObject({ kind: "resolved", matchedBy: "name" });
  });

  it("by a plain name in the release of the report, with the longest common path", async () => {
    await upload(
      [
        ...listBundledFiles([makeBuild("page")], "~/_next/server/app/cart/"),
        ...listBundledFiles(
          [{ ...makeBuild("page"), map: makeBuild("other").map }],
          "~/_next/server/app/",
        ),
      ],
      { release },
    );
    const frame = createThrowingFrame("page", "/srv/.next/server/app/cart/");
    expect(await resolveFrame(frame, { release })).toMatchObject({
      file: "src/page.ts",
      matchedBy: "name",
    });
  });
});

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
    await upload(files, { release });
    expect(await ask()).toEqual({ kind: "unmapped", ...answer });
  });
});
