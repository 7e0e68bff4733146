// The built client files: what each entry loads, and the compressed sizes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { clientFolder } from "../../../.tools/build/built.ts";

interface Entry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  /** The files that a style sheet names. */
  readonly assets?: readonly string[];
}

/** By source file: `src/client/page.ts`. */
export const manifest: Readonly<Record<string, Entry>> = JSON.parse(
  readFileSync(join(clientFolder, ".vite", "manifest.json"), "utf8"),
);

/** The files that `source` loads at once, itself included. */
export function listLoadedFiles(source: string, seen = new Set<string>()): Set<string> {
  const entry = manifest[source];
  if (entry === undefined) throw new Error(`${source} is not in the manifest`);
  if (seen.has(entry.file)) return seen;
  seen.add(entry.file);
  for (const imported of entry.imports ?? []) listLoadedFiles(imported, seen);
  return seen;
}

/** The total size of these client files in bytes, each compressed with gzip. */
export function measureGzipBytes(files: Iterable<string>): number {
  return [...files]
    .map((file) => gzipSync(readFileSync(join(clientFolder, file))).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}
