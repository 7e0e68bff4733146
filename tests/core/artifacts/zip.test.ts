import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactLimits } from "#src/core/artifacts/artifact-limits.ts";
import { decodeManifest, MANIFEST_PATH } from "#src/core/artifacts/bundle-manifest.ts";
import { readZipDirectory, readZipEntry } from "#src/core/artifacts/zip.ts";
import { decodeText } from "#src/core/decode/parse-json.ts";
import { toByteRange } from "#src/core/symbolication/codec.ts";
import { toBytes } from "#support/bytes.ts";
import { makeBundle, makeZip } from "#support/source-maps/make-zip.ts";
import { edgeCases, readEdgeFile, zlibCodec } from "#support/source-maps/source-map-fixtures.ts";

/** The files that the manifest names, and the first problem. */
function readBundle(bytes: Uint8Array) {
  const range = toByteRange(bytes);
  const directory = readZipDirectory(range);
  if (!directory.ok) return { files: [], problems: [directory.detail] };
  const read = (path: string) => {
    const entry = directory.value.find((found) => found.path === path);
    return entry === undefined
      ? ({ ok: false, detail: `${path} is missing.` } as const)
      : readZipEntry(range, entry, zlibCodec, artifactLimits.maxMapBytes);
  };
  const manifestBytes = read(MANIFEST_PATH);
  if (!manifestBytes.ok) return { files: [], problems: [manifestBytes.detail] };
  const manifest = decodeManifest(decodeText(manifestBytes.value));
  if (!manifest.ok) return { files: [], problems: [manifest.detail] };
  const files: string[] = [];
  const problems: string[] = [];
  for (const file of manifest.value.files) {
    const bytes = read(file.path);
    problems.push(...file.problems);
    if (bytes.ok) files.push(`${file.kind} ${file.url} ${file.debugId} ${bytes.value.length}`);
    else problems.push(bytes.detail);
  }
  return { files, problems };
}

const ID = "0c1f4c5e6f6b5d7e9f3a1b2c3d4e5f6a";
const GOOD = [`script ~/app.js ${ID} 47`, `map ~/app.js.map ${ID} 485`];

const EXPECTED: Readonly<
  Record<string, { files: readonly string[]; problems: readonly RegExp[] }>
> = {
  "bundle-good.zip": { files: GOOD, problems: [] },
  "bundle-stored.zip": { files: GOOD, problems: [] },
  "bundle-plain-zip.zip": { files: GOOD, problems: [] },
  "bundle-no-manifest.zip": { files: [], problems: [/^manifest\.json is missing\.$/] },
  "bundle-manifest-broken.zip": {
    files: [],
    problems: [/^manifest\.json is invalid: expected JSON\.$/],
  },
  "bundle-missing-file.zip": {
    files: GOOD.slice(0, 1),
    problems: [/^files\/_\/_\/app\.js\.map is missing\.$/],
  },
  "bundle-traversal.zip": { files: [`map ~/../../x.map ${ID} 485`], problems: [] },
  "bundle-bomb.zip": {
    files: [],
    problems: [/at byte \d+: expected at most 67108864 bytes in ".*", not 209715200\.$/],
  },
  "bundle-lying-size.zip": {
    files: [],
    problems: [/at byte \d+: expected .* of "manifest\.json" that inflates to 7 bytes\.$/],
  },
  "bundle-cut.zip": {
    files: [],
    problems: [/at byte 300: expected the end of central directory record, which is missing\.$/],
  },
  "bundle-empty-ids.zip": {
    files: [
      "map ~/app.js.map undefined 485",
      "map ~/x.map undefined 485",
      "map undefined undefined 485",
    ],
    problems: [
      /^The debug id "" is not a UUID\.$/,
      /^The debug id "not a uuid" is not a UUID\.$/,
      /^The file has neither a URL nor a debug id/,
    ],
  },
};

describe("an artifact bundle", () => {
  it("is tested with every bundle among the fixtures", () => {
    const bundles = edgeCases.map(({ file }) => file).filter((file) => file.startsWith("bundle-"));
    expect(Object.keys(EXPECTED).toSorted()).toEqual(bundles.toSorted());
  });

  it.each(Object.keys(EXPECTED))("%s gives the expected files and problems", (file) => {
    const { files, problems } = readBundle(readEdgeFile(file));
    const expected = EXPECTED[file] ?? { files: [], problems: [] };
    expect(files).toEqual(expected.files);
    expect(problems).toHaveLength(expected.problems.length);
    for (const [index, pattern] of expected.problems.entries()) {
      expect(problems[index]).toMatch(pattern);
    }
  });
});

describe("readZipDirectory and readZipEntry", () => {
  const contents = fc.array(
    fc.record({
      path: fc.string({ minLength: 1 }).filter((path) => !path.endsWith("/")),
      bytes: fc.uint8Array({ maxLength: 300 }),
    }),
    { maxLength: 5 },
  );

  it("return what was written, as a zip, as a bundle, and after other bytes", () => {
    fc.assert(
      fc.property(contents, fc.integer({ min: 0, max: 40 }), (files, padding) => {
        const padded = Buffer.concat([new Uint8Array(padding), makeZip(files)]);
        for (const bytes of [makeZip(files), makeBundle(files), padded]) {
          const range = toByteRange(bytes);
          const directory = readZipDirectory(range);
          if (!directory.ok) throw new Error(directory.detail);
          const read = directory.value.map((entry) => {
            const result = readZipEntry(range, entry, zlibCodec, 1_000);
            if (!result.ok) throw new Error(result.detail);
            return [...result.value];
          });
          expect(read).toEqual(files.map((file) => [...file.bytes]));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("fail with a reason for any change of any byte, or return the contents unchanged", () => {
    const zip = makeZip([{ path: "a.js", bytes: toBytes("console.log(1);\n") }]);
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = Uint8Array.from(zip);
        broken[at] = (broken[at] ?? 0) ^ change;
        const range = toByteRange(broken);
        const directory = readZipDirectory(range);
        if (!directory.ok) expect(directory.detail).toMatch(/at byte \d+/);
        for (const entry of directory.ok ? directory.value : []) {
          const result = readZipEntry(range, entry, zlibCodec, 1_000);
          if (result.ok) expect(decodeText(result.value)).toBe("console.log(1);\n");
          else expect(result.detail).toMatch(/at byte \d+/);
        }
      }),
    );
  });

  it("refuse a directory that is larger than its limit without reading it", () => {
    const zip = makeZip([{ path: "a", bytes: toBytes("x") }]);
    const bytes = Buffer.concat([Buffer.alloc(9 * 1024 * 1024), zip]);
    bytes.writeUInt32LE(9 * 1024 * 1024, bytes.length - 10);
    const range = toByteRange(bytes);
    const read = (offset: number, length: number) => {
      expect(length).toBeLessThan(100_000);
      return range.read(offset, length);
    };
    const directory = readZipDirectory({ ...range, read });
    expect(directory).toMatchObject({ detail: expect.stringContaining("at most 8388608 bytes") });
  });

  it("refuse entries that share their data", () => {
    const zip = makeZip([
      { path: "a", bytes: toBytes("x".repeat(1_000)) },
      { path: "b", bytes: toBytes("y".repeat(1_000)) },
    ]);
    const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
    const second = zip.length - 22 - 47;
    expect(view.getUint32(second, true)).toBe(0x02014b50);
    view.setUint32(second + 42, 0, true);
    expect(readZipDirectory(toByteRange(zip))).toMatchObject({ ok: false, reason: "invalid-zip" });
  });
});
