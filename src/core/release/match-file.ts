/**
 * Finds the file of a repository that a frame names. A file in a stack has the path of the machine
 * that built or ran it, so paths are compared from their end.
 */

/** A file of a repository, in segments. */
export interface KnownFile {
  readonly segments: readonly string[];
}

/** Names of files that projects have in many folders, which say nothing without their folder. */
const COMMON_NAMES =
  /^(?:index|main|page|layout|route|server|client|app|mod|lib|utils?|helpers?|types|__init__|\+\w+|_\w+)$/;

/**
 * The file that shares most folders with a frame; none if two share as many. One shared folder is
 * enough. Without one, the name must be special, or one of the two paths must end there.
 */
export function findFile<File extends KnownFile>(
  frame: readonly string[],
  files: readonly File[],
): File | undefined {
  let found: File | undefined;
  let bestCount = 0;
  for (const file of files) {
    const count = countCommonEnd(frame, file.segments);
    if (count === 0 || count < bestCount) continue;
    // Two of the same length are none, until a longer one.
    found = count === bestCount ? undefined : file;
    bestCount = count;
  }
  if (found === undefined) return undefined;
  if (bestCount > 1) return found;
  const isWhole = bestCount === frame.length || bestCount === found.segments.length;
  return isWhole || !COMMON_NAMES.test(toStem(frame.at(-1) ?? "")) ? found : undefined;
}

function countCommonEnd(frame: readonly string[], file: readonly string[]): number {
  let count = 0;
  while (count < Math.min(frame.length, file.length)) {
    const [a = "", b = ""] = [frame.at(-1 - count), file.at(-1 - count)];
    if (!(count === 0 ? isSameFile(a, b) : isSameFolder(a, b))) break;
    count++;
  }
  return count;
}

/** A stack without its source map names the script that was compiled from the file. */
function isSameFile(frame: string, file: string): boolean {
  if (frame === file) return true;
  return (
    toStem(frame) === toStem(file) &&
    /\.[cm]?jsx?$/.test(frame) &&
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee)$/.test(file)
  );
}

/** The output of a compiler has the place of its sources. */
function isSameFolder(frame: string, file: string): boolean {
  return frame === file || (file === "src" && /^(?:dist|build|out|lib)$/.test(frame));
}

/** The name without its extension. */
function toStem(name: string): string {
  return name.replace(/\.\w+$/, "");
}
