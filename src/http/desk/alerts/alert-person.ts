/** Identifies the person of a request for the object of alerts. */
import { LOCAL_PERSON } from "../../../core/alerts/preferences.ts";
import type { AppContext } from "../../context.ts";

/** The key of the person in the object of alerts; `LOCAL_PERSON` under `ERRATA_LOCAL`. */
export function getPersonId(c: AppContext): string {
  const { person, actor } = c.get("principal");
  return person?.id ?? (actor.kind === "local" ? LOCAL_PERSON : "");
}

/** The role of the person in the project; null if the person has none. */
export function getRole(c: AppContext) {
  const { projects } = c.get("principal");
  return projects.find(({ project }) => project.id === c.get("project"))?.role ?? null;
}
