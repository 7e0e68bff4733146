// The client's files as they were built: what is loaded with what, and what it weighs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { clientFolder } from "../../.tools/built.ts";

interface Entry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

/** By source: `src/client/page.ts`. */
export const manifest: Readonly<Record<string, Entry>> = JSON.parse(
  readFileSync(join(clientFolder, ".vite", "manifest.json"), "utf8"),
);

/** The files that loading `source` loads at once, itself included. */
export function loadedWith(source: string, seen = new Set<string>()): Set<string> {
  const entry = manifest[source];
  if (entry === undefined) throw new Error(`${source} is not in the manifest`);
  if (seen.has(entry.file)) return seen;
  seen.add(entry.file);
  for (const imported of entry.imports ?? []) loadedWith(imported, seen);
  return seen;
}

/** The bytes of these files of the client, each compressed as it is sent. */
export function gzipBytesOf(files: Iterable<string>): number {
  return [...files]
    .map((file) => gzipSync(readFileSync(join(clientFolder, file))).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}
