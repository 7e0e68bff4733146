// Reads a configuration with wrangler in a separate process, because wrangler takes 100 MB and more
// than a second.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Unstable_Config } from "wrangler";
import { toolEnv } from "./run-package.ts";

interface ConfigChoice {
  /** The file; by default wrangler's choice in the folder. */
  readonly config?: string | undefined;
  /** The environment in it. */
  readonly env?: string | undefined;
}

/** The configuration with all defaults. Rejects with the message of wrangler. */
export async function readWranglerConfig(
  { config, env }: ConfigChoice,
  cwd: string,
): Promise<Unstable_Config> {
  const words = [import.meta.filename, JSON.stringify({ config, env })];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd, env: toolEnv });
  // wrangler may print notices before and after it.
  return JSON.parse(stdout.split("\n").findLast((line) => line.startsWith("{")) ?? "");
}

if (process.argv[1] === import.meta.filename) {
  const { unstable_readConfig } = await import("wrangler");
  console.log(JSON.stringify(unstable_readConfig(JSON.parse(process.argv[2] ?? "{}"))));
}
