import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder that is removed when this process ends. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "errata-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
