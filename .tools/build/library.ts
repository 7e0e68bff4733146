// Builds the library of the package into dist/lib: modules that share chunks, for every runtime,
// and one declaration file for each.

import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { packTar } from "../../src/cli/tar.ts";
import { run } from "../command/run-package.ts";
import { root } from "../install.mjs";
import { defineReporterScript } from "./front.ts";

/** The folder that the package contains. */
export const libraryFolder = join(root, "dist", "lib");
const typeFolder = join(root, "dist", "types");
/** A published module is in one of these folders of src/. */
const SOURCE_FOLDERS = ["adapters", "front"];

/** Paths of `exports` in package.json, and the file behind each condition. */
interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The sources of the modules that package.json exports. */
export function listLibraryEntries(): readonly string[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = Object.values(manifest.exports).flatMap(({ types: _, ...files }) =>
    Object.values(files),
  );
  return [...new Set(modules)].map((built) => {
    const name = `${basename(built, ".js")}.{ts,tsx}`;
    const places = SOURCE_FOLDERS.map((folder) => `src/${folder}/${name}`);
    const [file] = globSync(places, { cwd: root });
    if (file === undefined) throw new Error(`There is no source of ${built}.`);
    return join(root, file);
  });
}

/**
 * The package as `npm pack` would pack it, for the deployment to serve. Throws the errors of the
 * library's build.
 */
export async function packLibrary(): Promise<Uint8Array> {
  if (!isLibraryCurrent()) {
    const { ok, message } = await buildLibrary();
    if (!ok) throw new Error(message);
  }
  const texts = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];
  const files = [...texts, ...globSync("dist/lib/*", { cwd: root })];
  const packed = files.map((path) => ({
    path: `package/${path.replaceAll("\\", "/")}`,
    bytes: readFileSync(join(root, path)),
  }));
  return gzipSync(packTar(packed), { level: 9 });
}

/** True if no source is newer than the library. */
function isLibraryCurrent(): boolean {
  const built = statSync(join(libraryFolder, "server.d.ts"), { throwIfNoEntry: false });
  if (built === undefined) return false;
  const sources = globSync("src/{adapters,auth,client,core,front,ingest}/**/*.{ts,tsx}", {
    cwd: root,
  });
  return ["package.json", ...sources].every(
    (path) => statSync(join(root, path)).mtimeMs < built.mtimeMs,
  );
}

/** Builds modules and types. Returns a line about the result, or the errors. */
export async function buildLibrary(): Promise<{ ok: boolean; message: string }> {
  const types = await run("typescript", ["--project", "src/adapters"], { command: "tsc" });
  if (types.code !== 0) return { ok: false, message: types.output.trim() };
  const entries = listLibraryEntries();
  rmSync(libraryFolder, { recursive: true, force: true });
  await build({
    ...(await defineReporterScript()),
    entryPoints: [...entries],
    outdir: libraryFolder,
    entryNames: "[name]",
    chunkNames: "shared-[hash]",
    bundle: true,
    splitting: true,
    // Inlines constants: the bundler of an application cannot.
    minifySyntax: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    jsx: "automatic",
    // The packages of the application.
    packages: "external",
    // Bundled: the one encodes QR codes, the other is in modules of core/ and shaken off.
    alias: {
      valibot: join(root, "node_modules", "valibot"),
      uqr: join(root, "node_modules", "uqr"),
    },
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "silent",
  });
  const declared = ["adapters/*.d.ts", "client/reporter.d.ts", "front/front.d.ts"];
  for (const file of globSync(declared, { cwd: typeFolder })) {
    const text = readFileSync(join(typeFolder, file), "utf8");
    // All declarations are in one folder.
    const moved = text.replace(/(from ")\.\.?\/(?:client\/)?([\w-]+)\.tsx?"/g, '$1./$2.js"');
    writeFileSync(join(libraryFolder, basename(file)), moved);
  }
  rmSync(typeFolder, { recursive: true });
  return { ok: true, message: `${entries.length} modules in dist/lib` };
}
