/** What a key opens: which project a report belongs to, and on which terms. */
import { limits } from "../limits.ts";
import { isActive } from "./permissions.ts";
import { FIRST_PROJECT_ID, type IngestKey, type KeyRate, type RegistryState } from "./registry.ts";

/** What a request shows: the project that its address names, the key that it carries, and the page that it was sent from. */
export interface PresentedKey {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  /** Its `Origin`; browsers alone say one. */
  readonly origin?: string | undefined;
}

/** Where an admitted report goes. `keyed` is false for what came without a key, to the path of the same origin. */
export interface IngestAdmission {
  readonly project: string;
  readonly hasKey: boolean;
  readonly perMinute?: KeyRate;
}

/** Why a key opens nothing. Which of a project, a key and their match is missing is nobody's business. */
export type KeyRefusal = "unknown-key" | "origin-not-allowed" | "archived";

/**
 * Whom the configuration alone admits, to the first project: a page of the same origin without a key, where `isOpen`, because it knows no
 * secret anyway; and whoever shows the key of the configuration. Null for all others: the registry decides.
 */
export function admitByConfig(
  { project = FIRST_PROJECT_ID, key }: PresentedKey,
  {
    isOpen,
    configuredKey,
  }: { readonly isOpen: boolean; readonly configuredKey?: string | undefined },
): IngestAdmission | null {
  const isAccepted = key === undefined ? isOpen : key === configuredKey;
  return isAccepted && project === FIRST_PROJECT_ID ? { project, hasKey: key !== undefined } : null;
}

/** Which project takes what was sent with a key of the registry. */
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
  return { project: project.id, hasKey: true, ...(perMinute && { perMinute }) };
}

/** The keys that are good, of all projects. */
export function listActiveKeys(registry: RegistryState, nowMs: number): readonly IngestKey[] {
  return registry.keys.filter(({ expiresMs }) => isActive(expiresMs, nowMs));
}

/** Servers say no origin, and could say any: origins are for browsers alone. */
function isOriginAllowed({ origins }: IngestKey, origin: string | undefined): boolean {
  return (
    origins.length === 0 ||
    origin === undefined ||
    origins.some((one) => matchesOrigin(one, origin))
  );
}

/** `https://*.shop.example` covers every name before `.shop.example`, and not `shop.example` itself. */
function matchesOrigin(allowed: string, origin: string): boolean {
  const [scheme, rest] = allowed.split("://*");
  if (rest === undefined) return allowed === origin;
  const start = `${scheme}://`;
  const name = origin.slice(start.length, origin.length - rest.length);
  return origin.startsWith(start) && origin.endsWith(rest) && /^[\w-]+(\.[\w-]+)*$/.test(name);
}

/**
 * An allowed origin as it is kept, `https://shop.example` or `https://*.shop.example:8443`; null for what is none.
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
