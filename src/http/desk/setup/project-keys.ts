/** The address and the keys of a project, for the code that senders copy. */
import { listActiveKeys } from "../../../core/accounts/ingest-keys.ts";
import { findProject } from "../../../core/accounts/registry.ts";
import type { IngestAddress } from "../../../ui/setup/integration.ts";
import type { AppContext } from "../../context.ts";
import { awaitOrNull } from "../../unavailable.ts";

/** The keys of a project, as its code for senders has them. */
export interface ProjectKeys {
  readonly address: IngestAddress;
  /** Undefined while the registry is unavailable. */
  readonly hasServerKey: boolean | undefined;
}

/**
 * The origin of this request, and the project's public key: the configured one, else its newest.
 */
export async function describeKeys(c: AppContext): Promise<ProjectKeys> {
  const { config, registry, nowMs } = c.get("services");
  const { ingestKey, serverKeyHash, project } = config;
  const { origin } = new URL(c.req.url);
  const registryCopy = await awaitOrNull(c, registry.readCopy());
  const keys = registryCopy === null ? [] : listActiveKeys(registryCopy, nowMs());
  const projectKeys = keys.filter((key) => key.project === project);
  const key = ingestKey ?? projectKeys.findLast((one) => one.kind === "public")?.key;
  const settings = registryCopy && findProject(registryCopy, project);
  const isKeyRequired = settings?.keylessOrigins?.length === 0;
  const hasServerKey =
    serverKeyHash !== undefined || projectKeys.some(({ kind }) => kind === "server");
  return {
    address: { origin, project, isKeyRequired, key },
    hasServerKey: hasServerKey || registryCopy !== null ? hasServerKey : undefined,
  };
}
