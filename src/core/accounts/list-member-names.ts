/** The people to whom the issues of a project can be assigned. */
import { hasRole } from "./actors.ts";
import type { RegistryState } from "./registry.ts";

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
