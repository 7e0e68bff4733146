/** Actors: the proven identities of requests, their people and their roles in projects. */
import type { Trust } from "../trust/trust.ts";
import {
  type ApiToken,
  findProject,
  type Grant,
  type Person,
  type Project,
  type RegistryState,
  ROLES,
  type Role,
  type Session,
} from "./registry.ts";

/**
 * The proven identity of a request. `local` is a request on the same machine, if `ERRATA_LOCAL`
 * permits it.
 */
export type Actor =
  | { readonly kind: "local" }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "access"; readonly name: string }
  /** `hash` is the hash of an API token, or of the access token of a grant. */
  | { readonly kind: "token"; readonly hash: string };

/** True if `role` includes the permissions of `required`. */
export function hasRole(role: Role | null, required: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/**
 * The actor's role in an existing project; null if it has none. An upload token has no role.
 */
export function getRoleInProject(
  registry: RegistryState,
  actor: Actor,
  project: string,
  nowMs: number,
): Role | null {
  if (findProject(registry, project) === undefined) return null;
  switch (actor.kind) {
    case "local":
      return "owner";
    case "token": {
      const token = findToken(registry, actor.hash, nowMs);
      if (token !== undefined) return getTokenRole(registry, token, project);
      const grant = findGrant(registry, actor.hash, nowMs);
      return grant === undefined ? null : getGrantRole(registry, grant, project);
    }
    case "session":
    case "access": {
      return getPersonRole(registry, findPerson(registry, actor, nowMs)?.id, project);
    }
  }
}

function getPersonRole(
  { memberships }: RegistryState,
  person: string | undefined,
  project: string,
): Role | null {
  return memberships.find((one) => one.person === person && one.project === project)?.role ?? null;
}

/** The role of a token. In other projects it has at most that of the person who created it. */
function getTokenRole(
  registry: RegistryState,
  { role, project: own, isForAllProjects, byPerson }: ApiToken,
  project: string,
): Role | null {
  if (role === "uploader") return null;
  if (isForAllProjects !== true) return own === project ? role : null;
  return limitRole(role, getPersonRole(registry, byPerson, project));
}

/** The role of a grant: in its projects, with at most the role that its person has now. */
function getGrantRole(
  registry: RegistryState,
  { role, person, project: only }: Grant,
  project: string,
): Role | null {
  if (only !== undefined && only !== project) return null;
  return limitRole(role, getPersonRole(registry, person, project));
}

function limitRole(role: Role, most: Role | null): Role | null {
  return hasRole(most, role) ? role : most;
}

/**
 * The lowest trust of reported text that the actor may read as a program; undefined for people, who
 * read all of it.
 */
export function getLowestTrust(registry: RegistryState, actor: Actor): Trust | undefined {
  if (actor.kind !== "token") return undefined;
  return findEntry(registry, actor.hash)?.lowestTrust ?? "public";
}

/** True if a project has an owner. */
export function hasOwner({ memberships }: RegistryState, project: string): boolean {
  return memberships.some((one) => one.project === project && one.role === "owner");
}

/**
 * When the actor's session or token expires, in ms; undefined if it does not, or if the registry
 * does not know.
 */
export function getExpiry(registry: RegistryState, actor: Actor): number | undefined {
  switch (actor.kind) {
    case "session":
      return registry.sessions.find(({ id }) => id === actor.id)?.expiresMs;
    case "token": {
      const entry = findEntry(registry, actor.hash);
      return entry !== undefined && "access" in entry ? entry.access?.expiresMs : entry?.expiresMs;
    }
    default:
      return undefined;
  }
}

/**
 * The person of a session or an Access identity; undefined for tokens, local access and expired
 * sessions.
 */
export function findPerson(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): Person | undefined {
  switch (actor.kind) {
    case "session": {
      const session = findSession(registry, actor.id, nowMs);
      return registry.people.find(({ id }) => id === session?.person);
    }
    case "access":
      return registry.people.find(({ accessName }) => accessName === actor.name);
    default:
      return undefined;
  }
}

/** The unexpired session with this id. */
function findSession(registry: RegistryState, id: string, nowMs: number): Session | undefined {
  return registry.sessions.find((session) => session.id === id && session.expiresMs > nowMs);
}

/** The active token with this hash. */
function findToken(registry: RegistryState, hash: string, nowMs: number): ApiToken | undefined {
  return registry.tokens.find((one) => one.hash === hash && isActive(one.expiresMs, nowMs));
}

/** The API token or the grant with this hash, also an expired one. */
function findEntry({ tokens, grants }: RegistryState, hash: string): ApiToken | Grant | undefined {
  return (
    tokens.find((one) => one.hash === hash) ?? grants?.find(({ access }) => access?.hash === hash)
  );
}

/** The grant whose access token has this hash, if both are active and its person still exists. */
export function findGrant(
  { grants = [], people }: RegistryState,
  hash: string,
  nowMs: number,
): Grant | undefined {
  const grant = grants.find(({ access }) => access?.hash === hash);
  if (grant?.access === undefined) return undefined;
  const isUsable = isActive(grant.expiresMs, nowMs) && isActive(grant.access.expiresMs, nowMs);
  return isUsable && people.some(({ id }) => id === grant.person) ? grant : undefined;
}

/**
 * The active token with this hash and its project; null if there is none. It may upload unless it
 * is a viewer's.
 */
export function findTokenProject(
  registry: RegistryState,
  hash: string,
  nowMs: number,
): { readonly token: ApiToken; readonly project: Project } | null {
  const token = findToken(registry, hash, nowMs);
  const project = token && findProject(registry, token.project);
  return token && project ? { token, project } : null;
}

/** The project of an active upload token, which has no role; undefined for any other actor. */
export function getUploadProject(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): string | undefined {
  if (actor.kind !== "token") return undefined;
  const found = findTokenProject(registry, actor.hash, nowMs);
  return found?.token.role === "uploader" ? found.project.id : undefined;
}

/**
 * Whether a program may upload to a project, if its grant says so; undefined if the role of the
 * actor decides. Only people with the role of a member can let programs upload.
 */
export function getUploadPermission(
  registry: RegistryState,
  actor: Actor,
  project: string,
  nowMs: number,
): boolean | undefined {
  const grant = actor.kind === "token" ? findGrant(registry, actor.hash, nowMs) : undefined;
  if (grant?.mayUpload === undefined) return undefined;
  const isInside = grant.project === undefined || grant.project === project;
  const role = getPersonRole(registry, grant.person, project);
  return grant.mayUpload && isInside && hasRole(role, "member");
}

/** True for a known person, an active token with a role, or local access. */
export function isAuthenticated(registry: RegistryState, actor: Actor, nowMs: number): boolean {
  if (actor.kind === "local") return true;
  if (actor.kind !== "token") return findPerson(registry, actor, nowMs) !== undefined;
  const token = findToken(registry, actor.hash, nowMs);
  if (token !== undefined) return token.role !== "uploader";
  return findGrant(registry, actor.hash, nowMs) !== undefined;
}

/**
 * The projects that an actor can read, each with the actor's role, in the order of the registry.
 */
export function listAccessibleProjects(registry: RegistryState, actor: Actor, nowMs: number) {
  return registry.projects.flatMap((project) => {
    const role = getRoleInProject(registry, actor, project.id, nowMs);
    return role === null ? [] : [{ project, role }];
  });
}

/**
 * The display name of an actor: a person's or token's name, `Ada via Claude Code` for a program
 * that Ada connected; undefined for local access.
 */
export function getActorName(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): string | undefined {
  if (actor.kind === "token") {
    const entry = findEntry(registry, actor.hash);
    if (entry === undefined || !("person" in entry)) return entry?.name;
    const person = registry.people.find(({ id }) => id === entry.person);
    return `${person?.name ?? ""} via ${entry.name}`.trimStart();
  }
  return findPerson(registry, actor, nowMs)?.name;
}

/**
 * The id of an actor's person, token or grant; undefined for local access. Unlike names, ids are
 * unique and do not change.
 */
export function getActorId(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): string | undefined {
  if (actor.kind === "token") return findEntry(registry, actor.hash)?.id;
  return findPerson(registry, actor, nowMs)?.id;
}

/** True if `nowMs` is before `expiresMs`, and if there is no `expiresMs`. */
export function isActive(expiresMs: number | undefined, nowMs: number): boolean {
  return expiresMs === undefined || expiresMs > nowMs;
}
