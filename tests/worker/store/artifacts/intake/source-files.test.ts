/** Bundles whose original sources are files of their own, and not in the maps. */
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
  uploadFiles,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

const release = "shop@1.4.0";
const { source, map, ...build } = makeBuild("app");
const textless = JSON.stringify({ ...JSON.parse(map), sourcesContent: undefined });
const files = listBundledFiles([{ ...build, source, map: textless }]);
const sourceAt = (url: string, text = source): BundledFile => ({ url, type: "source", text });

const upload = (sources: readonly BundledFile[], facts: object = { release }) =>
  uploadFiles([...files, ...sources], facts);

describe("the text of a source that is not in its map", () => {
  it.each([
    ["at its URL below that of the map", "~/src/app.ts"],
    ["below another folder", "~/build/client/src/app.ts"],
  ])("is read from the bundle, %s", async (_, url) => {
    expect(await upload([sourceAt(url)])).toMatchObject({ state: "ok" });
    expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
      kind: "resolved",
      line: 2,
      function: "fail",
      source: '  throw new Error("app");',
      sourceBefore: ["export function fail() {"],
    });
    const [one] = (await sourceMaps.summarize()).uploads;
    const listed = await sourceMaps.listFiles(one?.id ?? "");
    expect(listed).toContainEqual(expect.objectContaining({ sources: 1, sourcesWithText: 1 }));
  });

  it.each([
    ["has only the file name in common", [sourceAt("~/app.ts")]],
    ["may be one of two", [sourceAt("~/a/src/app.ts"), sourceAt("~/b/src/app.ts")]],
    ["is too large", [sourceAt("~/src/app.ts", " ".repeat(4 * 1024 * 1024 + 1))]],
  ])("is not shown if the file %s", async (_, sources) => {
    await upload(sources);
    const frame = await resolveFrame(createThrowingFrame("app"), { release });
    expect(frame).toMatchObject({ kind: "resolved", file: "src/app.ts", line: 2 });
    expect(frame).not.toHaveProperty("source");
  });

  it("is that of the same upload, for a map that two bundles have", async () => {
    const other = source.replace("throw", "/* other */ throw");
    await upload([], { release: "none" });
    await upload([sourceAt("~/src/app.ts")], { release: "one" });
    await upload([sourceAt("~/src/app.ts", other)], { release: "two" });
    const lines = await Promise.all(
      ["none", "one", "two"].map((one) =>
        resolveFrame(createThrowingFrame("app"), { release: one }),
      ),
    );
    expect(lines.map((frame) => (frame?.kind === "resolved" ? frame.source : frame))).toEqual([
      undefined,
      '  throw new Error("app");',
      '  /* other */ throw new Error("app");',
    ]);
  });
});

it("a source in the bundle does not replace the text in a map", async () => {
  const whole = listBundledFiles([{ ...build, source, map }]);
  const bundle = makeArtifactBundle([...whole, sourceAt("~/src/app.ts", "// other\n// other\n")]);
  await uploadBundle(bundle, { release });
  expect(await resolveFrame(createThrowingFrame("app"), { release })).toMatchObject({
    source: '  throw new Error("app");',
  });
});
