/**
 * Parses stacks of Elixir and Erlang: exceptions, exits with their reasons, and stacks as terms.
 * Linear in the length of the text; never throws. Sources: the documentation of Elixir's
 * `Exception.format` and of Erlang's `erl_error`.
 */
import type { Frame } from "../../report.ts";
import {
  createError,
  createFrame,
  joinMessage,
  type StackFormat,
  type TextError,
} from "./text-error.ts";

export const ELIXIR_STACK: StackFormat = {
  platform: "elixir",
  isOwnLine: (line) => parseFrame(line) !== undefined || TERM.test(line),
  parse: parseElixirStack,
};

/** `** (KeyError) key :price not found`; exits are nested below the error that they caused. */
const HEADER = /^(\s*)(?:\[\w{1,20}\] )?\*\* \(([\w.]+|EXIT from [^)]{1,80})\) ?(.*)$/s;
/** The application, place and function: `(shop 0.1.0) lib/bill.ex:12: Shop.Bill.total/2`. */
const FRAME =
  /^(\s*)(?:\(([a-z]\w{0,100})(?: ([^()\s]{1,100}))?\) )?(?:([^\s:()]{1,500}):(\d{1,9}): )?(\S.*)$/s;
const CALL = /^(?:anonymous fn\/\d+ in )?(?::?[\w.]+\.|:"[^"]*"\.|#Function<)[^\s]/;
/** Code outside of functions. */
const BODY = /^\((?:file|module|test)\)$/;
const ARITY = /\/\d{1,3}$/;
/** `in function  shop_bill:total/2 (src/shop_bill.erl, line 12)`. */
const ERLANG_FRAME =
  /^\s*(?:in function|in call from|called as) {1,2}(\S{1,200}?):(\S{1,200}\/\d{1,3})(?: \(([^(),]{1,500}), line (\d{1,9})\))?$/;
/** `{shop_bill,total,2,[{file,"src/shop_bill.erl"},{line,12}]}`. */
const TERM =
  /\{('[^']{1,200}'|\w{1,200}),\s{0,40}('[^']{1,200}'|\w{1,200}),\s{0,40}(\d{1,3}),\s{0,40}\[(?:\{file,\s{0,40}"([^"]{0,500})"\},\s{0,40}\{line,(\d{1,9})\})?/;
const TERMS = new RegExp(TERM.source, "g");
const ERLANG_HEADER = /^(?:\*\* )?exception (error|exit|throw): (.*)$/s;
const REASON = "an exception was raised:";

function parseElixirStack(lines: readonly string[]): TextError {
  const root = createError();
  // The errors whose frames may follow, by their indentation.
  let open: Section[] = [];
  const messages = new Map<TextError, string[]>();
  for (const line of lines) {
    const erlang = ERLANG_HEADER.exec(line);
    const [, indent = "", type, text = ""] = erlang
      ? ["", "", erlang[1], erlang[2]]
      : (HEADER.exec(line) ?? []);
    const indented = parseFrame(line);
    if (type !== undefined && text !== REASON) {
      open = open.filter((section) => section.indent < indent.length);
      const parent = open.at(-1)?.error;
      const error = parent === undefined ? root : createError();
      // A second error without indentation belongs to another event.
      if (parent === undefined && root.type !== undefined) break;
      parent?.children.push(error);
      error.type = type;
      messages.set(error, [text]);
      open.push({ indent: indent.length, error });
    } else if (indented !== undefined) {
      const { frame, indent: column } = indented;
      const owner = open.findLast((section) => section.indent < column);
      (owner?.error ?? root).frames.push(frame);
    } else if (type === undefined) {
      const error = open.at(-1)?.error;
      if (error !== undefined && error.frames.length === 0)
        messages.get(error)?.push(line.trimStart());
    }
  }
  for (const [error, message] of messages) error.message = joinMessage(message);
  if (root.frames.length === 0) root.frames = parseTerms(lines);
  return root;
}

interface Section {
  readonly indent: number;
  readonly error: TextError;
}

function parseFrame(line: string): { readonly frame: Frame; readonly indent: number } | undefined {
  const erlang = ERLANG_FRAME.exec(line);
  if (erlang !== null) {
    const [, module, name, file, position] = erlang;
    return {
      frame: createFrame("elixir", { module, function: name, file, line: position }),
      indent: 4,
    };
  }
  const [, indent = "", app, version, file, position, call = ""] = FRAME.exec(line) ?? [];
  // Without an application or a place, a line of text looks like a call.
  if (indent === "" || (app === undefined && file === undefined)) return undefined;
  const isCode = CALL.test(call) || BODY.test(call);
  if (!isCode || (file === undefined && version === undefined)) return undefined;
  const frame = createFrame("elixir", {
    ...splitCall(call),
    file,
    line: position,
    package: app === undefined ? undefined : [app, version].filter(Boolean).join(" "),
  });
  return { frame, indent: indent.length };
}

/**
 * The module and the function with its arity: `Shop.Bill` and `total/2`. The newest frame may have
 * the arguments instead of the arity.
 */
function splitCall(call: string): { readonly module?: string; readonly function: string } {
  if (BODY.test(call)) return { function: call };
  const [prefix = ""] = /^anonymous fn\/\d+ in /.exec(call) ?? [];
  const name = ARITY.test(call) ? call.slice(prefix.length) : countArguments(call);
  const quoted = name.indexOf('."');
  const dot = quoted > 0 ? quoted : name.lastIndexOf(".", name.search(/\/\d{1,3}$/));
  if (dot < 1) return { function: prefix + name };
  return { module: name.slice(0, dot), function: prefix + name.slice(dot + 1) };
}

/** `total/2` for `total(nil, [1, 2])`. */
function countArguments(call: string): string {
  const open = call.indexOf("(");
  if (open === -1) return call;
  let depth = 0;
  let count = /^\(\s*\)/.test(call.slice(open)) ? 0 : 1;
  let quote = "";
  for (let at = open; at < call.length; at++) {
    const char = call[at] ?? "";
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if ("([{<".includes(char)) depth++;
    else if (")]}>".includes(char)) depth--;
    else if (char === "," && depth === 1) count++;
  }
  return `${call.slice(0, open)}/${count}`;
}

/** The frames of an Erlang stack that was printed as a term. */
function parseTerms(lines: readonly string[]): Frame[] {
  const frames: Frame[] = [];
  for (const [, module, name, arity, file, position] of lines.join(" ").matchAll(TERMS)) {
    const unquoted = (name ?? "").replaceAll("'", "");
    const owner = (module ?? "").replaceAll("'", "").replace(/^Elixir\./, "");
    frames.push(
      createFrame("elixir", {
        module: owner,
        function: `${unquoted}/${arity}`,
        file,
        line: position,
      }),
    );
  }
  return frames;
}
