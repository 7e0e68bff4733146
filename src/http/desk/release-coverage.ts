/** The scripts in the stacks of a release, and which of them have a source map. */
import type { ScriptCoverage } from "../../core/ports/source-maps-port.ts";
import type { Services } from "../context.ts";

/**
 * The built scripts that the stacks of the release name. Rejects while the index or the object with
 * the maps is unavailable.
 */
export async function loadScriptCoverage(
  { projectStore, sourceMaps }: Pick<Services, "projectStore" | "sourceMaps">,
  release: string,
): Promise<readonly ScriptCoverage[]> {
  const scripts = await projectStore.listScripts(release);
  return scripts.length === 0 ? [] : sourceMaps.getCoverage(release, scripts);
}
