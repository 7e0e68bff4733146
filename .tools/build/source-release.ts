// A Vite plugin that names the build: the release of Errata's own errors. All deployed versions of
// the same sources have the same release, so their source maps are uploaded once.

import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { listFiles } from "../command/list-files.ts";
import { root } from "../install.mjs";

/** The files and folders that decide what the build contains. */
const SOURCES = ["src", ".tools/build", "package-lock.json", "wrangler.toml"];
const HASH_CHARS = 12;

/** Writes `fileName` beside the manifest: `{"release":"errata@0.1.0+3f9c0a51b2d4"}`. */
export function writeRelease(fileName: string): Plugin {
  return {
    name: "source-release",
    writeBundle({ dir = "" }) {
      const text = JSON.stringify({ release: formatRelease() });
      writeFileSync(join(dir, ".vite", fileName), text);
    },
  };
}

/** The version in package.json and a hash of the sources: `errata@0.1.0+3f9c0a51b2d4`. */
function formatRelease(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(listSources).sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return `${name}@${version}+${hash.digest("hex").slice(0, HASH_CHARS)}`;
}

/** The paths of the file, or of the files in the folder. */
function listSources(path: string): string[] {
  const start = join(root, path);
  if (!statSync(start).isDirectory()) return [path];
  return listFiles(start).map((file) => `${path}/${file}`);
}
