/** Names the installation and the project of an export, so that an import recognizes its own. */
import { toHex } from "../../../core/hex.ts";
import type { Services } from "../../context.ts";

/**
 * The source that the header line of a project's exports names, 32 hex digits. It changes only with
 * a new registry. Rejects while the registry is unavailable.
 */
export async function getExportSource(
  { registry, sha256 }: Pick<Services, "registry" | "sha256">,
  project: string,
): Promise<string> {
  const { secret } = await registry.readCopy();
  return toHex(sha256(`export source\n${secret}\n${project}`).subarray(0, 16));
}
