/**
 * Closes the live WebSockets of a project after a change that removes rights. Clients reconnect and
 * are authorized again.
 */
import type { RegistryChange } from "../../core/accounts/apply-change.ts";
import type { AppContext } from "../context.ts";

const REVOKING_ACTIONS: ReadonlySet<RegistryChange["do"]> = new Set([
  "set-role",
  "remove-member",
  "revoke-token",
  "delete-project",
  "end-session",
  "end-sessions",
]);

/** Closes the sockets of these projects after the response, if the change removed rights. */
export function closeLiveSocketsAfter(
  c: AppContext,
  action: RegistryChange["do"],
  projects: readonly string[],
): void {
  if (!REVOKING_ACTIONS.has(action)) return;
  const { forProject, waitUntil, logProblem } = c.get("services");
  for (const project of projects)
    waitUntil(forProject(project).closeLiveSockets().catch(logProblem));
}
