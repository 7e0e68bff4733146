/** Prefixes a path with the project of the request. */
import {
  FIRST_PROJECT_ID,
  getProjectBasePath,
  toProjectPath,
} from "../core/accounts/project-path.ts";
import type { AppContext } from "./context.ts";

/** The path within the project of the request; unchanged outside of projects. */
export function toProjectUrl(c: AppContext, path: string): string {
  return toProjectPath(getProjectBasePath(c.get("project") ?? FIRST_PROJECT_ID), path);
}
