// What the deployment needs from wrangler.toml, as wrangler reads it. wrangler takes 100 MB and more
// than a second, so it runs in a separate process.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toolEnv } from "../command/run-package.ts";
import { root } from "../install.mjs";
import type { DeployRequest } from "./arguments.ts";

export interface DeploySettings {
  /** The absolute path of the configuration. */
  readonly file: string;
  /** The name of the Worker, for example `errata`. */
  readonly worker: string;
  /** The names of the variables in it. */
  readonly vars: readonly string[];
}

/** Reads the configuration; undefined if it is invalid, which `wrangler deploy` reports. */
export async function readSettings(request: DeployRequest): Promise<DeploySettings | undefined> {
  const { config, env } = request;
  const words = [import.meta.filename, JSON.stringify({ config, env })];
  const options = { env: toolEnv, cwd: root };
  const run = promisify(execFile)(process.execPath, words, options).catch(() => undefined);
  // wrangler may print warnings first.
  const printed = (await run)?.stdout.trimEnd().split("\n").at(-1);
  if (printed === undefined) return undefined;
  const settings: DeploySettings = JSON.parse(printed);
  return request.name === undefined ? settings : { ...settings, worker: request.name };
}

if (process.argv[1] === import.meta.filename) {
  const { unstable_readConfig } = await import("wrangler");
  const given = JSON.parse(process.argv[2] ?? "{}");
  const { name, vars, configPath } = unstable_readConfig(given, { hideWarnings: true });
  console.log(JSON.stringify({ file: configPath, worker: name, vars: Object.keys(vars) }));
}
