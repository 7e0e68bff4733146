/** Errors from formats other than Sentry: a stack as text, or a single source position. */

import { asLineNumber } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { isInApp } from "../../core/report/in-app.ts";
import { parseFrames } from "../../core/report/stacks/javascript-stack.ts";
import { parseLoggedStack, type TextStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { Cause, Frame, ParsedReport, Platform } from "../../core/report.ts";
import type { Truncations } from "./truncations.ts";

/** The parts of a report that the text of a stack can state. */
export type ErrorContent = Pick<ParsedReport, "frames" | "isGroup" | "causes"> &
  Partial<Pick<ParsedReport, "type" | "message">>;

/** The error of a text stack in any format, truncated to the limits. */
export function toErrorContent(
  stack: TextStack | undefined,
  truncations: Truncations,
): ErrorContent {
  if (stack === undefined) return { frames: [] };
  const causes = truncations.takeFirst("causes", stack.causes, limits.maxCauses);
  return {
    type: truncations.limitText("type", stack.type, limits.maxTypeChars),
    message: truncations.limitText("message", stack.message, limits.maxMessageChars),
    frames: truncations.takeEnds("frames", stack.frames, limits.maxFrames),
    isGroup: stack.isGroup,
    causes: causes.length === 0 ? undefined : causes.map((cause) => limitCause(cause, truncations)),
  };
}

/** The parts of a report whose error is in a logged text. */
export type LoggedError = ErrorContent &
  Pick<ParsedReport, "kind" | "type" | "message" | "stack" | "platform">;

/**
 * The error of a logged text that contains a whole stack; undefined if the text is only a message.
 * `platform` is the runtime of the sender, if it is known.
 */
export function parseLoggedError(
  text: string,
  platform: Platform | undefined,
  truncations: Truncations,
): LoggedError | undefined {
  const logged = parseLoggedStack(text, platform);
  if (logged === undefined) return undefined;
  const { type, message = "", ...content } = toErrorContent(logged, truncations);
  return {
    ...content,
    kind: "error",
    type: type ?? logged.type,
    message,
    stack: truncations.limitText("stack", text, limits.maxStackChars),
    platform: toReportPlatform(logged.platform),
  };
}

/** Reports omit the platform `javascript`. */
export function toReportPlatform(platform: Platform | undefined): Platform | undefined {
  return platform === "javascript" ? undefined : platform;
}

function limitCause(cause: Cause, truncations: Truncations): Cause {
  return {
    ...cause,
    type: truncations.limitText("causes", cause.type, limits.maxTypeChars) ?? "Error",
    message: truncations.limitText("causes", cause.message, limits.maxMessageChars) ?? "",
    frames: truncations.takeEnds("frames", cause.frames, limits.maxFrames),
  };
}

/** The frames of a JavaScript stack, newest first; the ends of more than `limits.maxFrames`. */
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
  return [{ file, ...position, inApp: isInApp(file) }];
}
