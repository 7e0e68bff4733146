/** Checks the name of an assignee. */
import { LOCAL_ASSIGNEE, listMemberNames } from "../../../core/accounts/names.ts";
import { FIRST_PROJECT_ID } from "../../../core/accounts/registry.ts";
import type { AppContext } from "../../context.ts";

/**
 * True if a member of the project has this name, or for `LOCAL_ASSIGNEE` of local access. Rejects
 * while the registry is unavailable.
 */
export async function isMember(c: AppContext, name: string): Promise<boolean> {
  if (name === LOCAL_ASSIGNEE && c.get("principal").actor.kind === "local") return true;
  const { registry } = c.get("services");
  const project = c.get("project") ?? FIRST_PROJECT_ID;
  if (listMemberNames(await registry.readCopy(), project).includes(name)) return true;
  // The person may have just joined.
  return listMemberNames(await registry.readFresh(), project).includes(name);
}
