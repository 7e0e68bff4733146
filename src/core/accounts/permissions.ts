/** Who somebody is to the registry, and how far that goes. */
import { type Person, type RegistryState, ROLES, type Role, type Session } from "./registry.ts";

/**
 * As whom a request comes, as far as it has proved it. `local` sits at the machine that runs Errata, where that is enough
 * (`ERRATA_LOCAL`).
 */
export type Actor =
  | { readonly kind: "local" }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "access"; readonly name: string }
  /** `hash` is that of an API token. */
  | { readonly kind: "token"; readonly hash: string };

/** True when `role` may do what needs `needed`. */
export function hasRole(role: Role | null, required: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** The role of an actor in a project that there is; null for none. A token has the role that it was given, in its own project alone. */
export function getRoleInProject(
  registry: RegistryState,
  actor: Actor,
  project: string,
  nowMs: number,
): Role | null {
  if (!registry.projects.some(({ id }) => id === project)) return null;
  switch (actor.kind) {
    case "local":
      return "owner";
    case "token":
      return (
        registry.tokens.find(
          (token) =>
            token.hash === actor.hash &&
            token.project === project &&
            isActive(token.expiresMs, nowMs),
        )?.role ?? null
      );
    case "session":
    case "access": {
      const person = findPerson(registry, actor, nowMs);
      const membership = registry.memberships.find(
        (one) => one.person === person?.id && one.project === project,
      );
      return membership?.role ?? null;
    }
  }
}

/** The person behind a session or behind Access; undefined for programs, for whoever is local, and for a session that has ended. */
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

/** The session with this id, as long as it has not ended. */
export function findSession(
  registry: RegistryState,
  id: string,
  nowMs: number,
): Session | undefined {
  return registry.sessions.find((session) => session.id === id && session.expiresMs > nowMs);
}

/** True when an actor is known at all: a person, a token that is good, or whoever is local. */
export function isAuthenticated(registry: RegistryState, actor: Actor, nowMs: number): boolean {
  if (actor.kind === "local") return true;
  if (actor.kind !== "token") return findPerson(registry, actor, nowMs) !== undefined;
  return registry.tokens.some(
    ({ hash, expiresMs }) => hash === actor.hash && isActive(expiresMs, nowMs),
  );
}

/** The projects in which an actor may read, with its role in each, in their order. */
export function listAccessibleProjects(registry: RegistryState, actor: Actor, nowMs: number) {
  return registry.projects.flatMap((project) => {
    const role = getRoleInProject(registry, actor, project.id, nowMs);
    return role === null ? [] : [{ project, role }];
  });
}

/** What others are shown of who did something: a person's name, a token's, or nothing of whoever is local. */
export function getActorName(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): string | undefined {
  if (actor.kind === "token") {
    return registry.tokens.find(({ hash }) => hash === actor.hash)?.name;
  }
  return findPerson(registry, actor, nowMs)?.name;
}

/** The id of the person or the token behind an actor; a name may change, and be another's too. */
export function getActorId(
  registry: RegistryState,
  actor: Actor,
  nowMs: number,
): string | undefined {
  if (actor.kind === "token") return registry.tokens.find(({ hash }) => hash === actor.hash)?.id;
  return findPerson(registry, actor, nowMs)?.id;
}

/** True until `endsMs`; for good where there is none. */
export function isActive(expiresMs: number | undefined, nowMs: number): boolean {
  return expiresMs === undefined || expiresMs > nowMs;
}
