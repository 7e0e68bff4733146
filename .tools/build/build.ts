// Builds what is deployed: the client into dist/client and the Worker into dist/worker, by a dry
// run of the deploy, and the Worker in front of a site into dist/front. Nothing leaves the machine.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { quit } from "../command/command-line.ts";
import { run } from "../command/run-package.ts";
import { readBindings } from "../workerd/bindings.ts";
import { listClientFiles, workerFile } from "./built.ts";
import { buildFront } from "./front.ts";

/** Builds client and Worker. Returns a line about the result, or the output of a failed build. */
export async function build(): Promise<{ ok: boolean; message: string }> {
  const words = ["deploy", "--dry-run", "--outdir", "dist/worker"];
  // The dry run reports errors in wrangler.toml.
  const [{ code, output }] = await Promise.all([
    run("wrangler", words),
    readBindings().catch(() => null),
  ]);
  if (code !== 0) return { ok: false, message: output.trim() };
  await buildFront();
  const scripts = listClientFiles().filter((file) => file.endsWith(".js"));
  return {
    ok: true,
    message: `Worker ${formatSize([workerFile])}, client JavaScript ${formatSize(scripts)} (gzip)`,
  };
}

/** Builds both. Ends the process with the output of a failed build. */
export async function buildOrQuit(): Promise<string> {
  const { ok, message } = await build();
  return ok ? message : quit(message);
}

function formatSize(files: string[]) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  return `${(bytes / 1000).toFixed(1)} kB`;
}
