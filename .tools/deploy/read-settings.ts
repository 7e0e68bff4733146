// Reads the settings of a deployment from wrangler.toml with wrangler, which takes 100 MB and more
// than a second, and therefore runs in a separate process.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toolEnv } from "../command/run-package.ts";
import type { DeployRequest } from "./arguments.ts";

export interface DeploySettings {
  /** The absolute path of the configuration. */
  readonly file: string;
  /** The name of the Worker, for example `errata`. */
  readonly worker: string;
  /** The names of the variables in it. */
  readonly vars: readonly string[];
  /** The host names of its custom domains. */
  readonly domains: readonly string[];
  /** It has routes or custom domains. */
  readonly hasRoutes: boolean;
}

/** Reads the configuration; undefined if it is invalid, which `wrangler deploy` reports. */
export async function readSettings(request: DeployRequest): Promise<DeploySettings | undefined> {
  const { config, env } = request;
  const words = [import.meta.filename, JSON.stringify({ config, env })];
  const options = { env: toolEnv, cwd: request.cwd };
  const run = promisify(execFile)(process.execPath, words, options).catch(() => undefined);
  // wrangler may print notices before and after it.
  const printed = (await run)?.stdout.split("\n").findLast((line) => line.startsWith("{"));
  if (printed === undefined) return undefined;
  const settings: DeploySettings = JSON.parse(printed);
  return request.name === undefined ? settings : { ...settings, worker: request.name };
}

if (process.argv[1] === import.meta.filename) {
  const { unstable_readConfig } = await import("wrangler");
  const given = JSON.parse(process.argv[2] ?? "{}");
  const config = unstable_readConfig(given, { hideWarnings: true });
  const routes = [...(config.routes ?? []), ...(config.route === undefined ? [] : [config.route])];
  const settings: Omit<DeploySettings, "worker"> & { worker?: string | undefined } = {
    file: config.configPath ?? "",
    worker: config.name,
    vars: Object.keys(config.vars),
    domains: routes.flatMap((route) =>
      typeof route === "object" && "custom_domain" in route && route.custom_domain
        ? route.pattern
        : [],
    ),
    hasRoutes: routes.length > 0,
  };
  console.log(JSON.stringify(settings));
}
