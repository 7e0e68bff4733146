/** Where a project is: the first at the root, others below `/p/`. Addresses of the desk are written as if each were the first. */
import { FIRST_PROJECT } from "../core/registry/registry.ts";

/** `/p/2`; nothing for the first project. */
export function projectBase(project: string): string {
  return project === FIRST_PROJECT ? "" : `/p/${project}`;
}

/** A path of the desk within a project. What is in one already, and what belongs to none, stays as it is. */
export function projectPath(project: string, path: string): string {
  return /^\/(p|e|enter|me|projects)(\/|\?|#|$)/.test(path) ? path : projectBase(project) + path;
}
