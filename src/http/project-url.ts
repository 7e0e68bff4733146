/** An address of the desk in the project that a request is about. */
import { getProjectBasePath, toProjectPath } from "../core/accounts/project-path.ts";
import { FIRST_PROJECT_ID } from "../core/accounts/registry.ts";
import type { AppContext } from "./context.ts";

/** The path in that project; as it is outside of any. */
export function toProjectUrl(c: AppContext, path: string): string {
  return toProjectPath(getProjectBasePath(c.get("project") ?? FIRST_PROJECT_ID), path);
}
