/**
 * Parses errors of JavaScript in texts: a stack as the engine writes it, or an error as a console
 * writes it, with its cause (`[cause]: Error: …`, `Caused by: …`) and its members (`[errors]: [ …
 * ]`). Linear in the length of the text; never throws. Source: the documentation of
 * `util.inspect` of Node.
 */
import { isFrameLine, isV8Line, parseFrames } from "./javascript-stack.ts";
import {
  createError,
  isErrorHeader,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const JAVASCRIPT_STACK: StackFormat = {
  platform: "javascript",
  isOwnLine: (line) => isFrameLine(cleanLine(line)),
  parse: parseJavaScriptText,
};

const CAUSE = /^(?:\[cause\]|Caused by): (.*)$/s;

/** One error of a text. `frames` has all lines from its first frame. */
interface Section {
  readonly error: TextError;
  readonly header: string[];
  readonly frames: string[];
}

function parseJavaScriptText(lines: readonly string[]): TextError {
  const root = createError();
  let section: Section = { error: root, header: [], frames: [] };
  const sections = [section];
  let group: TextError | undefined;
  const open = (parent: TextError, line: string): void => {
    section = { error: createError(), header: [line], frames: [] };
    parent.children.push(section.error);
    sections.push(section);
  };
  for (const line of lines) {
    const text = cleanLine(line);
    // A message may quote a cause, but then no frame comes before it.
    const cause = section.frames.length === 0 ? undefined : CAUSE.exec(text)?.[1];
    if (cause !== undefined) open(section.error, cause);
    else if (text.startsWith("[errors]: [")) group = section.error;
    else if (group !== undefined && text.startsWith("]")) group = undefined;
    else if (group !== undefined && isErrorHeader(text)) {
      group.isGroup = true;
      open(group, text);
    } else if (section.frames.length > 0 || isFrameLine(text)) section.frames.push(text);
    else section.header.push(line);
  }
  for (const { error, header, frames } of sections) {
    Object.assign(error, parseHeader(header));
    // In formats without a message, the lines before the first certain frame may be frames.
    const own = isV8Line(frames[0] ?? "") ? frames : [...header, ...frames];
    error.frames = [...parseFrames(own.join("\n"))];
  }
  return root;
}

/** Node and Bun write an error's properties in braces, or a comma, after its last frame. */
function cleanLine(line: string): string {
  const text = line.trim();
  if (text.endsWith(" {")) return text.slice(0, -2);
  return text.endsWith("),") ? text.slice(0, -1) : text;
}
