// Bundles the script that other sites load: src/adapters/script/errata.ts as a classic script. The
// build serves it at /monitoring/errata.js, and at an address with a hash of its contents, which
// never changes. Headers of both: public/_headers.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vite";
import { root } from "../install.mjs";

/** The address whose contents a deployment changes. */
export const REPORTER_PATH = "monitoring/errata.js";
const HASH_CHARS = 12;

/** A built script. */
export interface ReporterScript {
  readonly code: string;
  /** `monitoring/errata-3f9c0a51b2d4.js`: the address of exactly these contents. */
  readonly path: string;
  /** `sha384-…`, for the attribute `integrity`. */
  readonly integrity: string;
}

/** Bundles and minifies the script. */
export async function bundleReporterScript(): Promise<ReporterScript> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src", "adapters", "script", "errata.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    // Sites choose the browsers that they support.
    target: "es2020",
    legalComments: "none",
    write: false,
    logLevel: "silent",
  });
  const code = outputFiles[0]?.text ?? "";
  const hash = createHash("sha256").update(code).digest("hex").slice(0, HASH_CHARS);
  const integrity = `sha384-${createHash("sha384").update(code).digest("base64")}`;
  return { code, path: REPORTER_PATH.replace(".js", `-${hash}.js`), integrity };
}

/** Writes the script to both addresses. */
export const createReporterScript: Plugin = {
  name: "reporter-script",
  async generateBundle() {
    const { code, path } = await bundleReporterScript();
    for (const fileName of [REPORTER_PATH, path])
      this.emitFile({ type: "asset", fileName, source: code });
  },
};
