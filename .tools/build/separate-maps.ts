// A Vite plugin that moves the source maps out of the client's folder, whose files are public.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** The plugin. Maps are written into `folder`, with their paths in the build. */
export function separateMaps(folder: string): Plugin {
  return {
    name: "separate-maps",
    enforce: "post",
    generateBundle(_, bundle) {
      rmSync(folder, { recursive: true, force: true });
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== "asset" || !name.endsWith(".map")) continue;
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, file.source);
        delete bundle[name];
      }
    },
  };
}
