/**
 * A stack as it is read: the frame that threw, the application's own frames, and between them runs of library frames that
 * one folds away. Pure; it never drops or reorders a frame.
 */
import type { Frame } from "../../../core/report.ts";

/** Neighbouring frames that are shown together. `first` is the index of its first frame in the whole stack. */
export interface FrameGroup {
  readonly firstIndex: number;
  readonly frames: readonly Frame[];
  /** Two or more library frames; the frame that threw is never folded. */
  readonly isFolded: boolean;
}

/** The runs of `frames`, whose frames put together are `frames`. */
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

/** Where the run that begins at `first` ends (exclusive). Frame 0 is a run of its own. */
function findGroupEnd(frames: readonly Frame[], first: number): number {
  if (first === 0) return 1;
  const inApp = frames[first]?.inApp;
  let end = first + 1;
  while (end < frames.length && frames[end]?.inApp === inApp) end += 1;
  return end;
}

/** The packages that `frames` are in, each once, in their order: `["react-dom", "@hono/node"]`. */
export function listPackages(frames: readonly Frame[]): readonly string[] {
  const names = frames.map(({ file }) => parsePackage(file)).filter((name) => name !== undefined);
  return [...new Set(names)];
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** The innermost package of a path; `node` for Node's own modules. */
function parsePackage(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (file.startsWith("node:")) return "node";
  return PACKAGE.exec(file)?.[1];
}
