/** Names of people and projects. Others see them, so no two may look the same. */
import { type Actor, hasRole, listAccessibleProjects } from "./actors.ts";
import type { RegistryState } from "./registry.ts";

/**
 * The form in which names are compared: NFKC (UAX #15), without case, repeated spaces and
 * characters that are not displayed.
 */
export function toComparableName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** True if a member of these projects has this name. Ignores the person with the id `except`. */
export function isMemberName(
  { memberships, people }: RegistryState,
  name: string,
  { projects, except }: { projects: readonly string[]; except?: string },
): boolean {
  const compared = toComparableName(name);
  const members = new Set(
    memberships.filter(({ project }) => projects.includes(project)).map(({ person }) => person),
  );
  return people.some(
    (one) =>
      members.has(one.id) &&
      one.id !== except &&
      [one.name, one.accessName].some(
        (known) => known !== undefined && toComparableName(known) === compared,
      ),
  );
}

/**
 * True if a project that the actor can read has this name. Ignores the project `except`, and
 * projects that the actor cannot read, because the result would reveal their names.
 */
export function isProjectName(
  registry: RegistryState,
  actor: Actor,
  name: string,
  { nowMs, except }: { nowMs: number; except?: string },
): boolean {
  const compared = toComparableName(name);
  return listAccessibleProjects(registry, actor, nowMs).some(
    ({ project }) => project.id !== except && toComparableName(project.name) === compared,
  );
}

/**
 * The name; followed by a number, such as `Ada 2`, if a member of these projects has it already.
 */
export function toUniqueMemberName(
  registry: RegistryState,
  name: string,
  projects: readonly string[],
): string {
  let unique = name;
  for (let n = 2; isMemberName(registry, unique, { projects }); n++) unique = `${name} ${n}`;
  return unique;
}

/** The assignee under `ERRATA_LOCAL`, where one person uses Errata without an account. */
export const LOCAL_ASSIGNEE = "me";

/** The names of the members and owners of a project, in alphabetical order. */
export function listMemberNames(
  { memberships, people }: Pick<RegistryState, "memberships" | "people">,
  project: string,
): readonly string[] {
  const members = new Set(
    memberships
      .filter((one) => one.project === project && hasRole(one.role, "member"))
      .map(({ person }) => person),
  );
  return people
    .filter(({ id }) => members.has(id))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, "en"));
}
