/**
 * Parses stacks of the JVM: Java, Kotlin, Scala, Groovy and Clojure, also on Android; and of PHP as
 * OpenTelemetry writes them, which has the same form. Linear in the length of the text; never
 * throws. Sources: the documentation of `Throwable.printStackTrace`, the layouts of Logback, and
 * `StackTraceFormatter` of the OpenTelemetry SDK for PHP.
 */
import type { Frame, Platform } from "../../report.ts";
import {
  createError,
  createFrame,
  isErrorHeader,
  joinMessage,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const JAVA_STACK: StackFormat = {
  platform: "java",
  isOwnLine: (line) => !PHP_FILE.test(line) && parseFrame(line, "java") !== undefined,
  parse: (lines) => parseJavaStack(lines, "java"),
};

const HEADER = /^(?:Exception in thread "[^"]*" )?((?:[\w$-]+\.)+[\w$-]+)(?:: ?(.*))?$/s;
/** Logback writes `Wrapped by` if the first cause comes first. */
const BELOW = /^(\s*)(Caused by|Suppressed|Wrapped by): (.*)$/s;
const COMMON_FRAMES = /^\s*\.\.\. (\d{1,9}) (?:more|common frames omitted)/;
/** The first line of a cause. */
const TYPE = /^([^\s:]+)(?:: ?(.*))?$/s;
const LOCATION = /^(?:Native Method|<generated>|(Unknown Source|[^:()<>\s]+)(?::(\d{1,9}))?)$/;
const UNKNOWN_FILE = "Unknown Source";
/** The class loader and the module: `app//`, `java.base/`, `loader/shop@9.0/`. */
const LOADER = /^(?:[\w.@+-]*\/){1,2}(?=[A-Za-z_$])/;
const JAR = /\[([\w.+-]{1,200}\.jar)[:\]]/;
/** The file of code that PHP itself runs, as the Sentry SDK names it. */
export const INTERNAL_PHP_FILE = "[internal]";
const PHP_FILE = /\.php(?::\d+)?\)$/;

/** Parses the errors of a text. `platform` decides how functions are named. */
export function parseJavaStack(lines: readonly string[], platform: "java" | "php"): TextError {
  const toType = (type: string): string => (platform === "php" ? toPhpName(type) : type);
  const first = createError();
  let root = first;
  let current = first;
  let message: string[] = [];
  const header = message;
  // The errors that a line may belong to, by the indentation of their first line.
  let open = [{ indent: -1, error: first }];
  for (const line of lines) {
    const frame = parseFrame(line, platform);
    if (frame !== undefined) {
      current.frames.push(frame);
      continue;
    }
    const [, indent = "", relation, text = ""] = BELOW.exec(line) ?? [];
    if (relation !== undefined) {
      if (text.startsWith("[CIRCULAR REFERENCE")) continue;
      closeMessage(current, message);
      const [, type, rest] = TYPE.exec(text) ?? [undefined, undefined, text];
      message = [rest ?? ""];
      current = createError({ type: type && toType(type) });
      if (relation === "Wrapped by") {
        current.children.push(root);
        root = current;
        open = [{ indent: -1, error: root }];
        continue;
      }
      const isCause = relation === "Caused by";
      const parent = findParent(open, indent.length, isCause);
      // The first child is the cause.
      if (isCause) parent.children.unshift(current);
      else parent.children.push(current);
      open.push({ indent: indent.length, error: current });
    } else if (COMMON_FRAMES.test(line)) {
      current.commonFrames = Number(COMMON_FRAMES.exec(line)?.[1]);
    } else if (current.frames.length === 0) {
      message.push(line);
    } else if (isErrorHeader(line)) {
      // The stack of another error.
      break;
    }
  }
  closeMessage(current, message);
  const described = parseHeader(header, HEADER);
  Object.assign(first, { message: undefined }, described);
  if (described.type !== undefined) first.type = toType(described.type);
  return root;
}

/** The OpenTelemetry SDK writes dots for the backslashes of PHP. */
function toPhpName(name: string): string {
  return name.replaceAll(".", "\\");
}

function closeMessage(error: TextError, message: readonly string[]): void {
  error.message = joinMessage(message);
}

/** The error that contains the indented line. Removes the errors that end before it. */
function findParent(
  open: { readonly indent: number; readonly error: TextError }[],
  indent: number,
  isCause: boolean,
): TextError {
  const isEnded = (error: { readonly indent: number }): boolean =>
    isCause ? error.indent > indent : error.indent >= indent;
  let last = open.at(-1);
  while (open.length > 1 && last !== undefined && isEnded(last)) {
    open.pop();
    last = open.at(-1);
  }
  return last?.error ?? createError();
}

/** `at java.base/java.lang.Thread.run(Thread.java:833) ~[app.jar:1.2]`. */
function parseFrame(line: string, platform: Platform): Frame | undefined {
  const text = line.trimStart();
  if (!text.startsWith("at ")) return undefined;
  const end = text.indexOf(")");
  const start = text.lastIndexOf("(", end);
  const location = end === -1 || start < 4 ? null : LOCATION.exec(text.slice(start + 1, end));
  if (location === null) return undefined;
  const [, source, position] = location;
  const [prefix = ""] = LOADER.exec(text.slice(3, start)) ?? [];
  const name = text.slice(3 + prefix.length, start);
  const dot = name.lastIndexOf(".");
  // JavaScript has a space before the parenthesis. PHP has functions without a class.
  if (name.endsWith(" ") || (dot < 1 && platform !== "php")) return undefined;
  const module = dot < 1 ? "" : name.slice(0, dot);
  const code = name.slice(dot + 1);
  const file = source === UNKNOWN_FILE ? undefined : source;
  const place = { file, line: position };
  if (platform === "php") {
    const owner = module === "" ? "" : `${toPhpName(module)}::`;
    const phpFile = file ?? INTERNAL_PHP_FILE;
    return createFrame(platform, { ...place, file: phpFile, function: owner + code });
  }
  const loaded = prefix.split("/").findLast((part) => part !== "" && part !== "app");
  const jar = JAR.exec(text.slice(end))?.[1];
  return createFrame(platform, { ...place, module, function: code, package: jar ?? loaded });
}
