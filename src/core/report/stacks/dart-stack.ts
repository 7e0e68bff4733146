/**
 * Parses stacks of Dart and Flutter. Linear in the length of the text; never throws.
 * Source: the documentation of `StackTrace` and of the package stack_trace.
 */
import {
  createError,
  createFrame,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const DART_STACK: StackFormat = {
  platform: "other",
  isOwnLine: (line) => FRAME.test(line),
  parse: parseDartStack,
};

/** `#0      Bill.total.<anonymous closure> (package:shop/bill.dart:12:5)`. */
const FRAME =
  /^\s*#\d{1,5} {1,8}(\S.{0,500}?) \(((?:package|dart|file|https?):[^()\s]{1,1000}?|\S{1,1000}?\.dart)(?::(\d{1,9}))?(?::(\d{1,9}))?\)$/s;

function parseDartStack(lines: readonly string[]): TextError {
  const first = lines.findIndex((line) => FRAME.test(line));
  if (first === -1) return createError();
  const frames = lines.slice(first).flatMap((text) => {
    const [, name, file, line, column] = FRAME.exec(text) ?? [];
    return file === undefined ? [] : [createFrame("other", { function: name, file, line, column })];
  });
  const header = lines.slice(0, first).filter((line) => !/^Unhandled exception:$/i.test(line));
  return createError({ ...parseHeader(header), frames });
}
