/** Small builds with source maps, and the bundles that upload tools make of them. */
import { createHash } from "node:crypto";
import { MANIFEST_PATH } from "#src/core/artifacts/bundle-manifest.ts";
import { toBytes } from "#support/bytes.ts";
import { makeBundle } from "./make-zip.ts";

const CHUNK_BYTES = 1024 * 1024;

/** A file of a bundle. */
export interface BundledFile {
  readonly url: string;
  readonly type: "minified_source" | "source_map" | "source";
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The bytes of an artifact bundle with its manifest. */
export function makeArtifactBundle(
  files: readonly BundledFile[],
  manifest: object = {},
): Uint8Array {
  const paths = files.map(({ url }) => `files/_/${url.replace(/^~/, "_").replace("://", "/")}`);
  const entries = files.map(({ url, type, headers = {} }, n) => [
    paths[n] ?? "",
    { url, type, headers },
  ]);
  return makeBundle([
    ...files.map(({ text }, n) => ({ path: paths[n] ?? "", bytes: toBytes(text) })),
    {
      path: MANIFEST_PATH,
      bytes: toBytes({ files: Object.fromEntries(entries), ...manifest }),
    },
  ]);
}

/** SHA-1 in hex. */
export function toSha1(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** The chunks of a bundle. */
export function cutChunks(bytes: Uint8Array, size = CHUNK_BYTES): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

/** A script of two lines, whose second line calls a function, and its map with text. */
export function makeBuild(name: string, { debugId }: { readonly debugId?: string } = {}) {
  const script = `function a(){throw new Error("${name}")}\na();\n`;
  const source = `export function fail() {\n  throw new Error("${name}");\n}\nfail();\n`;
  const map = JSON.stringify({
    version: 3,
    file: `${name}.js`,
    sources: [`../src/${name}.ts`],
    sourcesContent: [source],
    names: ["fail"],
    mappings: "AAAA,SAAgBA,GACd,MAAM,IAAI;AAEZA",
    ...(debugId !== undefined && { debugId }),
  });
  const comment = debugId === undefined ? "" : `//# debugId=${debugId}\n`;
  const whole = `${script}${comment}//# sourceMappingURL=${name}.js.map\n`;
  return { name, script: whole, map, source };
}

/** The files of builds, as a bundle has them. */
export function listBundledFiles(
  builds: readonly ReturnType<typeof makeBuild>[],
  prefix = "~/assets/",
): readonly BundledFile[] {
  return builds.flatMap(({ name, script, map }) => [
    { url: `${prefix}${name}.js`, type: "minified_source", text: script },
    { url: `${prefix}${name}.js.map`, type: "source_map", text: map },
  ]);
}
