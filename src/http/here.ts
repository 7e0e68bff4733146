/** An address of the desk in the project that a request is about. */
import { inProject, projectBase } from "../core/project-path.ts";
import { FIRST_PROJECT } from "../core/registry/registry.ts";
import type { AppContext } from "./services.ts";

/** The path in that project; as it is outside of any. */
export function here(c: AppContext, path: string): string {
  return inProject(projectBase(c.get("project") ?? FIRST_PROJECT), path);
}
