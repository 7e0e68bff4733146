/** What follows when somebody may do less than before: whoever looks on over a WebSocket is let in anew, or not. */
import type { RegistryChange } from "../core/registry/change.ts";
import type { AppContext } from "./services.ts";

const TAKES_RIGHTS: ReadonlySet<RegistryChange["do"]> = new Set([
  "set-role",
  "remove-member",
  "revoke-token",
  "delete-project",
  "end-session",
  "end-sessions",
]);

/** Ends the watches of these projects behind the answer, where the change took rights away. */
export function dismissAfter(
  c: AppContext,
  deed: RegistryChange["do"],
  projects: readonly string[],
): void {
  if (!TAKES_RIGHTS.has(deed)) return;
  const { of, after, logProblem } = c.get("services");
  for (const project of projects) after(of(project).dismissWatchers().catch(logProblem));
}
