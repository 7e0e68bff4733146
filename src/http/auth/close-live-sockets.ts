/**
 * What follows when somebody may do less than before: whoever looks on over a WebSocket is let in
 * anew, or not.
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

/** Ends the watches of these projects behind the answer, where the change took rights away. */
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
