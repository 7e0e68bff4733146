/** Names the installation and the project of an export, so that an import recognizes its own. */
import { toHex } from "../../../core/hex.ts";
import type { AppContext } from "../../context.ts";

/**
 * The source that the header line of this project's exports names, 32 hex digits. It changes only
 * with a new registry. Rejects while the registry is unavailable.
 */
export async function getExportSource(c: AppContext): Promise<string> {
  const { registry, sha256 } = c.get("services");
  const { secret } = await registry.readCopy();
  return toHex(sha256(`export source\n${secret}\n${c.get("project")}`).subarray(0, 16));
}
