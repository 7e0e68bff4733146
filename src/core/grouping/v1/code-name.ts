/**
 * Grouping, version 1: names the code of a frame as `module#function`, equal for all builds of the
 * same source. Compilers and SDKs add to these names: numbers of closures, generated classes,
 * hashes, argument types. Pure; linear in the length of the names.
 */
import type { Frame, Platform } from "../../report.ts";

/** The code of a frame. Both names are empty if unknown. */
export interface CodeName {
  readonly module: string;
  readonly name: string;
  /** A part of the function around it, in the next frame: a comprehension in Python. */
  readonly isInner?: true;
  /** Code that exists only at run time: a proxy or an accessor. */
  readonly isGenerated?: true;
}

/** The members of a frame that name its code. */
export type NamedFrame = Pick<Frame, "function" | "module" | "file" | "package" | "line" | "inApp">;

const MAX_NAME_CHARS = 400;

/** The cleaned names of a frame. */
export function nameCode(frame: NamedFrame, platform: Platform): CodeName {
  const cleaned = CLEANERS[platform]({
    name: (frame.function ?? "").slice(0, MAX_NAME_CHARS),
    module: (frame.module ?? "").slice(0, MAX_NAME_CHARS),
    getPath: () => toPathModule(frame.file ?? ""),
    package: frame.package ?? "",
  });
  // A placeholder of a symbolizer, an obfuscator or a scrubber is no name.
  return PLACEHOLDER.test(cleaned.name) ? { ...cleaned, name: "" } : cleaned;
}

const PLACEHOLDER =
  /^(?:\?+|<?(?:unknown|redacted|anonymous|deduplicated_symbol)>?|stripped_application_code|0x[\da-f]+|\[.*\])$/i;

interface RawNames {
  readonly name: string;
  readonly module: string;
  /** The file as a module: `billing/bill`. Most frames do not need it. */
  readonly getPath: () => string;
  readonly package: string;
}

type Cleaner = (raw: RawNames) => CodeName;

/** Folders that say where code is installed, not what it is. */
const ROOT_FOLDER =
  /^(?:app|src|lib|libs|source|sources|srv|usr|var|www|html|htdocs|public_html|current|work|workspace|home|code|build|dist|release|releases|site|project|repo|opt|data|main|go|tmp|[a-z]:)$/i;

/**
 * The last two segments of a path, without ending and hash: `billing/bill`. Leaves out a folder
 * that is a usual root or belongs to one release.
 */
function toPathModule(path: string): string {
  const segments = path
    .slice(-MAX_NAME_CHARS)
    .replace(/^[a-z][a-z\d+.-]{0,30}:\/\/[^/]*/i, "")
    .replace(/[?#].*$/s, "")
    .split(/[\\/]+/)
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..");
  const file = (segments.pop() ?? "").replace(/\.\w{1,6}$/, "").replace(/[.-][\da-f]{8,}$/i, "");
  const folder = segments.pop();
  const isRoot =
    folder === undefined || ROOT_FOLDER.test(folder) || /\d{4}|[\da-f]{7}/i.test(folder);
  return isRoot ? file : `${folder}/${file}`;
}

/** `libc.so` for `/lib/libc.so.6`, in lower case. */
function getImage(path: string): string {
  return afterLastOf(path, "/", "\\")
    .toLowerCase()
    .replace(/\.so(?:\.\d+)+$/, ".so");
}

/** The text without what is between matching brackets, at any depth. */
function removeBracketed(text: string, open: string, close: string): string {
  let depth = 0;
  let kept = "";
  for (const char of text) {
    if (char === open) depth += 1;
    else if (char === close && depth > 0) depth -= 1;
    else if (depth === 0) kept += char;
  }
  return kept;
}

function afterLast(text: string, separator: string): string {
  const at = text.lastIndexOf(separator);
  return at === -1 ? text : text.slice(at + separator.length);
}

/** The text after the last of two characters. */
function afterLastOf(text: string, one: string, other: string): string {
  return text.slice(Math.max(text.lastIndexOf(one), text.lastIndexOf(other)) + 1);
}

/** A comprehension has a frame of its own before Python 3.12. */
const PYTHON_INNER = /^<(?:listcomp|setcomp|dictcomp|genexpr)>$/;

function cleanPython({ name, module, getPath }: RawNames): CodeName {
  const last = afterLast(name, ".<locals>.");
  return {
    module: module === "" || module === "__main__" ? getPath() : module,
    name: last,
    ...(PYTHON_INNER.test(last) && { isInner: true }),
  };
}

/** Ruby 3.4 adds the class, and Rails compiles a template to a method with two numbers. */
function cleanRuby({ name, getPath }: RawNames): CodeName {
  const method = name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d{1,3} levels\))? in )+/, "");
  const bare = /^<.*>$/.test(method) ? method : afterLastOf(method, "#", ".");
  return { module: getPath(), name: bare.replace(/_{2,}\d{4,}_\d+$/, "") };
}

function cleanPhp({ name, getPath }: RawNames): CodeName {
  const closed = name.replace(/\{closure:.*\}/s, "{closure}");
  const at = closed.lastIndexOf("::");
  const owner = at === -1 ? "" : closed.slice(0, closed.indexOf("::"));
  const isNamed = owner !== "" && !owner.includes("@anonymous");
  const bare = closed.slice(at === -1 ? 0 : at + 2);
  return { module: isNamed ? owner : getPath(), name: afterLast(bare, "\\") };
}

/** Classes that proxies and the compiler create from another class. */
const JAVA_GENERATED_SUFFIX =
  /(?:\$\$(?:Lambda|Enhancer|Spring|FastClass|ExternalSynthetic|InternalSynthetic|_)|_\$\$_javassist|_\$\$_jvst|\$HibernateProxy\$|\$ByteBuddy\$|\$MockitoMock\$|\$auxiliary\$|_Subclass$|_ClientProxy$|\/0x[\da-f]).*$/;
/** Methods of the function objects that compilers create. Their class has the function's name. */
const JAVA_INVOKE =
  /^(?:invoke|invokeSuspend|invokeStatic|doInvoke|doCall|run|call|apply|accept|get|test|emit|collect|onClick|resume\w*)$/;

function cleanJava({ name, module, getPath }: RawNames): CodeName {
  let method = name
    .replace(/^lambda\$(.+?)\$\d+$/, "$1")
    .replace(/^\$?anonfun\$(\w+?)\$.*$/, "$1")
    .replace(/^access\$([a-z]\w*)$/i, "$1")
    .replace(/\$(?:lambda|default|suspendImpl)(?:\$\d+)*$|(?:\$lambda\$\d+)+$|-[\w-]{7}$/, "");
  const [head = "", ...inner] = module.replace(JAVA_GENERATED_SUFFIX, "").split("$");
  const kept = [head];
  for (const part of inner) {
    const bare = part.replace(/__\d+$/, "");
    if (/^\d*$/.test(bare) || /^(?:inlined|sam|lambda|fn)$/.test(bare)) continue;
    if (!/^[a-z]/.test(bare)) kept.push(bare);
    else if (JAVA_INVOKE.test(method)) method = bare;
  }
  const isGenerated = /Generated\w*Accessor|\$?Proxy\d+$|LambdaForm/.test(module);
  return {
    module: kept.join("$") || getPath(),
    name: method,
    ...(isGenerated && { isGenerated: true }),
  };
}

/** The C# compiler moves lambdas and async methods to generated classes. */
function cleanDotnet({ name, module, getPath }: RawNames): CodeName {
  const [type = ""] = module.split(",", 1);
  const machine = /[+.]<(\w+)>d(?:__\d+)?(?:`\d+)?$/.exec(type) ?? /^<(\w+)>d__\d+/.exec(name);
  let owner = removeBracketed(type, "[", "]")
    .replace(/`\d+/g, "")
    .replace(/[+.]<.*$/s, "");
  let method = machine?.[1] ?? name;
  method = /<(\w+)>[a-z]__/.exec(method)?.[1] ?? method;
  const open = method.indexOf("(");
  if (open !== -1) method = afterLast(method.slice(0, open).trimEnd(), " ");
  method = removeBracketed(method.split(/[+{|]/, 1)[0] ?? "", "[", "]")
    .replace(/`\d+|@\d+(?:-\d+)?$/g, "")
    .replace(/<.*$/s, "");
  if (owner === "" && /\w\.\w/.test(method)) {
    owner = method.slice(0, method.lastIndexOf("."));
    method = afterLast(method, ".");
  }
  // Some SDKs repeat the class before the method.
  const prefix = `${afterLast(owner, ".")}.`;
  if (method.startsWith(prefix)) method = method.slice(prefix.length);
  return {
    module: owner || getPath(),
    name: method,
    ...(method.startsWith("lambda_method") && { isGenerated: true }),
  };
}

/** The end of the name of a closure, or of a wrapper that the compiler creates. */
const GO_CLOSURE = /(?:\.(?:func|gowrap|deferwrap)?\d{1,6}|-fm|-range\d{1,6})$/;
const MAX_CLOSURES = 8;

function cleanGo({ name, module, getPath }: RawNames): CodeName {
  const at = name.lastIndexOf("/") + 1;
  const dot = name.indexOf(".", at);
  const isQualified = module === "" && dot !== -1;
  const owner = isQualified ? name.slice(0, dot) : module || getPath();
  let method = removeBracketed(isQualified ? name.slice(dot + 1) : name, "[", "]");
  for (let depth = 0; depth < MAX_CLOSURES; depth++) method = method.replace(GO_CLOSURE, "");
  return { module: owner.replace(/@v[\w.+-]+/, "").replace(/\/v\d+$/, ""), name: method };
}

/** `shop::Bill::fmt` for `<shop::Bill as core::fmt::Display>::fmt`. */
function resolveImplementation(name: string): string {
  const as = name.indexOf(" as ");
  const type = as === -1 ? undefined : /^_?<(?:&(?:mut )?|dyn )?([\w:]{1,200})/.exec(name)?.[1];
  const end = name.indexOf(">::", as);
  return type === undefined || end === -1 ? name : `${type}::${name.slice(end + 3)}`;
}

function cleanRust({ name, module, getPath }: RawNames): CodeName {
  const bare = removeBracketed(
    resolveImplementation(
      name
        .replace(/::h[\da-f]{16}$/, "")
        .replace(/::\{+(?:closure|async_\w+|closure_env|impl)[^}]*\}+/g, ""),
    ),
    "<",
    ">",
  ).replace(/:{3,}/g, "::");
  const at = bare.lastIndexOf("::");
  if (at === -1) return { module: module || getPath(), name: bare };
  return { module: bare.slice(0, at), name: bare.slice(at + 2) };
}

function cleanElixir({ name, module, getPath }: RawNames): CodeName {
  const around =
    /^anonymous fn\/\d+ in (.+)$/s.exec(name)?.[1] ??
    /^-(.+?\/\d+)-(?:fun|lc|inlined|lbc)-/.exec(name)?.[1] ??
    name;
  const bare = around.replace(/\(.*$/s, "");
  const at = bare.lastIndexOf(".", bare.includes("/") ? bare.indexOf("/") : undefined);
  const owner = module || (at > 0 ? bare.slice(0, at) : getPath());
  return { module: owner.replace(/^Elixir\./, ""), name: bare.slice(at + 1) };
}

/** Marks of compilers around a function of C, C++, Objective-C or Swift. */
const SWIFT_PREFIX =
  /^(?:(?:specialized|merged|implicit|partial apply for|@objc|@nonobjc|static|\(\d+\) (?:await|suspend) resume partial function for|(?:implicit )?closure #\d+(?: \([^)]{0,200}\))? in|thunk for) )+/;
const NATIVE_ANONYMOUS =
  /\?A0x[\da-f]+|`anonymous(?:-| )namespace'|\(anonymous namespace\)|_INTERNAL[\da-f]+|_GLOBAL__N_\w+/gi;
const NATIVE_LAMBDA = /<lambda_[\da-f]+>|\{lambda\([^)]{0,200}\)#\d+\}|\$_\d+/g;

function cleanNative({ name, getPath, ...raw }: RawNames): CodeName {
  const image = getImage(raw.package);
  let bare = name
    .replace(/ \[clone .*$/s, "")
    .replace(/(?:\.(?:part|isra|constprop|cold|llvm|lto_priv|resume|destroy))(?:\.\d+)?/g, "")
    .replace(/^__\d+(?=[+-]\[)/, "")
    .replace(/(?:_block_invoke(?:_\d+)?)+$/, "")
    .replace(SWIFT_PREFIX, "")
    .replace(NATIVE_ANONYMOUS, "(anon)")
    .replace(NATIVE_LAMBDA, "<lambda>")
    .replace(/\$VARIANT\$\w+$/, "");
  if (!/^[+-]\[/.test(bare)) {
    bare = removeBracketed(bare.replace("operator()", "operator@"), "<", ">")
      .replace(/\((?!anon\)).*$/s, "")
      .replace(/^.*[\w*&>] (?=[\w:~(]+$)/s, "")
      .trim();
  }
  return { module: image || getPath(), name: bare };
}

function cleanOther({ name, module, getPath }: RawNames): CodeName {
  const bare = name.replace(/(?:\.?<(?:anonymous closure|fn|anonymous)>)+$/, "");
  return { module: module || getPath(), name: bare };
}

const CLEANERS: Readonly<Record<Platform, Cleaner>> = {
  javascript: cleanOther,
  "react-native": cleanOther,
  python: cleanPython,
  ruby: cleanRuby,
  php: cleanPhp,
  java: cleanJava,
  dotnet: cleanDotnet,
  go: cleanGo,
  rust: cleanRust,
  elixir: cleanElixir,
  native: cleanNative,
  other: cleanOther,
};
