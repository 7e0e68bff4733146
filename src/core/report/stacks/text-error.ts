/** Parts that the parsers of text stacks share: errors under construction, frames and headers. */
import { limits } from "../../limits.ts";
import type { Cause, Frame, Platform } from "../../report.ts";
import { isApplicationCode } from "../library-code.ts";

/** An error that a text describes, with its causes, or its members if it is a group. */
export interface TextError {
  type?: string | undefined;
  message?: string | undefined;
  /** Newest first. */
  frames: Frame[];
  isGroup?: true;
  /** The error above it was thrown while this one was handled. */
  isContext?: true;
  /** Causes before everything else, because the first child is the cause. */
  children: TextError[];
  /** The number of frames that it shares with the error above it, and that the text omits. */
  commonFrames?: number;
}

/** How one runtime writes its stacks. */
export interface StackFormat {
  readonly platform: Platform;
  /** True if a line is written in this format only. Used for texts of an unknown runtime. */
  readonly isOwnLine: (line: string) => boolean;
  /** The error of a text, by its lines. It has no frames if the text has another format. */
  readonly parse: (lines: readonly string[]) => TextError;
}

export function createError(parts: Partial<TextError> = {}): TextError {
  return { frames: [], children: [], ...parts };
}

/** The lines of a text, without trailing white space. The middle of a very long text is omitted. */
export function splitLines(text: string): readonly string[] {
  const half = limits.maxParsedStackChars / 2;
  const limited = text.length > 2 * half ? `${text.slice(0, half)}\n${text.slice(-half)}` : text;
  const lines = limited.split("\n");
  const max = limits.maxParsedStackLines;
  if (lines.length > max) lines.splice(max / 2, lines.length - max);
  return lines.map((line) => line.slice(0, limits.maxMessageChars).trimEnd());
}

/** The parts of a frame as the text writes them. Empty parts are absent. */
type FrameParts = {
  readonly [Part in keyof Omit<Frame, "inApp" | "vars" | "sourceBefore" | "sourceAfter">]?:
    | string
    | undefined;
};

/** A frame whose `inApp` is decided by the tables of library code. */
export function createFrame(platform: Platform, parts: FrameParts): Frame {
  const code = {
    function: limitPart(parts.function),
    module: limitPart(parts.module),
    file: limitPart(parts.file),
    package: limitPart(parts.package),
  };
  return {
    ...code,
    address: limitPart(parts.address),
    imageOffset: limitPart(parts.imageOffset),
    line: toPosition(parts.line),
    column: toPosition(parts.column),
    source: limitPart(parts.source),
    inApp: isApplicationCode(code, platform),
  };
}

function limitPart(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text.slice(0, limits.maxStringChars);
}

/** A 1-based position; runtimes write 0 for an unknown one. */
function toPosition(digits: string | undefined): number | undefined {
  const position = Number(digits);
  return Number.isSafeInteger(position) && position > 0 ? position : undefined;
}

/** A type whose name says that it is an error, and its message: `TypeError [ERR_X]: no price`. */
const NAMED_ERROR =
  /(?<![\w$.\\:/+-])((?:[A-Za-z_$][\w$]*(?:\.|\\|::|\+))*[\w$]*(?:Exception|Error|Throwable|Failure|Fault))(?: ?[[(][^\])]{1,60}[\])])?(?:: ?(.*)|:?)$/s;

/** True if a line begins with the type of an error. */
export function isErrorHeader(line: string): boolean {
  return NAMED_ERROR.exec(line)?.index === 0;
}

/**
 * Type and message from the lines before the first frame. `wholeLine` is the form in which the
 * runtime writes both, with the type and the message as groups. Lines after the type belong to the
 * message.
 */
export function parseHeader(
  lines: readonly string[],
  wholeLine: RegExp = NAMED_ERROR,
): Pick<TextError, "type" | "message"> {
  const first = lines.findIndex((line) => line !== "");
  const at =
    first !== -1 && wholeLine.test(lines[first] ?? "")
      ? first
      : [
          isErrorHeader,
          (line: string) => wholeLine.test(line),
          (line: string) => NAMED_ERROR.test(line),
        ]
          .map((test) => lines.findIndex(test))
          .find((index) => index !== -1);
  if (at === undefined) return {};
  const line = lines[at] ?? "";
  const [, type, message = ""] = wholeLine.exec(line) ?? NAMED_ERROR.exec(line) ?? [];
  return { type, message: joinMessage([message, ...lines.slice(at + 1)]) };
}

/** The lines of a message as one text, without white space at its end. */
export function joinMessage(lines: readonly string[]): string {
  return lines.join("\n").trimEnd();
}

/**
 * The causes and members below an error, in the order of `ParsedReport.causes`. At most one more
 * than `limits.maxCauses`. Adds the omitted common frames.
 */
export function listCauses(root: TextError): readonly Cause[] {
  const causes: Cause[] = [];
  addCauses(root, 0, root.frames, causes);
  return causes;
}

function addCauses(
  error: TextError,
  position: number,
  enclosing: readonly Frame[],
  causes: Cause[],
): void {
  for (const child of error.children) {
    if (causes.length > limits.maxCauses) return;
    const common = child.commonFrames ?? 0;
    const shared = common > 0 && common <= enclosing.length ? enclosing.slice(-common) : [];
    const frames = [...child.frames, ...shared];
    causes.push({
      type: child.type ?? "Error",
      message: child.message ?? "",
      frames,
      ...(child.isGroup && { isGroup: true }),
      ...(position !== causes.length && { parent: position }),
      ...(child.isContext && { isContext: true }),
    });
    addCauses(child, causes.length, frames, causes);
  }
}
