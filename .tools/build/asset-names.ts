// A Vite plugin that writes the hashed names of the files that the Worker links. The whole manifest
// would be in the Worker's bundle.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, Plugin } from "vite";

/** Writes `fileName` beside the manifest: `{"src/ui/style.css":"assets/style-CAlFI0Zx.css"}`. */
export function writeAssetNames(fileName: string, sources: readonly string[]): Plugin {
  return {
    name: "asset-names",
    writeBundle({ dir = "" }) {
      const folder = join(dir, ".vite");
      const text = readFileSync(join(folder, "manifest.json"), "utf8");
      const manifest = JSON.parse(text) as Manifest;
      const names = sources.map((source) => {
        const file = manifest[source]?.file;
        if (file === undefined) throw new Error(`The manifest does not name ${source}.`);
        return [source, file] as const;
      });
      writeFileSync(join(folder, fileName), JSON.stringify(Object.fromEntries(names)));
    },
  };
}
