/** Frames of what is no Sentry event: a stack as text, or the one place that a browser's own report names. */

import { isInApp } from "../core/in-app.ts";
import { limits } from "../core/limits.ts";
import { omitUndefined } from "../core/present.ts";
import type { Frame } from "../core/report.ts";
import { parseFrames } from "../core/stack.ts";
import type { Truncations } from "./cuts.ts";
import { asLineNumber } from "./decode.ts";

/** The frames of a stack as text, newest first; the middle of more than `limits.maxFrames` is left out. */
export function parseStackFrames(
  stack: string | undefined,
  truncations: Truncations,
): readonly Frame[] {
  return stack === undefined
    ? []
    : truncations.takeEnds("frames", parseFrames(stack), limits.maxFrames);
}

/** One frame, or none without a file. `line` and `column` are undecoded, 1-based; 0 is unknown. */
export function createSourceFrames(
  file: string | undefined,
  line: unknown,
  column: unknown,
): readonly Frame[] {
  if (file === undefined) return [];
  const position = { line: asLineNumber(line), column: asLineNumber(column) };
  return [omitUndefined({ file, ...position, inApp: isInApp(file) })];
}
