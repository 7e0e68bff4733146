// The builds, maps and bundles of tests/fixtures/source-maps.

import { existsSync, readFileSync } from "node:fs";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MANIFEST_PATH } from "#src/core/artifacts/bundle-manifest.ts";
import type { Codec } from "#src/core/symbolication/codec.ts";
import { toBytes } from "#support/bytes.ts";
import { makeBundle } from "./make-zip.ts";

const FOLDER = "tests/fixtures/source-maps";

/** A position and what it means: null if nothing maps there. Lines and columns are 1-based. */
interface EdgeLookup {
  readonly line: number;
  readonly column: number;
  readonly expect: {
    readonly source: string;
    readonly line: number;
    readonly column: number;
    readonly name: string | null;
  } | null;
}

/** An odd or hostile file. */
interface EdgeCase {
  readonly file: string;
  readonly why: string;
  readonly debugId?: string;
  readonly ignored?: readonly string[];
  readonly lookups?: readonly EdgeLookup[];
}

export const edgeCases: readonly EdgeCase[] = JSON.parse(
  readFileSync(`${FOLDER}/edge/expected.json`, "utf8"),
).cases;

/** The bytes of a file in `edge/`, read or generated. */
export function readEdgeFile(file: string): Uint8Array {
  const path = `${FOLDER}/edge/${file}`;
  if (existsSync(path)) return readFileSync(path);
  const generate = GENERATED[file];
  if (generate === undefined) throw new Error(`${file} is neither a fixture nor generated.`);
  return generate();
}

const GENERATED: Readonly<Record<string, () => Uint8Array>> = {
  "lines.map": () =>
    toBytes(`{"version":3,"sources":["a.ts"],"names":[],"mappings":"${";".repeat(150_000)}AAAA"}`),
  "hostile-deep.map": () => {
    const nested = "[".repeat(40_000) + "]".repeat(40_000);
    return toBytes(`{"version":3,"mappings":"AAAA","names":[],"sources":${nested}}`);
  },
  "hostile-deep-open.map": () => toBytes(`{"version":3,"sources":${'{"a":'.repeat(20_000)}`),
  "hostile-long-name.map": () =>
    toBytes(
      `{"version":3,"sources":["a.ts"],"names":["${"n".repeat(100_000)}"],"mappings":"AAAAA"}`,
    ),
  "bundle-bomb.zip": () => makeBomb(),
};

/** A bundle whose map inflates to 200 MB of spaces. */
function makeBomb(): Uint8Array {
  const manifest = toBytes(
    JSON.stringify({ files: { "app.js.map": { url: "~/app.js.map", type: "source_map" } } }),
  );
  return makeBundle([
    { path: MANIFEST_PATH, bytes: manifest },
    { path: "app.js.map", bytes: new Uint8Array(209_715_200).fill(0x20) },
  ]);
}

/** A frame of a real build. */
interface BuildFrame {
  readonly raw: string;
  readonly url?: string;
  readonly line?: number;
  readonly column?: number;
  readonly native?: boolean;
  readonly original?: {
    readonly source: string;
    readonly file: string;
    readonly line: number;
    readonly columns: readonly number[];
    readonly functions: readonly string[];
    readonly contextLine: string;
  } | null;
  readonly inApp?: boolean;
}

/** A real build with its stacks. */
export interface BuildCase {
  readonly name: string;
  readonly release: string;
  readonly urlPrefix: string;
  readonly files: readonly {
    readonly path: string;
    readonly url: string;
    readonly map: string;
    readonly debugId: string;
  }[];
  readonly errors: readonly { readonly stack: string; readonly frames: readonly BuildFrame[] }[];
}

export const buildCases: readonly BuildCase[] = [
  "vite-react",
  "esbuild-split",
  "worker",
  "next-client",
].map((name) => ({ name, ...JSON.parse(readFileSync(`${FOLDER}/${name}/case.json`, "utf8")) }));

/** A file of a build: `readBuildFile("worker", "dist/index.js")`. */
export function readBuildFile(build: string, path: string): Uint8Array {
  return readFileSync(`${FOLDER}/${build}/${path}`);
}

/** Raw deflate by node:zlib, as a Durable Object has it. */
export const zlibCodec: Codec = {
  deflate: (bytes) => deflateRawSync(bytes),
  inflate: (bytes, maxBytes) => {
    try {
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes) });
    } catch {
      return null;
    }
  },
};
