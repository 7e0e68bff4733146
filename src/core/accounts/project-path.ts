/** Where a project is: the first at the root, others below `/p/`. Addresses of the desk are written as if each were the first. */
import { FIRST_PROJECT_ID } from "./registry.ts";

/** `/p/2`; nothing for the first project. */
export function getProjectBasePath(project: string): string {
  return project === FIRST_PROJECT_ID ? "" : `/p/${project}`;
}

/** What is of no project, or says itself of which. */
const GLOBAL_PATHS = /^\/(p|enter|leave|me|projects|theme|monitoring)(\/|\.|\?|#|$)/;

/** A path of the desk in the project at `base`. What is in one already, and what belongs to none, stays as it is. */
export function toProjectPath(base: string, path: string): string {
  return path.startsWith("/") && !GLOBAL_PATHS.test(path) ? base + path : path;
}
