/**
 * Parses backtraces of Ruby: `full_message` in both orders with causes, and backtraces in logs.
 * Linear in the length of the text; never throws.
 * Sources: the documentation of `Exception#full_message` and `Thread::Backtrace::Location`.
 */
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  joinMessage,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const RUBY_STACK: StackFormat = {
  platform: "ruby",
  isOwnLine: (line) => FRAME.test(line),
  parse: parseRubyStack,
};

/** `3: from bill.rb:4:in 'Bill#total'`; before Ruby 3.4 the first quote is a grave accent. */
const FRAME =
  /^\s*(?!\s)(?:\d{1,5}: )?(?:from )?((?:[A-Za-z]:)?(?:<internal:[^>]{1,200}>|\(eval at [^\n]{1,500}:\d{1,9}\)|[^:]{1,1000})):(\d{1,9}):in [`']([^']{1,500})'(?:: (.*)|.*)$/s;
/** `undefined method 'price' for nil (NoMethodError)`. Rails writes `NoMethodError (…):`. */
const TYPED_MESSAGE = /^(.*) \(((?:[A-Z]\w*::)*[A-Z]\w*)\)$/s;
const RAILS_HEADER = /^((?:[A-Z]\w*::)*[A-Z]\w*) \((.*)\):?$/s;
/** The oldest frame comes first below it. */
const OLDEST_FIRST = "Traceback (most recent call last):";

function parseRubyStack(lines: readonly string[]): TextError {
  const isReversed = lines.some((line) => line.endsWith(OLDEST_FIRST));
  const errors: TextError[] = [];
  const header: string[] = [];
  let current: TextError | undefined;
  /** The lines of the message below its first line, and above the next frame. */
  let message: string[] | undefined;
  let olderFrames: Frame[] = [];
  for (const line of lines) {
    const [, file, position, name, text = ""] = FRAME.exec(line) ?? [];
    if (file === undefined) {
      if (message !== undefined) message.push(line);
      else if (current === undefined) header.push(line);
      continue;
    }
    const frame = createFrame("ruby", { file, line: position, function: name });
    const isFirst = text !== "" && !/^\s*(?:\d+: )?from /.test(line);
    closeMessage(current, message);
    message = undefined;
    if (isFirst) {
      current = createError({ message: text });
      message = [];
      current.frames = [frame, ...olderFrames.reverse()];
      olderFrames = [];
      errors.push(current);
    } else if (isReversed) {
      olderFrames.push(frame);
    } else {
      if (current === undefined) {
        current = createError(parseRailsHeader(header));
        errors.push(current);
      }
      current.frames.push(frame);
    }
  }
  closeMessage(current, message);
  const outermostFirst = isReversed ? errors.reverse() : errors;
  for (const [index, error] of outermostFirst.entries()) {
    const cause = outermostFirst[index + 1];
    if (cause !== undefined) error.children.push(cause);
  }
  return outermostFirst[0] ?? createError({ frames: olderFrames.reverse() });
}

/** Finds the type at the end of the message's first line. */
function closeMessage(error: TextError | undefined, more: readonly string[] | undefined): void {
  if (error === undefined || more === undefined) return;
  const [, text, type] = TYPED_MESSAGE.exec(error.message ?? "") ?? [];
  if (type !== undefined) error.type = type;
  error.message = joinMessage([text ?? error.message ?? "", ...dropSnippet(more)]);
}

/** Removes the line of code that `error_highlight` adds, with its marks. */
function dropSnippet(lines: readonly string[]): readonly string[] {
  const marks = lines.findIndex((line) => /^\s*\^+$/.test(line));
  if (marks === -1) return lines;
  return [...lines.slice(0, Math.max(0, marks - 2)), ...lines.slice(marks + 1)];
}

function parseRailsHeader(header: readonly string[]): Partial<TextError> {
  const line = header.findLast((text) => RAILS_HEADER.test(text));
  const [, type, message] = RAILS_HEADER.exec(line ?? "") ?? [];
  return type === undefined ? parseHeader(header) : { type, message };
}
