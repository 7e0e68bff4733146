/** Admits ingest requests: which project a key belongs to, and under which limits. */
import { limits } from "../limits.ts";
import type { Trust } from "../trust/trust.ts";
import { isActive } from "./permissions.ts";
import { FIRST_PROJECT_ID, type IngestKey, type KeyRate, type RegistryState } from "./registry.ts";

/** The credentials of a request: the project in the URL, the key and the origin. */
export interface PresentedKey {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  /** The `Origin` header; only browsers send it. */
  readonly origin?: string | undefined;
}

/** The project of an admitted request, and how far its reports are trusted. */
export interface IngestAdmission {
  readonly project: string;
  readonly trust: Trust;
  readonly perMinute?: KeyRate;
}

/** Why a key is refused. Does not reveal whether the project or the key exists. */
export type KeyRefusal = "unknown-key" | "origin-not-allowed" | "archived";

/**
 * Admits to the first project without the registry: same-origin requests without a key (if
 * `isOpen`, because a page holds no secret), and the configured key. Null otherwise.
 */
export function admitByConfig(
  { project = FIRST_PROJECT_ID, key }: PresentedKey,
  {
    isOpen,
    configuredKey,
  }: { readonly isOpen: boolean; readonly configuredKey?: string | undefined },
): IngestAdmission | null {
  const isAccepted = key === undefined ? isOpen : key === configuredKey;
  return isAccepted && project === FIRST_PROJECT_ID ? { project, trust: "public" } : null;
}

/** Admits by a key of the registry. */
export function admitByRegistry(
  registry: RegistryState,
  presented: PresentedKey,
  nowMs: number,
): IngestAdmission | KeyRefusal {
  const found = listActiveKeys(registry, nowMs).find(({ key }) => key === presented.key);
  const project = registry.projects.find(({ id }) => id === found?.project);
  const isSameProject = (presented.project ?? project?.id) === project?.id;
  if (found === undefined || project === undefined || !isSameProject) return "unknown-key";
  if (!isOriginAllowed(found, presented.origin)) return "origin-not-allowed";
  if (project.archivedMs !== undefined) return "archived";
  const { perMinute } = found;
  return { project: project.id, trust: "public", ...(perMinute && { perMinute }) };
}

/** The active keys of all projects. */
export function listActiveKeys(registry: RegistryState, nowMs: number): readonly IngestKey[] {
  return registry.keys.filter(({ expiresMs }) => isActive(expiresMs, nowMs));
}

/** Only browsers send an origin; a server could send any. So a request without one passes. */
function isOriginAllowed({ origins }: IngestKey, origin: string | undefined): boolean {
  return (
    origins.length === 0 ||
    origin === undefined ||
    origins.some((one) => matchesOrigin(one, origin))
  );
}

/** `https://*.shop.example` matches every subdomain, and not `shop.example` itself. */
function matchesOrigin(allowed: string, origin: string): boolean {
  const [scheme, rest] = allowed.split("://*");
  if (rest === undefined) return allowed === origin;
  const start = `${scheme}://`;
  const name = origin.slice(start.length, origin.length - rest.length);
  return origin.startsWith(start) && origin.endsWith(rest) && /^[\w-]+(\.[\w-]+)*$/.test(name);
}

/**
 * Normalizes an allowed origin: `https://shop.example` or `https://*.shop.example:8443`; null if
 * invalid.
 * Source: RFC 6454 § 6.1.
 */
export function parseOrigin(text: string): string | null {
  if (text.length > limits.maxOriginChars) return null;
  const [, scheme = "", star = "", host = ""] =
    /^(https?):\/\/(\*\.)?([^/*?#@\s]+)\/?$/i.exec(text.trim()) ?? [];
  if (host === "" || !URL.canParse(`${scheme}://${host}`)) return null;
  const origin = new URL(`${scheme}://${host}`).origin;
  return star === "" ? origin : origin.replace("://", "://*.");
}
