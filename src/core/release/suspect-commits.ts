/**
 * The commits of a release that may have caused an issue which is new in it: those that changed a
 * file of its stack.
 */

import { splitPath } from "../symbolication/file-candidates.ts";
import { findFile, type KnownFile } from "./match-file.ts";
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

/** A changed path, once for all commits that changed it. */
interface ChangedFile extends KnownFile {
  readonly path: string;
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
    const file = findFile(toSegments(frame), changed);
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
