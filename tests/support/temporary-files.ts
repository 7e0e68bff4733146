/**
 * Where tests keep the files of Durable Objects, KV and browsers. On a disk each transaction of
 * SQLite waits for the write, which takes longer than most tests.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY_FOLDER = "/dev/shm";
/** The tests need about 300 MB; a container often has 64 MB. */
const MIN_FREE_BYTES = 2_000_000_000;

/**
 * Keeps the temporary files of this process and of those that it starts in memory, if the machine
 * has enough of it. The files are removed when this process ends.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!isRoomy()) return;
  const folder = mkdtempSync(join(MEMORY_FOLDER, "errata-tests-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function isRoomy(): boolean {
  if (process.platform !== "linux" || process.availableMemory() < 2 * MIN_FREE_BYTES) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MIN_FREE_BYTES;
  } catch {
    // Not every Linux has it.
    return false;
  }
}
