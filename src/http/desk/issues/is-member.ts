/** Checks the name of an assignee. */
import { listMemberNames } from "../../../core/accounts/list-member-names.ts";
import { FIRST_PROJECT_ID } from "../../../core/accounts/registry.ts";
import type { AppContext } from "../../context.ts";

/** True if a member of the project has this name. Rejects while the registry is unavailable. */
export async function isMember(c: AppContext, name: string): Promise<boolean> {
  const { registry } = c.get("services");
  const project = c.get("project") ?? FIRST_PROJECT_ID;
  if (listMemberNames(await registry.readCopy(), project).includes(name)) return true;
  // Perhaps one who has just joined.
  return listMemberNames(await registry.readFresh(), project).includes(name);
}
