/**
 * Parses stacks of PHP: uncaught exceptions, `Throwable::__toString` with previous exceptions,
 * `getTraceAsString`, and the form of the OpenTelemetry SDK. Linear in the length of the text;
 * never throws. Sources: the PHP manual, `Exception::__toString`, `Exception::getTraceAsString`.
 */
import type { Frame } from "../../report.ts";
import { INTERNAL_PHP_FILE, parseJavaStack } from "./java-stack.ts";
import {
  createError,
  createFrame,
  joinMessage,
  parseHeader,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const PHP_STACK: StackFormat = {
  platform: "php",
  isOwnLine: (line) => CALL.test(line) || OTEL_FRAME.test(line),
  parse: (lines) =>
    lines.some((line) => OTEL_FRAME.test(line)) && !lines.some((line) => CALL.test(line))
      ? parseJavaStack(lines, "php")
      : parsePhpStack(lines),
};

/** `#0 /srv/Pay.php(30): Shop\Bill->total(Array)`: the place that called the function. */
const CALL = /^\s*#\d{1,5} (?:(\S.{0,1000})\((\d{1,9})\)|\[internal function\]): (\S.*)$/s;
const MAIN = /^\s*#\d{1,5} \{main\}$/;
const OTEL_FRAME = /^\s*at [^()\s]{1,500}\([^()]{1,500}\.php(?::\d{1,9})?\)$/;
/** The end of ` in /srv/Bill.php:12`, or of ` in /srv/Bill.php on line 12` in a log. */
const POSITION = /(?: on line |:)(\d{1,9})$/;
/** Laravel: `[object] (Shop\Bill\NoPrice(code: 0): no price at /srv/Bill.php:12)`. */
const LOGGED =
  /^\[object\] \(([\w\\]{1,200})\(code: [^()]{1,40}\): (.*) at ([^\s:]{1,500}):(\d{1,9})\)$/s;
const HEADER =
  /^(?:PHP )?(?:Fatal error: {1,2})?(?:Uncaught |Next )?((?:\w+\\)*[A-Za-z_]\w*(?:@anonymous)?)(?:: (.*))?$/s;
const NEXT = /^Next /;
const LAST = /^\s*thrown in /;

/** The cause comes first; `Next` begins the exception that was thrown because of it. */
function parsePhpStack(lines: readonly string[]): TextError {
  let header: string[] = [];
  let calls: Call[] = [];
  let error: TextError | undefined;
  const complete = (): void => {
    const next = createPhpError(header, calls);
    if (error !== undefined) next.children.push(error);
    error = next;
    header = [];
    calls = [];
  };
  for (const line of lines) {
    const [, file, position, name] = CALL.exec(line) ?? [];
    if (name !== undefined)
      calls.push({ file: file ?? INTERNAL_PHP_FILE, line: position, function: toFunction(name) });
    else if (NEXT.test(line) && calls.length > 0) {
      complete();
      header.push(line);
    } else if (MAIN.test(line)) calls.push({});
    else if (calls.length === 0) header.push(line);
    else if (LAST.test(line)) break;
  }
  complete();
  return error ?? createError();
}

interface Call {
  readonly file?: string | undefined;
  readonly line?: string | undefined;
  readonly function?: string;
}

/** Each call names the place of the frame below it, and the header names the newest place. */
function createPhpError(header: readonly string[], calls: readonly Call[]): TextError {
  const { place: newest, ...described } = parsePhpHeader(header);
  const frames: Frame[] = [];
  let place = newest;
  for (const call of calls) {
    const frame = createFrame("php", { ...place, function: call.function });
    if (frame.file !== undefined || frame.function !== undefined) frames.push(frame);
    place = call;
  }
  if (place.file !== undefined && calls.length > 0)
    frames.push(createFrame("php", { file: place.file, line: place.line }));
  return createError({ ...described, frames });
}

type Place = Pick<Call, "file" | "line">;

function parsePhpHeader(
  header: readonly string[],
): Pick<TextError, "type" | "message"> & { readonly place: Place } {
  const end = header.findIndex((line) => /^\s*(?:Stack trace:|\[stacktrace\])$/i.test(line));
  const own = end === -1 ? header : header.slice(0, end);
  const last = own.at(-1) ?? "";
  const logged = LOGGED.exec(last.slice(Math.max(0, last.lastIndexOf("[object] ("))));
  if (logged !== null) {
    const [, type = "", message, file, line] = logged;
    // The log has the class in JSON.
    return { type: type.replaceAll("\\\\", "\\"), message, place: { file, line } };
  }
  const text = joinMessage(own);
  const position = POSITION.exec(text);
  const at = position === null ? -1 : text.lastIndexOf(" in ", position.index);
  if (position === null || at === -1) return { ...parseHeader(own, HEADER), place: {} };
  const place = { file: text.slice(at + " in ".length, position.index), line: position[1] };
  return { ...parseHeader(text.slice(0, at).split("\n"), HEADER), place };
}

/** `Shop\Bill::total` for `Shop\Bill->total(Array)`. Laravel writes backslashes as in JSON. */
function toFunction(call: string): string {
  const closure = call.indexOf("{closure");
  const open = call.indexOf("(", closure === -1 ? 0 : call.indexOf("}", closure));
  return (open === -1 ? call : call.slice(0, open)).replace("->", "::").replaceAll("\\\\", "\\");
}
