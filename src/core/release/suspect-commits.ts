/**
 * The commits of a release that may have caused an issue which is new in it: those that changed a
 * file of its stack. A file in a stack has the path of the machine that built or ran it, so paths
 * are compared from their end.
 */
import { splitPath } from "../symbolication/file-candidates.ts";
import type { ReleaseCommit } from "./release-facts.ts";

/** A frame of a stack, the newest call first. */
export interface SuspectFrame {
  /** The path or URL of the original file. */
  readonly file?: string | undefined;
  /** The module, as Java and Python name it: `com.acme.shop.Cart`. */
  readonly module?: string | undefined;
  readonly inApp: boolean;
}

/** A commit, and the frame of which it changed the file. */
export interface SuspectCommit {
  readonly commit: ReleaseCommit;
  /** The path in the repository. */
  readonly file: string;
  /** The position of the frame in the stack, from 0. */
  readonly frame: number;
}

/** Suspects of one issue. */
const MAX_SUSPECTS = 3;
/** Names of files that projects have in many folders, which say nothing without their folder. */
const COMMON_NAMES =
  /^(?:index|main|page|layout|route|server|client|app|mod|lib|utils?|helpers?|types|__init__|\+\w+|_\w+)$/;

/** A changed path, once for all commits that changed it. */
interface ChangedFile {
  readonly path: string;
  readonly segments: readonly string[];
  readonly commits: readonly ReleaseCommit[];
}

/**
 * At most three commits: those of the frame that is nearest to the error first, then the newest.
 * Only frames of the application count, or all if the stack has none. `commits` are in any order;
 * those without a time come last.
 */
export function findSuspectCommits(
  frames: readonly SuspectFrame[],
  commits: readonly ReleaseCommit[],
): readonly SuspectCommit[] {
  const changed = listChangedFiles(commits);
  if (changed.length === 0) return [];
  const hasOwn = frames.some(({ inApp }) => inApp);
  const suspects = new Map<ReleaseCommit, SuspectCommit>();
  for (const [index, frame] of frames.entries()) {
    if (hasOwn && !frame.inApp) continue;
    const file = findChangedFile(toSegments(frame), changed);
    for (const commit of file?.commits ?? []) {
      if (suspects.size === MAX_SUSPECTS) return [...suspects.values()];
      if (file !== undefined && !suspects.has(commit))
        suspects.set(commit, { commit, file: file.path, frame: index });
    }
  }
  return [...suspects.values()];
}

function listChangedFiles(commits: readonly ReleaseCommit[]): readonly ChangedFile[] {
  const byPath = new Map<string, ReleaseCommit[]>();
  for (const commit of commits.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0))) {
    for (const path of new Set(commit.files)) {
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, [commit]);
      else known.push(commit);
    }
  }
  return Array.from(byPath, ([path, changedBy]) => ({
    path,
    segments: splitPath(path),
    commits: changedBy,
  }));
}

/** The path of a frame; for a file without folders, with the packages of its module. */
function toSegments({ file, module }: SuspectFrame): readonly string[] {
  const segments = file === undefined ? [] : splitPath(file).filter((part) => part !== "..");
  const packages = module !== undefined && /^\w+(?:\.\w+)+$/.test(module) ? module.split(".") : [];
  return segments.length === 1 ? [...packages.slice(0, -1), ...segments] : segments;
}

/**
 * The changed file that shares most folders with a frame; none if two share as many. One shared
 * folder is enough. Without one, the name must be special, or one of the two paths must end there.
 */
function findChangedFile(
  frame: readonly string[],
  changed: readonly ChangedFile[],
): ChangedFile | undefined {
  let found: ChangedFile | undefined;
  let bestCount = 0;
  for (const file of changed) {
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
function isSameFile(frame: string, changed: string): boolean {
  if (frame === changed) return true;
  return (
    toStem(frame) === toStem(changed) &&
    /\.[cm]?jsx?$/.test(frame) &&
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee)$/.test(changed)
  );
}

/** The output of a compiler has the place of its sources. */
function isSameFolder(frame: string, changed: string): boolean {
  return frame === changed || (changed === "src" && /^(?:dist|build|out|lib)$/.test(frame));
}

/** The name without its extension. */
function toStem(name: string): string {
  return name.replace(/\.\w+$/, "");
}
