/** Admits ingest requests: finds the project of a key, and its limits. */
import { limits } from "../limits.ts";
import { SERVER_KEY_PREFIX } from "../scrubbing/own-secrets.ts";
import type { Trust } from "../trust/trust.ts";
import { isActive } from "./actors.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";
import {
  findProject,
  type IngestKey,
  type KeyRate,
  type PublicKey,
  type RegistryState,
} from "./registry.ts";

/** The credentials of a request: the project in the URL, the key and the origin. */
export interface PresentedKey {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  /** SHA-256 of the key in hex, if it is a server key (`isServerKey`). */
  readonly hash?: string | undefined;
  /** The origin of the page; only browsers send it. */
  readonly origin?: string | undefined;
}

/** The keys of the configuration. They belong to the first project. */
interface ConfiguredKeys {
  readonly key?: string | undefined;
  /** SHA-256 of the server key, in hex. */
  readonly serverKeyHash?: string | undefined;
}

/** The ids of the configured public key, and of reports without a key. */
export const CONFIGURED_KEY_ID = "configured";
export const KEYLESS_ID = "keyless";

/** Reports per minute without a key: 100 a second in each location of the platform. */
const KEYLESS_RATE: KeyRate = 6_000;

/** True for the text of a server key, valid or not. */
export function isServerKey(key: string): boolean {
  return key.startsWith(SERVER_KEY_PREFIX);
}

/** The project of an admitted request, and the trust in its reports. */
export interface IngestAdmission {
  readonly project: string;
  readonly trust: Trust;
  readonly perMinute?: KeyRate;
  /** Of public reports: the id of the key, `CONFIGURED_KEY_ID` or `KEYLESS_ID`. */
  readonly keyId?: string;
}

/** Why a key is refused. Does not reveal whether the project or the key exists. */
export type KeyRefusal =
  | "unknown-key"
  | "key-required"
  | "origin-not-allowed"
  | "archived"
  | "server-key-in-browser";

/**
 * Admits a request with a key of the configuration, or refuses a server key that a browser sent.
 * Needs no registry. Null for any other key, and without a key.
 */
export function admitByConfig(
  { project = FIRST_PROJECT_ID, key, hash, origin }: PresentedKey,
  configured: ConfiguredKeys,
): IngestAdmission | "server-key-in-browser" | null {
  if (key === undefined) return null;
  // Errata records a leaked key even if the page names another project.
  if (hash !== undefined && hash === configured.serverKeyHash && origin !== undefined)
    return "server-key-in-browser";
  if (project !== FIRST_PROJECT_ID) return null;
  if (hash !== undefined)
    return hash === configured.serverKeyHash ? { project, trust: "server" } : null;
  return key === configured.key ? { project, trust: "public", keyId: CONFIGURED_KEY_ID } : null;
}

/**
 * Admits a report without a key to the first project if its settings allow it; otherwise returns
 * the reason for the refusal. Errata's own pages, at `ownOrigin`, are always allowed.
 */
export function admitWithoutKey(
  registry: RegistryState,
  { project = FIRST_PROJECT_ID, origin }: PresentedKey,
  ownOrigin: string,
): IngestAdmission | KeyRefusal {
  if (project !== FIRST_PROJECT_ID) return "unknown-key";
  const origins = findProject(registry, project)?.keylessOrigins;
  if (origins?.length === 0) return "key-required";
  const isAllowed =
    origins === undefined ||
    (origin !== undefined && [ownOrigin, ...origins].some((one) => matchesOrigin(one, origin)));
  return isAllowed
    ? { project, trust: "public", perMinute: KEYLESS_RATE, keyId: KEYLESS_ID }
    : "origin-not-allowed";
}

/** True if a member has paused the key, by the `keyId` of its admission. */
export function isKeyPaused(
  registry: RegistryState,
  { project, keyId }: Pick<IngestAdmission, "project" | "keyId">,
): boolean {
  const paused = findProject(registry, project)?.pausedKeys ?? [];
  return keyId !== undefined && paused.includes(keyId);
}

/**
 * Admits a request with an active key of the registry, or returns the reason for the refusal. A
 * page must not use a server key, because every visitor can read it.
 */
export function admitByRegistry(
  registry: RegistryState,
  presented: PresentedKey,
  nowMs: number,
): IngestAdmission | KeyRefusal {
  const found = listActiveKeys(registry, nowMs).find((one) =>
    one.kind === "server" ? one.hash === presented.hash : one.key === presented.key,
  );
  if (found?.kind === "server" && presented.origin !== undefined) return "server-key-in-browser";
  const project = found && findProject(registry, found.project);
  const isSameProject = (presented.project ?? project?.id) === project?.id;
  if (found === undefined || project === undefined || !isSameProject) return "unknown-key";
  if (found.kind === "public" && !isOriginAllowed(found, presented.origin))
    return "origin-not-allowed";
  if (project.archivedMs !== undefined) return "archived";
  const { kind: trust, perMinute, id: keyId } = found;
  return {
    project: project.id,
    trust,
    ...(perMinute && { perMinute }),
    ...(trust === "public" && { keyId }),
  };
}

/** The active keys of all projects. */
export function listActiveKeys(registry: RegistryState, nowMs: number): readonly IngestKey[] {
  return registry.keys.filter(({ expiresMs }) => isActive(expiresMs, nowMs));
}

/** The active public keys of all projects. */
export function listActivePublicKeys(registry: RegistryState, nowMs: number): readonly PublicKey[] {
  return listActiveKeys(registry, nowMs).filter((one) => one.kind === "public");
}

/** The hashes of the active server keys of a project. */
export function listServerKeyHashes(
  registry: RegistryState,
  project: string,
  nowMs: number,
): readonly string[] {
  const keys = listActiveKeys(registry, nowMs).filter((key) => key.project === project);
  return keys.flatMap((key) => (key.kind === "server" ? [key.hash] : []));
}

/**
 * True for an allowed origin, and for a request without one: only browsers send an origin, and
 * other clients could send any.
 */
function isOriginAllowed({ origins }: PublicKey, origin: string | undefined): boolean {
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
 * invalid. Source: RFC 6454 § 6.1.
 */
export function parseOrigin(text: string): string | null {
  if (text.length > limits.maxOriginChars) return null;
  const [, scheme = "", star = "", host = ""] =
    /^(https?):\/\/(\*\.)?([^/*?#@\s]+)\/?$/i.exec(text.trim()) ?? [];
  if (host === "" || !URL.canParse(`${scheme}://${host}`)) return null;
  const origin = new URL(`${scheme}://${host}`).origin;
  return star === "" ? origin : origin.replace("://", "://*.");
}
