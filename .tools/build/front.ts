// Writes the Worker for the front of a site to dist/front. It contains the reporter's script itself,
// because a page must not wait for Errata.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { root } from "../install.mjs";
import { bundleReporterScript } from "./reporter-script.ts";

/** The built Worker. */
export const frontFile = join(root, "dist", "front", "worker.js");

const VERSION_CHARS = 12;

/** The options that put the reporter's script into `src/front/reporter-script.ts`. */
export async function defineReporterScript(): Promise<Required<Pick<BuildOptions, "define">>> {
  const { code } = await bundleReporterScript();
  // Behind the script, the document is the one that the site has sent: an application that hydrates
  // it finds what it has rendered.
  const text = `${code}document.currentScript?.remove();\n`;
  const hash = (encoding: "hex" | "base64") => createHash("sha256").update(text).digest(encoding);
  const script = {
    text,
    integrity: `sha256-${hash("base64")}`,
    version: hash("hex").slice(0, VERSION_CHARS),
  };
  return { define: { REPORTER_SCRIPT: JSON.stringify(script) } };
}

/**
 * Builds the Worker, or another one that uses its modules. Rejects with the errors of a failed
 * build. Returns its size in bytes.
 */
export async function buildFront(changes: BuildOptions = {}): Promise<number> {
  const outfile = changes.outfile ?? frontFile;
  await build({
    ...(await defineReporterScript()),
    entryPoints: [join(root, "src", "front", "worker.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "silent",
    ...changes,
  });
  return readFileSync(outfile).length;
}
