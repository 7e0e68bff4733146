/**
 * Parses the text of a stack in the format of its runtime: the error, its causes and the members of
 * a group. Recognizes the format if the runtime is unknown. Linear in the length of the text; never
 * throws; bounded by `limits.maxParsedStackChars`.
 */
import type { Cause, Frame, Platform } from "../../report.ts";
import { DART_STACK } from "./dart-stack.ts";
import { DOTNET_STACK } from "./dotnet-stack.ts";
import { ELIXIR_STACK } from "./elixir-stack.ts";
import { GO_STACK } from "./go-stack.ts";
import { JAVA_STACK } from "./java-stack.ts";
import { JAVASCRIPT_STACK } from "./javascript-text.ts";
import { NATIVE_STACK } from "./native-stack.ts";
import { PHP_STACK } from "./php-stack.ts";
import { PYTHON_STACK } from "./python-stack.ts";
import { RUBY_STACK } from "./ruby-stack.ts";
import { RUST_STACK } from "./rust-stack.ts";
import { listCauses, parseHeader, type StackFormat, splitLines } from "./text-error.ts";

/** The error that a text describes. Lists are not truncated to the limits of a report. */
export interface TextStack {
  /** The runtime whose format the text has. */
  readonly platform: Platform;
  /** Undefined if the text has only frames. */
  readonly type: string | undefined;
  readonly message: string | undefined;
  /** Newest first; never empty, unless a cause has frames. */
  readonly frames: readonly Frame[];
  readonly isGroup?: true;
  /** In the order of `ParsedReport.causes`. */
  readonly causes: readonly Cause[];
}

/** Formats whose lines are easy to recognize come first. */
const FORMATS: readonly StackFormat[] = [
  PYTHON_STACK,
  JAVA_STACK,
  RUST_STACK,
  JAVASCRIPT_STACK,
  PHP_STACK,
  DOTNET_STACK,
  RUBY_STACK,
  GO_STACK,
  ELIXIR_STACK,
  DART_STACK,
  NATIVE_STACK,
];

/**
 * The error of a text. `platform` is the runtime that wrote it, if the sender names it. A text in
 * another format is recognized by its lines. Undefined without any frame.
 */
export function parseTextStack(text: string, platform?: Platform): TextStack | undefined {
  const lines = splitLines(text);
  const name = platform === "react-native" ? "javascript" : platform;
  const named = FORMATS.filter((format) => format.platform === name);
  for (const format of named) {
    const stack = parseAs(format, lines, platform);
    if (stack !== undefined) return stack;
  }
  let others = FORMATS.filter((format) => !named.includes(format));
  for (const line of lines) {
    const format = others.find(({ isOwnLine }) => isOwnLine(line));
    const stack = format === undefined ? undefined : parseAs(format, lines);
    if (stack !== undefined) return stack;
    others = others.filter((other) => other !== format);
  }
  return undefined;
}

/** As `parseTextStack`, but an error without frames has the type and the message of its text. */
export function parseErrorText(text: string, platform?: Platform): TextStack {
  return (
    parseTextStack(text, platform) ?? {
      platform: platform ?? "javascript",
      type: undefined,
      message: undefined,
      ...parseHeader(splitLines(text)),
      frames: [],
      causes: [],
    }
  );
}

/** A logged text that contains the stack of an error. */
export interface LoggedStack extends TextStack {
  readonly type: string;
}

/**
 * The error in a logged text: "Checkout failed", line break, "Traceback (most recent call last)".
 * Undefined unless the text states a type and has at least two frames: any text may quote one.
 */
export function parseLoggedStack(text: string, platform?: Platform): LoggedStack | undefined {
  if (!text.includes("\n")) return undefined;
  const stack = parseTextStack(text, platform);
  if (stack?.type === undefined) return undefined;
  const count = stack.causes.reduce((sum, { frames }) => sum + frames.length, stack.frames.length);
  return count < MIN_LOGGED_FRAMES ? undefined : { ...stack, type: stack.type };
}

const MIN_LOGGED_FRAMES = 2;

function parseAs(
  format: StackFormat,
  lines: readonly string[],
  platform: Platform = format.platform,
): TextStack | undefined {
  const { type, message, frames, ...error } = format.parse(lines);
  const causes = listCauses({ type, message, frames, ...error });
  if (frames.length === 0 && causes.every((cause) => cause.frames.length === 0)) return undefined;
  return { platform, type, message, frames, ...(error.isGroup && { isGroup: true }), causes };
}
