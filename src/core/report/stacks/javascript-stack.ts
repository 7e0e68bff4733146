/**
 * Parses stacks as V8, Gecko, WebKit and Hermes write them. Linear in the length of the text; never
 * throws. Skips lines that are not frames (the message, notes between frames). Sources:
 * v8.dev/docs/stack-trace-api, MDN `Error.prototype.stack`, stacks captured from three engines
 * (tests/fixtures/engines), and for Hermes and React Native `parseErrorStack` of react-native 0.7x.
 */
import { limits } from "../../limits.ts";
import type { Frame } from "../../report.ts";
import { isInApp } from "../in-app.ts";

/** At most `limits.maxFrames` of `frames`. Drops the middle, because both ends are more useful. */
export function limitFrames(frames: readonly Frame[]): readonly Frame[] {
  if (frames.length <= limits.maxFrames) return frames;
  const half = limits.maxFrames / 2;
  return [...frames.slice(0, half), ...frames.slice(-half)];
}

/** True if the text of a stack names no code. WebKit writes `@` for code without an address. */
export function isBlankStack(text: string): boolean {
  return /^[@\s]*$/.test(text);
}

/**
 * All frames of a stack, newest first. Lines and columns are 1-based. Reads the first
 * `limits.maxStackChars` characters only. Empty if no line is a frame.
 */
export function parseFrames(text: string): readonly Frame[] {
  const lines = text
    .slice(0, limits.maxStackChars)
    .split("\n")
    .map((line) => line.slice(0, limits.maxStringChars).trim());
  const v8 = lines.map(parseV8Line).filter((frame) => frame !== undefined);
  // Only V8 writes the message into the stack, so a stack in V8's format is not parsed in another
  // format: in its message an email address with a port would look like a Gecko frame.
  return markReactFrames(
    v8.length > 0 ? v8 : lines.map(parseAtSignLine).filter((frame) => frame !== undefined),
  );
}

/**
 * True for frames of V8, and for those of Gecko and WebKit with a URL or native code. Others look
 * like text.
 */
export function isFrameLine(line: string): boolean {
  const text = line.trim();
  if (isV8Line(text)) return true;
  return AT_SIGN_LINE.test(text) && parseAtSignLine(text) !== undefined;
}

/** True for frames of V8. */
export function isV8Line(line: string): boolean {
  return parseV8Line(line.trim()) !== undefined;
}

const AT_SIGN_LINE = /^[^\s@]{0,200}@(?:[a-z][\w+.-]{1,30}:\/\/|\[native code\]$)/i;

/**
 * `at f (file:1:2)`, `at async Promise.all (index 0)`, `at file:1:2`, `at eval (eval at g
 * (file:1:2), <anonymous>:1:1)`.
 */
function parseV8Line(line: string): Frame | undefined {
  if (!line.startsWith("at ")) return undefined;
  const call = line.slice(3).replace(/^async /, "");
  const open = call.endsWith(")") ? call.indexOf(" (") : -1;
  const sourcePosition = parsePosition(open === -1 ? call : call.slice(open + 2, -1));
  if (open === -1 && call.endsWith(")")) return parseUnspacedCall(call);
  if (sourcePosition === undefined) return undefined;
  if (open !== -1) return createFrame(cleanV8Name(call.slice(0, open).trim()), sourcePosition);
  return PATH.test(sourcePosition.file ?? "") ? createFrame(undefined, sourcePosition) : undefined;
}

/**
 * `Object.onPress(index.android.bundle:2342:3773)`, as V8 in React Native writes it. Java writes no
 * column.
 */
function parseUnspacedCall(call: string): Frame | undefined {
  const open = call.indexOf("(");
  const sourcePosition = open < 1 ? undefined : parsePosition(call.slice(open + 1, -1));
  return sourcePosition?.column === undefined
    ? undefined
    : createFrame(cleanV8Name(call.slice(0, open)), sourcePosition);
}

/** Distinguishes a file from a line of the message, such as "at 10:30 sharp:1:2". */
const PATH = /^(?:[a-z][\w+.-]*:|[/\\.<]|\S*[./\\])/i;

/** `Object.render` for `Object.e [as render]`: the property name survives minification. */
function cleanV8Name(name: string): string | undefined {
  const alias = / \[as ([^\]]+)\]$/.exec(name);
  if (alias === null) return name === "<anonymous>" ? undefined : name;
  const owner = name.slice(0, alias.index);
  return owner.slice(0, owner.lastIndexOf(".") + 1) + alias[1];
}

/**
 * Gecko and WebKit: `f@file:1:2`, `async*f@file:1:2`, `f/g<@file:1:2`, `f@[native code]`, `global
 * code@`, `file:1:2`.
 */
function parseAtSignLine(line: string): Frame | undefined {
  const at = line.indexOf("@");
  const before = line.slice(0, Math.max(at, 0));
  // WebKit omits the name and the "@" of some anonymous functions. An "@" may then belong to the
  // path of a scoped package.
  const isBare = at === -1 || before.includes("://") || before.startsWith("/");
  const sourcePosition = parsePosition(isBare ? line : line.slice(at + 1));
  if (isBare)
    return /[/\\]/.test(sourcePosition?.file ?? "")
      ? createFrame(undefined, sourcePosition)
      : undefined;
  // WebKit writes `global code@` and `anonymous@` if it knows no position.
  const isName = /@$/.test(line) && /^[\w$./<*-]{1,100}(?: code)?$/.test(before);
  return sourcePosition === undefined && !isName
    ? undefined
    : createFrame(cleanGeckoName(before), sourcePosition);
}

/** `g` for `f/g<`; `f` for `async*f` and for `f/<`, an anonymous function inside f. */
function cleanGeckoName(name: string): string | undefined {
  const nested = name.slice(name.lastIndexOf("*") + 1).split("/");
  return nested.map((part) => part.replace(/<$/, "")).findLast((part) => part !== "");
}

interface SourcePosition {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Locations without a file. */
const NO_FILE = /^(?:native|<anonymous>|index \d+|\[native code\]|\[wasm code\]|unknown location)$/;

/**
 * The position of a frame; undefined if the text is not a position. A position without a file is
 * native code.
 */
function parsePosition(text: string): SourcePosition | undefined {
  if (NO_FILE.test(text)) return {};
  if (text.startsWith("eval at ")) return parseEvalPosition(text);
  const wasm = /:wasm-function\[\d+\](?::0x[\da-f]+)?$/.exec(text);
  if (wasm !== null) return { file: text.slice(0, wasm.index) };
  const position = /:(\d{1,9})(?::(\d{1,9}))?$/.exec(text);
  if (position === null || position.index === 0) return undefined;
  const file = cleanFile(text.slice(0, position.index));
  const [, line, column] = position;
  // Gecko: `cart.js line 26 > eval:1:1`.
  const caller = / line (\d{1,9}) > (?:eval|Function)/.exec(file);
  if (caller !== null) return { file: file.slice(0, caller.index), line: Number(caller[1]) };
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) };
}

/** Hermes writes it before the bundle that it compiled to bytecode. */
const BYTECODE = "address at ";
/** A component on the server in a stack of the browser: `about://React/Server/file:///x.js?42`. */
const REACT_SERVER_URL = /^(?:about|rsc):\/\/React\/[^/]{1,40}\//;

function cleanFile(file: string): string {
  if (file.startsWith(BYTECODE)) return file.slice(BYTECODE.length);
  const prefix = REACT_SERVER_URL.exec(file)?.[0];
  if (prefix === undefined) return file;
  const path = file.slice(prefix.length).replace(/\?\d{1,9}$/, "");
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * The position of the `eval` call: the innermost one of `eval at f (eval at g (file:1:2),
 * <anonymous>:1:1), <anonymous>:3:4`.
 */
function parseEvalPosition(text: string): SourcePosition {
  const from = text.lastIndexOf("(") + 1;
  const to = text.indexOf(")", from);
  const inner = from === 0 || to === -1 ? undefined : text.slice(from, to);
  return inner === undefined || inner.startsWith("eval at ") ? {} : (parsePosition(inner) ?? {});
}

function createFrame(
  name: string | undefined,
  { file: rawFile, ...position }: SourcePosition = {},
): Frame {
  const file = rawFile === "<anonymous>" ? undefined : rawFile;
  return {
    function: name === "" ? undefined : name,
    file,
    ...position,
    inApp: isInApp(file),
  };
}

// Recognizes React's frames in a bundle, where React and the application share one file. This works
// if the bundle keeps function names, as Workers do; otherwise the stack stays unchanged.

/** Functions that only React 19 has. A stack that contains one contains React. */
const REACT_ONLY_NAMES =
  /^(?:renderWithHooks|renderNodeDestructive|beginWork|performUnitOfWork|react_stack_bottom_frame)$/;

/** Functions of React's server and browser renderers whose names other code may also use. */
const REACT_NAMES =
  /^(?:renderElement|renderNode|retryNode|retryTask|renderChildrenArray|finishFunctionComponent|performWork|startWork|pingTask|updateFunctionComponent|updateClassComponent|finishClassComponent|mountIndeterminateComponent|workLoop\w*|renderRoot\w*|performWorkOnRoot\w*|performSyncWorkOnRoot|flush(?:Sync|Passive|Spawned|Pending)\w*|recoverFromConcurrentError|commit[A-Z]\w*|recursivelyTraverse\w*|reconnectPassiveEffects|processRootScheduleInMicrotask)$/;

/** The frames, with React's frames marked as not `inApp`. */
function markReactFrames(frames: readonly Frame[]): readonly Frame[] {
  if (!frames.some((frame) => REACT_ONLY_NAMES.test(frame.function ?? ""))) return frames;
  return frames.map((frame) => {
    const name = frame.function ?? "";
    const isReact = REACT_ONLY_NAMES.test(name) || REACT_NAMES.test(name);
    return isReact ? { ...frame, inApp: false } : frame;
  });
}
