/**
 * Parses stacks of Go: panics and `debug.Stack` (only the first goroutine, the others did not
 * fail), and errors with stacks as `%+v` of github.com/pkg/errors writes them. Linear in the length
 * of the text; never throws. Sources: the runtime's traceback.go and the documentation of
 * `runtime/debug` and of pkg/errors.
 */
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  joinMessage,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const GO_STACK: StackFormat = {
  platform: "go",
  isOwnLine: (line) => GOROUTINE.test(line) || GO_PLACE.test(line),
  parse: parseGoStack,
};

const GOROUTINE = /^goroutine \d{1,19} (?:gp=\S{1,20} m=\S{1,20} (?:mp=\S{1,20} )?)?\[/;
const PLACE = /^\t(.+):(\d{1,9})(?: \+0x[\da-f]{1,16})?(?: fp=.{1,200})?$/s;
const GO_PLACE = /^\t.+\.go:\d{1,9}(?: \+0x[\da-f]{1,16})?$/s;
/** `panic: …`, `fatal error: …`, and what net/http logs: `http: panic serving 10.0.0.1:80: …`. */
const PANIC = /^(?:[\d/:. ]{1,40} )?(?:http: )?(panic|fatal error)(?: serving \S{1,100})?: (.*)$/s;
const RECOVERED = /(?: \[recovered(?:, repanicked)?\])+$/;
const CREATED_BY = /^created by (.+?)(?: in goroutine \d{1,19})?$/s;

function parseGoStack(lines: readonly string[]): TextError {
  const first = lines.findIndex((line) => GOROUTINE.test(line));
  if (first === -1) return parseWrappedErrors(lines);
  const own = lines.slice(first + 1);
  const next = own.findIndex((line) => GOROUTINE.test(line));
  const { stacks } = parseStacks(next === -1 ? own : own.slice(0, next));
  const frames = markRecovery(stacks.flat());
  const header = lines.slice(0, first);
  const at = header.findIndex((line) => PANIC.test(line));
  const [, type, message = ""] = PANIC.exec(header[at] ?? "") ?? [];
  if (type === undefined) return createError({ frames });
  const rest = header.slice(at + 1);
  // The panics that repeat the first one, and the signal, follow the message.
  const end = rest.findIndex((line) => /^(?:\tpanic: |\[signal |goroutine )/.test(line));
  const text = [message.replace(RECOVERED, ""), ...(end === -1 ? rest : rest.slice(0, end))];
  return createError({ type, message: joinMessage(text), frames });
}

/**
 * Deferred functions that ran because of a panic are above it in the stack. They recover all panics
 * of an application, so none of them names the fault.
 */
function markRecovery(frames: readonly Frame[]): Frame[] {
  const origin = frames.findLastIndex(
    (frame) => frame.function === "panic" && frame.module === undefined,
  );
  return frames.map((frame, index) => (index < origin ? { ...frame, inApp: false } : frame));
}

/**
 * An error and the errors that wrap it, each with its text and perhaps a stack, the first cause
 * first. Together they are one error, whose text is joined as `Error()` joins it, with the stack of
 * the first cause.
 */
function parseWrappedErrors(lines: readonly string[]): TextError {
  const { stacks, texts } = parseStacks(lines);
  const message = texts.reverse().join(": ");
  return createError({ frames: stacks[0] ?? [], ...(message !== "" && { message }) });
}

/** The stacks of a text, and the lines around them. */
function parseStacks(lines: readonly string[]): { stacks: Frame[][]; texts: string[] } {
  const stacks: Frame[][] = [];
  const texts: string[] = [];
  let stack: Frame[] | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "" || line.startsWith("\t")) continue;
    const [, file, position] = PLACE.exec(lines[at + 1] ?? "") ?? [];
    if (file === undefined) {
      texts.push(line);
      stack = undefined;
      continue;
    }
    if (stack === undefined) {
      stack = [];
      stacks.push(stack);
    }
    stack.push(createFrame("go", { ...splitName(getName(line)), file, line: position }));
    at++;
  }
  return { stacks, texts };
}

/** The function without its arguments: `main.(*Bill).Total(0xc000012345, 0x2a)`. */
function getName(line: string): string {
  const created = CREATED_BY.exec(line)?.[1];
  if (created !== undefined) return created;
  return line.endsWith(")") ? line.slice(0, line.lastIndexOf("(")) : line;
}

/** The import path and the rest: `github.com/acme/shop/bill` and `(*Bill).Total`. */
function splitName(name: string): { readonly module?: string; readonly function: string } {
  const generics = name.indexOf("[");
  const path = generics === -1 ? name : name.slice(0, generics);
  const dot = path.indexOf(".", path.lastIndexOf("/") + 1);
  if (dot < 1) return { function: name };
  // The linker escapes dots in the last segment of an import path.
  return { module: name.slice(0, dot).replaceAll("%2e", "."), function: name.slice(dot + 1) };
}
