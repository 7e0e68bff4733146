/** Frames of what is no Sentry event: a stack as text, or the one place that a browser's own report names. */

import { isInApp } from "../core/in-app.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { Frame } from "../core/report.ts";
import { readFrames } from "../core/stack.ts";
import type { Cuts } from "./cuts.ts";
import { positionOf } from "./decode.ts";

/** The frames of a stack as text, newest first; the middle of more than `limits.maxFrames` is left out. */
export function stackFrames(stack: string | undefined, cuts: Cuts): readonly Frame[] {
  return stack === undefined ? [] : cuts.ends("frames", readFrames(stack), limits.maxFrames);
}

/** One frame, or none without a file. `line` and `column` are undecoded, 1-based; 0 is unknown. */
export function sourceFrames(
  file: string | undefined,
  line: unknown,
  column: unknown,
): readonly Frame[] {
  if (file === undefined) return [];
  const place = { line: positionOf(line), column: positionOf(column) };
  return [present({ file, ...place, inApp: isInApp(file) })];
}
