/**
 * Closes the live WebSockets of a project after a change that removes rights. Clients reconnect and
 * are authorized again.
 */
import {
  getRegistryChange,
  type RegistryChangeName,
} from "../../core/accounts/registry-changes.ts";
import type { AppContext } from "../context.ts";

/** Closes the sockets of these projects after the response, if the change removed rights. */
export function closeLiveSocketsAfter(
  c: AppContext,
  change: RegistryChangeName,
  projects: readonly string[],
): void {
  if (getRegistryChange(change).revokes) closeLiveSocketsOf(c, projects);
}

/** Closes the sockets of projects after the response: something lost its access to them. */
export function closeLiveSocketsOf(c: AppContext, projects: readonly string[] = []): void {
  const { forProject, waitUntil, logProblem } = c.get("services");
  for (const project of projects)
    waitUntil(forProject(project).closeLiveSockets().catch(logProblem));
}
