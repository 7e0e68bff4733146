/**
 * Paths of projects: the first is at the root, others are below `/p/`. Desk links are written as if
 * for the first project.
 */

/** The project that always exists. It also receives Errata's own errors. */
export const FIRST_PROJECT_ID = "1";

/** The path of the API within a project. */
export const API_PATH = "/api/v1";

/** `/p/2`; empty for the first project. */
export function getProjectBasePath(project: string): string {
  return project === FIRST_PROJECT_ID ? "" : `/p/${project}`;
}

/** The project at a base path. */
export function getBasePathProject(base: string): string {
  return base === "" ? FIRST_PROJECT_ID : base.replace("/p/", "");
}

/** Paths outside of projects, or with an explicit project. */
const GLOBAL_PATHS = /^\/(p|sign-in|sign-out|profile|projects|theme|monitoring)(\/|\.|\?|#|$)/;

/** The path within the project at `base`. Global paths and paths with a project stay unchanged. */
export function toProjectPath(base: string, path: string): string {
  return path.startsWith("/") && !GLOBAL_PATHS.test(path) ? base + path : path;
}
