// Reads what the deployment needs to know from wrangler.toml.

import { readWranglerConfig } from "../command/read-wrangler-config.ts";
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
  const config = await readWranglerConfig(request, request.cwd).catch(() => undefined);
  if (config?.configPath === undefined) return undefined;
  const routes = [...(config.routes ?? []), ...(config.route === undefined ? [] : [config.route])];
  return {
    file: config.configPath,
    worker: request.name ?? config.name ?? "errata",
    vars: Object.keys(config.vars),
    domains: routes.flatMap((route) =>
      typeof route === "object" && "custom_domain" in route && route.custom_domain
        ? route.pattern
        : [],
    ),
    hasRoutes: routes.length > 0,
  };
}
