/**
 * A stack as it is read: the frame that threw, the application's own frames, and between them runs of library frames that
 * one folds away. Pure; it never drops or reorders a frame.
 */
import type { Frame } from "../../core/report.ts";

/** Neighbouring frames that are shown together. `first` is the index of its first frame in the whole stack. */
export interface FrameRun {
  readonly first: number;
  readonly frames: readonly Frame[];
  /** Two or more library frames; the frame that threw is never folded. */
  readonly folded: boolean;
}

/** The runs of `frames`, whose frames put together are `frames`. */
export function frameRuns(frames: readonly Frame[]): readonly FrameRun[] {
  const runs: FrameRun[] = [];
  let first = 0;
  while (first < frames.length) {
    const end = endOfRun(frames, first);
    const run = frames.slice(first, end);
    runs.push({ first, frames: run, folded: run.length > 1 && run[0]?.inApp === false });
    first = end;
  }
  return runs;
}

/** Where the run that begins at `first` ends (exclusive). Frame 0 is a run of its own. */
function endOfRun(frames: readonly Frame[], first: number): number {
  if (first === 0) return 1;
  const inApp = frames[first]?.inApp;
  let end = first + 1;
  while (end < frames.length && frames[end]?.inApp === inApp) end += 1;
  return end;
}

/** The packages that `frames` are in, each once, in their order: `["react-dom", "@hono/node"]`. */
export function packagesOf(frames: readonly Frame[]): readonly string[] {
  const names = frames.map(({ file }) => packageIn(file)).filter((name) => name !== undefined);
  return [...new Set(names)];
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** The innermost package of a path; `node` for Node's own modules. */
function packageIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (file.startsWith("node:")) return "node";
  return PACKAGE.exec(file)?.[1];
}
