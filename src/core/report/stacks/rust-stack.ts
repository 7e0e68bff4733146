/**
 * Parses backtraces of Rust: panics, and errors with causes as `anyhow` writes them. Linear in the
 * length of the text; never throws. Sources: the documentation of `std::backtrace` and
 * `std::panic`, and of the crate anyhow.
 */
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  joinMessage,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const RUST_STACK: StackFormat = {
  platform: "rust",
  isOwnLine: (line) => PANIC.test(line) || RUST_PLACE.test(line),
  parse: parseRustStack,
};

/** `  12: shop::bill::total`; a full backtrace has the address before the name. */
const NAME = /^\s*(\d{1,5}):\s{1,40}(?:(0x[\da-f]{1,16}) - )?(\S.*)$/s;
const PLACE = /^\s+at (.+?):(\d{1,9})(?::(\d{1,9}))?$/s;
const RUST_PLACE = /^\s+at \S.{0,1000}\.rs:\d{1,9}(?::\d{1,9})?$/s;
/** The message is in quotes before Rust 1.73, and on the next line since then. */
const PANIC =
  /^thread '[^']{0,200}'(?: \(\d{1,20}\))? panicked at (?:'(.*)', )?([^\s'][^']{0,500}?):(\d{1,9})(?::(\d{1,9}))?:?$/s;
const BACKTRACE = /^stack backtrace:$/i;
const CAUSES = /^Caused by:$/;
const CAUSE = /^\s+(?:\d{1,5}: )?(\S.*)$/s;

function parseRustStack(lines: readonly string[]): TextError {
  const start = lines.findIndex((line) => BACKTRACE.test(line.trim()));
  const header = start === -1 ? lines : lines.slice(0, start);
  const error = parseRustHeader(header, start !== -1);
  let name: readonly (string | undefined)[] | undefined;
  const addFrame = (file?: string, line?: string, column?: string): void => {
    if (name === undefined) return;
    const [address, path = ""] = name;
    error.frames.push(createRustFrame(path, { address, file, line, column }));
    name = undefined;
  };
  for (const line of start === -1 ? lines : lines.slice(start + 1)) {
    const [, file, position, column] = PLACE.exec(line) ?? [];
    if (file !== undefined) {
      addFrame(file, position, column);
      continue;
    }
    const [, , address, path] = NAME.exec(line) ?? [];
    if (path === undefined) continue;
    addFrame();
    name = [address, path];
  }
  addFrame();
  return error;
}

/** A panic, or the text of an error with its causes. */
function parseRustHeader(header: readonly string[], hasBacktrace: boolean): TextError {
  const at = header.findIndex((line) => PANIC.test(line));
  if (at !== -1) {
    const [, quoted, file, line, column] = PANIC.exec(header[at] ?? "") ?? [];
    const rest = header.slice(at + 1);
    const end = rest.findIndex((line) => line.startsWith("note: "));
    const text = end === -1 ? rest : rest.slice(0, end);
    const message = quoted ?? joinMessage(text);
    // The backtrace, if there is one, contains the same place.
    const frames = hasBacktrace ? [] : [createFrame("rust", { file, line, column })];
    return createError({ type: "panic", message, frames });
  }
  const causes = header.findIndex((line) => CAUSES.test(line));
  const error = createError();
  if (causes === -1) return error;
  error.message = joinMessage(header.slice(0, causes));
  let last = error;
  for (const line of header.slice(causes + 1)) {
    const message = CAUSE.exec(line)?.[1];
    if (message === undefined) continue;
    const cause = createError({ message });
    last.children.push(cause);
    last = cause;
  }
  return error;
}

/**
 * The frame of `shop::bill::total::h0123456789abcdef`: the module `shop::bill` and the function.
 * Closures belong to the function that contains them.
 */
function createRustFrame(
  path: string,
  place: Readonly<Record<"address" | "file" | "line" | "column", string | undefined>>,
): Frame {
  const at = findSeparator(path);
  const module = at === -1 ? undefined : path.slice(0, at);
  const name = at === -1 ? path : path.slice(at + "::".length);
  const frame = createFrame("rust", { ...place, module: module ?? path, function: name });
  if (module !== undefined) return frame;
  const { module: _path, ...rest } = frame;
  return rest;
}

const SUFFIX = /^(?:h[\da-f]{16}|\{\{?[a-z_#]{1,40}\d{0,5}\}?\})$/;

/** The last `::` outside of type arguments whose next segment is a name. */
function findSeparator(path: string): number {
  let depth = 0;
  let end = path.length;
  for (let at = path.length - 1; at > 0; at--) {
    const char = path[at];
    if (char === ">" && path[at - 1] !== "-") depth++;
    else if (char === "<") depth--;
    else if (char === ":" && path[at - 1] === ":" && depth === 0) {
      if (!SUFFIX.test(path.slice(at + 1, end))) return at - 1;
      end = at - 1;
    }
  }
  return -1;
}
