/**
 * Authenticates a request: API token, then Cloudflare Access, then session. If the first credential
 * present is invalid, the request is unauthenticated; later ones are not tried.
 */

import { ACCESS_HEADER } from "../../auth/cloudflare-access.ts";
import {
  type Actor,
  findGrant,
  findPerson,
  getActorId,
  getActorName,
  getExpiry,
  getLowestTrust,
  getUploadPermission,
  getUploadProject,
  hasOwner,
  isAuthenticated,
  listAccessibleProjects,
} from "../../core/accounts/actors.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import type { RegistryState } from "../../core/accounts/registry.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { findMcpResource } from "../../core/oauth/resources.ts";
import { TOKEN_PREFIX, UPLOAD_TOKEN_PREFIX } from "../../core/scrubbing/own-secrets.ts";
import type { AppContext, Principal } from "../context.ts";
import { isIssuedAccessToken } from "./access-token.ts";
import { isLoopbackRequest } from "./loopback.ts";
import { isSecureOrLoopback, readSessionCookie, verifySessionCookie } from "./session-cookie.ts";

/**
 * The principal of a request; null if unauthenticated. `acceptsUploads` if it may be an upload
 * token. `project` is that of the request. Rejects while the registry or the keys of Cloudflare Access are unavailable.
 */
export async function authenticate(
  c: AppContext,
  acceptsUploads = false,
  project = FIRST_PROJECT_ID,
): Promise<Principal | null> {
  const { registry, nowMs } = c.get("services");
  const found = await identifyActor(c, acceptsUploads);
  if (found === null) return null;
  const { actor, registry: known } = found;
  const seen = known ?? (await registry.readCopy());
  return {
    actor,
    person: findPerson(seen, actor, nowMs()),
    endsMs: found.endsMs ?? getExpiry(seen, actor),
    name: getActorName(seen, actor, nowMs()),
    lowestTrust: getLowestTrust(seen, actor),
    uploadProject: acceptsUploads ? getUploadProject(seen, actor, nowMs()) : undefined,
    mayUpload: getUploadPermission(seen, actor, project, nowMs()),
    projects: listAccessibleProjects(seen, actor, nowMs()),
  };
}

interface Identification {
  readonly actor: Actor;
  /** The registry that contains it. */
  readonly registry?: RegistryState;
  /** When its assertion expires. */
  readonly endsMs?: number;
}

async function identifyActor(
  c: AppContext,
  acceptsUploads: boolean,
): Promise<Identification | null> {
  const { config } = c.get("services");
  const token = readBearerToken(c);
  if (token !== undefined)
    return isSecureOrLoopback(c) ? authenticateToken(c, token, acceptsUploads) : null;
  const assertion = c.req.header(ACCESS_HEADER);
  if (config.access !== undefined && assertion !== undefined)
    return authenticateAccess(c, assertion);
  const session = readSessionCookie(c);
  const found = session === undefined ? null : await authenticateSession(c, session);
  if (found !== null) return found;
  return config.isLocalOpen && isLoopbackRequest(c.req.raw) ? { actor: { kind: "local" } } : null;
}

/** True for an API token over plain HTTP: others on the network can read it. */
export function hasInsecureToken(c: AppContext): boolean {
  return readBearerToken(c) !== undefined && !isSecureOrLoopback(c);
}

/**
 * The token in `Authorization: Bearer errata_…` or `sntrys_…`. The second kind only uploads, and
 * authenticates nothing else. Ingest keys use the same header.
 */
export function readBearerToken(c: AppContext): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  const isToken = token?.startsWith(TOKEN_PREFIX) || token?.startsWith(UPLOAD_TOKEN_PREFIX);
  return isToken ? token : undefined;
}

async function authenticateToken(
  c: AppContext,
  token: string,
  acceptsUploads: boolean,
): Promise<Identification | null> {
  const { registry, sha256, nowMs } = c.get("services");
  const isUpload = token.startsWith(UPLOAD_TOKEN_PREFIX);
  if (isUpload && !acceptsUploads) return null;
  if (token.length > (isUpload ? limits.maxUploadTokenChars : limits.maxCredentialChars))
    return null;
  const actor = { kind: "token", hash: toHex(sha256(token)) } as const;
  const { secret } = await registry.readCopy();
  const issuedName = isIssuedAccessToken(token, secret) ? actor.hash : undefined;
  const contains = (seen: RegistryState) =>
    isUpload
      ? getUploadProject(seen, actor, nowMs()) !== undefined
      : isAuthenticated(seen, actor, nowMs());
  const known = await getRegistryKnowing(c, contains, issuedName);
  const id = known === null ? undefined : getActorId(known, actor, nowMs());
  if (known === null || id === undefined || !isForPath(c, known, actor)) return null;
  registry.recordUse(id);
  return { actor, registry: known };
}

/** False for a token of one resource at the address of another (RFC 8707 § 2). */
function isForPath(
  c: AppContext,
  known: RegistryState,
  { hash }: Extract<Actor, { readonly kind: "token" }>,
): boolean {
  const grant = findGrant(known, hash, c.get("services").nowMs());
  return !grant?.isForMcp || findMcpResource(c.req.path)?.project === grant.project;
}

async function authenticateAccess(
  c: AppContext,
  assertion: string,
): Promise<Identification | null> {
  const { registry, verifyAccess, config } = c.get("services");
  const identity = await verifyAccess(assertion);
  if (identity === null) return null;
  const { isService, expiresMs: endsMs } = identity;
  // Local parts are case-sensitive in theory, but identity providers treat them as one person.
  const name = identity.name.toLowerCase();
  const actor = { kind: "access", name } as const;
  const ownership = selectOwnership(name, isService, config.access?.owner);
  const known = await getRegistryWithActor(c, actor, name);
  const isMissingOwner =
    ownership === "granted" && known !== null && !hasOwner(known, FIRST_PROJECT_ID);
  if (known !== null && !isMissingOwner) return { actor, registry: known, endsMs };
  // The first request of this person through Access.
  const result = await registry.applyChange(null, { do: "access-sign-in", name, ownership });
  return result.ok ? { actor, endsMs } : null;
}

/** Only the configured owner, or the first person if none is configured, becomes an owner. */
function selectOwnership(name: string, isService: boolean, owner: string | undefined) {
  if (isService) return "never";
  if (owner === undefined) return "if-none";
  return owner === name ? "granted" : "never";
}

async function authenticateSession(c: AppContext, sealed: string): Promise<Identification | null> {
  const { registry } = c.get("services");
  const id = verifySessionCookie(sealed, (await registry.readCopy()).secret);
  if (id === null) return null;
  const actor = { kind: "session", id } as const;
  const known = await getRegistryWithActor(c, actor, id);
  if (known === null) return null;
  registry.recordUse(id);
  return { actor, registry: known };
}

function getRegistryWithActor(c: AppContext, actor: Actor, verifiedName: string) {
  const { nowMs } = c.get("services");
  return getRegistryKnowing(c, (seen) => isAuthenticated(seen, actor, nowMs()), verifiedName);
}

/**
 * The registry that contains an actor: the cached copy, otherwise the current one (the actor may be
 * newer than the copy). Null if neither contains it.
 */
async function getRegistryKnowing(
  c: AppContext,
  contains: (registry: RegistryState) => boolean,
  verifiedName?: string,
): Promise<RegistryState | null> {
  const { registry } = c.get("services");
  const copy = await registry.readCopy();
  if (contains(copy)) return copy;
  const now = await registry.readFresh(verifiedName);
  return contains(now) ? now : null;
}
