/** Who somebody is to the registry, and how far that goes. */
import { type Person, type Registry, ROLES, type Role, type Session } from "./registry.ts";

/**
 * As whom a request comes, as far as it has proved it. `local` sits at the machine that runs Errata, where that is enough
 * (`ERRATA_LOCAL`).
 */
export type Actor =
  | { readonly is: "local" }
  | { readonly is: "session"; readonly id: string }
  | { readonly is: "access"; readonly name: string }
  /** `hash` is that of an API token. */
  | { readonly is: "token"; readonly hash: string };

/** True when `role` may do what needs `needed`. */
export function reaches(role: Role | null, needed: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The role of an actor in a project that there is; null for none. A token has the role that it was given, in its own project alone. */
export function roleIn(
  registry: Registry,
  actor: Actor,
  project: string,
  nowMs: number,
): Role | null {
  if (!registry.projects.some(({ id }) => id === project)) return null;
  switch (actor.is) {
    case "local":
      return "owner";
    case "token":
      return (
        registry.tokens.find(
          (token) =>
            token.hash === actor.hash && token.project === project && isGood(token.endsMs, nowMs),
        )?.role ?? null
      );
    case "session":
    case "access": {
      const person = personOf(registry, actor, nowMs);
      const membership = registry.memberships.find(
        (one) => one.person === person?.id && one.project === project,
      );
      return membership?.role ?? null;
    }
  }
}

/** The person behind a session or behind Access; undefined for programs, for whoever is local, and for a session that has ended. */
export function personOf(registry: Registry, actor: Actor, nowMs: number): Person | undefined {
  switch (actor.is) {
    case "session": {
      const session = sessionOf(registry, actor.id, nowMs);
      return registry.people.find(({ id }) => id === session?.person);
    }
    case "access":
      return registry.people.find(({ access }) => access === actor.name);
    default:
      return undefined;
  }
}

/** The session with this id, as long as it has not ended. */
export function sessionOf(registry: Registry, id: string, nowMs: number): Session | undefined {
  return registry.sessions.find((session) => session.id === id && session.endsMs > nowMs);
}

/** True when an actor is known at all: a person, a token that is good, or whoever is local. */
export function isKnown(registry: Registry, actor: Actor, nowMs: number): boolean {
  if (actor.is === "local") return true;
  if (actor.is !== "token") return personOf(registry, actor, nowMs) !== undefined;
  return registry.tokens.some(({ hash, endsMs }) => hash === actor.hash && isGood(endsMs, nowMs));
}

/** The projects in which an actor may read, with its role in each, in their order. */
export function projectsOf(registry: Registry, actor: Actor, nowMs: number) {
  return registry.projects.flatMap((project) => {
    const role = roleIn(registry, actor, project.id, nowMs);
    return role === null ? [] : [{ project, role }];
  });
}

/** What others are shown of who did something: a person's name, a token's, or nothing of whoever is local. */
export function nameOf(registry: Registry, actor: Actor, nowMs: number): string | undefined {
  if (actor.is === "token") {
    return registry.tokens.find(({ hash }) => hash === actor.hash)?.name;
  }
  return personOf(registry, actor, nowMs)?.name;
}

/** The id of the person or the token behind an actor; a name may change, and be another's too. */
export function idOf(registry: Registry, actor: Actor, nowMs: number): string | undefined {
  if (actor.is === "token") return registry.tokens.find(({ hash }) => hash === actor.hash)?.id;
  return personOf(registry, actor, nowMs)?.id;
}

/** True until `endsMs`; for good where there is none. */
export function isGood(endsMs: number | undefined, nowMs: number): boolean {
  return endsMs === undefined || endsMs > nowMs;
}
