/**
 * Parses tracebacks of Python: chained exceptions, exception groups and syntax errors. Linear in
 * the length of the text; never throws. Sources: the library reference, `traceback`; PEP 654 and
 * 657.
 */
import { limits } from "../../limits.ts";
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  joinMessage,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const PYTHON_STACK: StackFormat = {
  platform: "python",
  isOwnLine: (line) => FRAME.test(line.replace(BOX, "")),
  parse: parsePythonStack,
};

/** `File "shop/bill.py", line 4, in total`. */
const FRAME = /^([ \t]*)File "(.+)", line (\d{1,9})(?:, in (.+))?$/s;
const HEADER = /^([ \t]*)(?:Exception Group )?Traceback \(most recent call last\):$/;
/** `KeyError: 'x'`, `shop.errors.NoPrice` without a message. */
const EXCEPTION = /^([A-Za-z_][\w.<>]*)(?:: ?(.*))?$/s;
const CHAIN =
  /^(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):$/;
const IN_HANDLER = /^ *During handling/;
/** `+-+------ 1 ------` begins the first member of a group, `+------ 2 ------` the next. */
const SEPARATOR = /^( *)\+(-\+)?-{4,}(?: (\d+|\.\.\.) -{4,})?$/;
/** Lines below a frame that are not its source. */
const NO_SOURCE = /^(?:[\s~^]*$|\[Previous line repeated )/;
/** The left edge of a group's box, and the sign that begins it. */
const BOX = /^( *)[|+] ?/;

/** The exceptions at one level: the text itself, or the members of one group. */
interface Level {
  /** The column of its box; -1 outside of boxes. */
  readonly column: number;
  /** The exception that was completed last. The following one may name it as its cause. */
  latest?: TextError | undefined;
  cause?: TextError | undefined;
}

interface Traceback {
  readonly error: TextError;
  /** The indentation of its first and last line. */
  readonly indent: number;
  /** The lines of the message, after the exception's type was read. */
  message?: string[];
  /** The last line names a frame, and its source follows. */
  isAtFrame?: boolean;
}

function parsePythonStack(lines: readonly string[]): TextError {
  const parser = new TracebackParser();
  for (const line of lines) parser.readLine(line);
  return parser.finish();
}

class TracebackParser {
  readonly #levels: Level[] = [{ column: -1 }];
  #current: Traceback | undefined;
  /** The column of the box of a group outside of other groups. */
  #boxColumn = -1;

  readLine(line: string): void {
    const separator = SEPARATOR.exec(line);
    if (separator !== null) {
      const [, indent = "", first, number] = separator;
      this.#readSeparator(indent.length, first !== undefined, number === undefined);
      return;
    }
    const text = this.#removeBox(line);
    const header = HEADER.exec(text);
    if (header !== null) {
      if (text === line) this.#boxColumn = -1;
      this.#begin(header[1]?.length ?? 0);
    } else if (CHAIN.test(text.trimStart())) {
      this.#complete();
      const level = this.#level;
      level.cause = level.latest;
      if (level.cause !== undefined && IN_HANDLER.test(text)) level.cause.isContext = true;
    } else if (FRAME.test(text)) {
      this.#readFrame(text);
    } else if (this.#current !== undefined) {
      this.#readOther(this.#current, text);
    } else if (text !== line && this.#level.latest === undefined && EXCEPTION.test(text)) {
      // A member of a group that was never raised has no traceback.
      this.#begin(0);
      this.readLine(line);
    }
  }

  /** The exception that was raised last, with everything that led to it. */
  finish(): TextError {
    this.#closeLevelsBelow(-1);
    this.#complete();
    return this.#level.latest ?? createError();
  }

  get #level(): Level {
    // The first level is never removed.
    return this.#levels.at(-1) ?? { column: -1 };
  }

  #begin(indent: number): void {
    this.#complete();
    const error = createError();
    if (this.#level.cause !== undefined) error.children.push(this.#level.cause);
    this.#level.cause = undefined;
    this.#current = { error, indent };
  }

  #readFrame(text: string): void {
    const [, indent = "", file, line, name] = FRAME.exec(text) ?? [];
    // Only frames follow the message, if the text has no first line: `traceback.format_tb`.
    if (this.#current?.message !== undefined) {
      this.#current.message.push(text);
      return;
    }
    if (this.#current === undefined) this.#begin(Math.max(0, indent.length - 2));
    const current = this.#current;
    if (current === undefined) return;
    current.error.frames.push(createFrame("python", { file, line, function: name }));
    current.isAtFrame = true;
  }

  #readOther(current: Traceback, text: string): void {
    if (current.message !== undefined) {
      current.message.push(text);
      return;
    }
    const trimmed = text.trimStart();
    if (trimmed === "" || text.length - trimmed.length > current.indent) {
      if (current.isAtFrame && !NO_SOURCE.test(trimmed)) addSource(current.error.frames, trimmed);
      current.isAtFrame = false;
      return;
    }
    const [, type, message = ""] = EXCEPTION.exec(trimmed) ?? [];
    current.error.type = type;
    current.message = [type === undefined ? trimmed : message];
  }

  #complete(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    const { error, message } = current;
    error.frames.reverse();
    if (message !== undefined)
      error.message = joinMessage(message.filter((line) => line.trim() !== '"""'));
    this.#level.latest = error;
  }

  #readSeparator(column: number, isFirst: boolean, isEnd: boolean): void {
    this.#complete();
    if (isFirst) {
      this.#levels.push({ column: column + 2 });
      return;
    }
    this.#closeLevelsBelow(column);
    if (isEnd) this.#closeLevel();
    else this.#addMember();
  }

  /** The line without the box of a group: `  | Traceback …`, `  + Exception Group Traceback …`. */
  #removeBox(line: string): string {
    const [edge, indent = ""] = BOX.exec(line) ?? [];
    if (edge === undefined) {
      if (HEADER.test(line) || CHAIN.test(line)) this.#closeLevelsBelow(-1);
      return line;
    }
    // The end of a group that is the last member also ends the group that contains it.
    if (this.#levels.some(({ column }) => column === indent.length))
      this.#closeLevelsBelow(indent.length);
    const text = line.slice(edge.length);
    if (this.#levels.length === 1 && HEADER.test(text)) this.#boxColumn = indent.length;
    // A line of source code may begin with the same sign.
    const isBox = indent.length === this.#level.column || indent.length === this.#boxColumn;
    return isBox ? text : line;
  }

  /** Adds the completed exception to its group, which is the latest of the level above. */
  #addMember(): void {
    const group = this.#levels.at(-2)?.latest;
    const member = this.#level.latest;
    if (group === undefined || member === undefined) return;
    group.isGroup = true;
    group.children.push(member);
    this.#level.latest = undefined;
    this.#level.cause = undefined;
  }

  #closeLevelsBelow(column: number): void {
    while (this.#level.column > column) this.#closeLevel();
  }

  #closeLevel(): void {
    if (this.#levels.length === 1) return;
    this.#complete();
    this.#addMember();
    this.#levels.pop();
  }
}

function addSource(frames: Frame[], line: string): void {
  const frame = frames.at(-1);
  const source = line.slice(0, limits.maxStringChars);
  if (frame !== undefined) frames[frames.length - 1] = { ...frame, source };
}
