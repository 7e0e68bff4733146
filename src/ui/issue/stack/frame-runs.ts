/**
 * Groups the frames of a stack for display: the frame that threw, runs of application frames, and
 * runs of library frames to collapse. Pure; never drops or reorders a frame.
 */
import type { Frame } from "../../../core/report.ts";

/** Consecutive frames shown together. `firstIndex` is the stack index of the first one. */
export interface FrameGroup {
  readonly firstIndex: number;
  readonly frames: readonly Frame[];
  /** Two or more library frames. The frame that threw is never collapsed. */
  readonly isFolded: boolean;
}

/** The groups of `frames`. Concatenated, they are `frames`. */
export function groupFrames(frames: readonly Frame[]): readonly FrameGroup[] {
  const groups: FrameGroup[] = [];
  let first = 0;
  while (first < frames.length) {
    const end = findGroupEnd(frames, first);
    const group = frames.slice(first, end);
    groups.push({
      firstIndex: first,
      frames: group,
      isFolded: group.length > 1 && group[0]?.inApp === false,
    });
    first = end;
  }
  return groups;
}

/** The end (exclusive) of the group that begins at `first`. Frame 0 is a separate group. */
function findGroupEnd(frames: readonly Frame[], first: number): number {
  if (first === 0) return 1;
  const inApp = frames[first]?.inApp;
  let end = first + 1;
  while (end < frames.length && frames[end]?.inApp === inApp) end += 1;
  return end;
}

/** The distinct packages of `frames` in order: `["react-dom", "@hono/node"]`. */
export function listPackages(frames: readonly Frame[]): readonly string[] {
  const names = frames.map(({ file }) => parsePackage(file)).filter((name) => name !== undefined);
  return [...new Set(names)];
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** The innermost package of a path; `node` for Node's built-in modules. */
function parsePackage(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (file.startsWith("node:")) return "node";
  return PACKAGE.exec(file)?.[1];
}
