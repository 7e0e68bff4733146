/** Stack frames from formats other than Sentry: a stack as text, or a single source position. */

import { asLineNumber } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { isInApp } from "../../core/report/in-app.ts";
import { parseFrames } from "../../core/report/parse-stack.ts";
import type { Frame } from "../../core/report.ts";
import type { Truncations } from "./truncations.ts";

/** The frames of a text stack, newest first. Omits the middle of more than `limits.maxFrames`. */
export function parseStackFrames(
  stack: string | undefined,
  truncations: Truncations,
): readonly Frame[] {
  return stack === undefined
    ? []
    : truncations.takeEnds("frames", parseFrames(stack), limits.maxFrames);
}

/** One frame; none without a file. `line` and `column` are undecoded and 1-based; 0 is unknown. */
export function createSourceFrames(
  file: string | undefined,
  line: unknown,
  column: unknown,
): readonly Frame[] {
  if (file === undefined) return [];
  const position = { line: asLineNumber(line), column: asLineNumber(column) };
  return [omitUndefined({ file, ...position, inApp: isInApp(file) })];
}
