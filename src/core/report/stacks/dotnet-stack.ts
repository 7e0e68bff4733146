/**
 * Parses stacks of .NET and Mono in any language of the runtime: inner exceptions, members of an
 * AggregateException, async state machines. Linear in the length of the text; never throws.
 * Sources: `Exception.ToString`, `AggregateException.ToString` and the resources of dotnet/runtime
 * and of the .NET Framework's language packs.
 */

import { isGroupType } from "../../errors/group-types.ts";
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  isErrorHeader,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const DOTNET_STACK: StackFormat = {
  platform: "dotnet",
  isOwnLine: (line) => parseFrame(line)?.module !== undefined,
  parse: parseDotnetStack,
};

/** `System.Net.Sockets.SocketException (111): Connection refused`. */
const HEADER =
  /^(?:Unhandled [eE]xception[.:] ?)?((?:[A-Za-z_][\w`]*\.)+[\w`+[\],]+)(?: \([^)]{1,40}\))?(?:: ?(.*))?$/s;
/** "at" and its translations in the language packs. Mono writes a space before the parenthesis. */
const FRAME =
  /^(?:\s*at|\s+(?:bei|à|en|in|em|w|v|в|на|vid|ved|på|bij|hos|kohteessa|konum:|위치:|場所|在|於|στο)) ([^()]{1,1000}?)( ?)\(([^():]*)\)( ?\[0x[\da-f]{1,8}\])?(.*)$/s;
/** ` in /src/Bill.cs:line 12`, ` dans C:\Bill.cs:ligne 12`; Mono writes no word before the line. */
const PLACE = /^ (?:[^\s:\\/]{1,10} )?(.{1,1000}?)(?: içinde)?:[^\d:\\/]{0,12}(\d{1,9})\.?$/s;
/** Only Mono without symbols: `in <5f2a…>:0`. */
const NO_FILE = /^<.*>$/;
const INNER = " ---> ";
/** `(Inner Exception #1) ` and its translations. */
const MEMBER = /^\([^()]{1,40}#\d{1,9}\) ?/;
/** The end of an inner exception is indented; the end of a part of an async stack is not. */
const INNER_END = /^\s+--- .{1,200} ---$/;
const MEMBER_END = "<---";
const ASYNC_PART = "--- End of stack trace from previous location";

function parseDotnetStack(lines: readonly string[]): TextError {
  const root = createError();
  // The exceptions whose frames follow, the current one last.
  const open = [root];
  const headers = new Map<TextError, string[]>([[root, []]]);
  const getCurrent = (): TextError => open.at(-1) ?? root;
  for (const raw of lines) {
    const isMemberEnd = raw.endsWith(MEMBER_END);
    const line = isMemberEnd ? raw.slice(0, -MEMBER_END.length) : raw;
    const frame = parseFrame(line);
    const current = getCurrent();
    if (frame !== undefined) current.frames.push(frame);
    else if (INNER_END.test(line) && !line.includes(ASYNC_PART)) {
      if (open.length > 1) open.pop();
    } else {
      const [own = "", ...inner] = splitInner(line);
      if (current.frames.length === 0) headers.get(current)?.push(own);
      for (const text of inner) {
        const error = createError();
        headers.set(error, [text.replace(MEMBER, "")]);
        getCurrent().children.push(error);
        open.push(error);
      }
    }
    if (isMemberEnd && open.length > 1) open.pop();
  }
  for (const [error, header] of headers) {
    Object.assign(error, parseHeader(header, HEADER));
    if (isGroupType(error.type ?? "")) error.isGroup = true;
  }
  for (const error of headers.keys()) removeRepeatedMember(error);
  return root;
}

/** The parts between arrows: an exception and its inner exceptions. */
function splitInner(line: string): readonly string[] {
  const text = line.startsWith("---> ") ? ` ${line}` : line;
  if (!text.includes(INNER)) return [line];
  const parts = text.split(INNER);
  const joined: string[] = [];
  for (const [index, part] of parts.entries()) {
    // A message may contain an arrow.
    const header = part.replace(MEMBER, "");
    if (index === 0 || HEADER.test(header) || isErrorHeader(header)) joined.push(part);
    else joined[joined.length - 1] += INNER + part;
  }
  return joined;
}

/** The .NET Framework writes the first member twice: as the inner exception, and as a member. */
function removeRepeatedMember(error: TextError): void {
  if (error.isGroup === undefined) return;
  const [first, second] = error.children;
  if (
    first !== undefined &&
    second !== undefined &&
    first.type === second.type &&
    first.message === second.message &&
    first.frames.length === second.frames.length
  )
    error.children.shift();
}

/** `at Shop.Bill.Total(Int32 id) in /src/Bill.cs:line 5`. */
function parseFrame(line: string): Frame | undefined {
  const [, name = "", space, , offset, rest = ""] = FRAME.exec(line) ?? [];
  if (name === "" || (space !== "" && offset === undefined)) return undefined;
  const [, path, position] = PLACE.exec(rest) ?? [];
  if (path === undefined && rest.trim() !== "") return undefined;
  const file = path === undefined || NO_FILE.test(path) ? undefined : path;
  const { module, code } = splitName(name);
  if (module === "" && file === undefined) return undefined;
  return createFrame("dotnet", { module, function: code, file, line: position });
}

/**
 * The class and the method of `Shop.Bill.Total[T]`, `Shop.Bill..ctor`. Classes that the compiler
 * created are nested with `+`, as reflection names them: `Shop.Bill+<Total>d__5` and `MoveNext`.
 */
function splitName(name: string): { readonly module: string; readonly code: string } {
  const generics = name.indexOf("[");
  const end = generics === -1 ? name.length : generics;
  const dot = name.lastIndexOf(".", end - 1);
  const at = dot > 0 && name[dot - 1] === "." ? dot - 1 : dot;
  if (at < 1) return { module: "", code: name };
  return { module: name.slice(0, at).replaceAll(".<", "+<"), code: name.slice(at + 1) };
}
