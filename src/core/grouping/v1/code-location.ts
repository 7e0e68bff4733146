/**
 * Grouping, version 1: where an error happened, outside of JavaScript. The place is the newest
 * frame of the application as `module#function`: lines, columns and addresses change with every
 * build, and older frames with every refactoring of a caller.
 */
import type { Frame, KeyPart, Platform } from "../../report.ts";
import { type CodeName, type NamedFrame, nameCode } from "./code-name.ts";

/** Frames of libraries that name the place if the stack has no frame of the application. */
const LIBRARY_FRAMES = 2;

/** Errors whose depth decides which function is the newest. */
const STACK_OVERFLOW =
  /(?:^|\.)(?:RecursionError|StackOverflowError|SystemStackError|(?:InsufficientExecutionStack|StackOverflow)Exception)$/;

/** Functions that report a failure. They are never its place. */
const REPORTERS = new Set(
  `abort __abort abort_message default_terminate_handler demangling_terminate_handler
  _objc_terminate __report_load CrashpadClient HandleAbortSignal HandleSignal malloc_report
  malloc_error_break gpusGenerateCrashLog gpus_ReturnNotPermittedKillClient raise kill tgkill
  pthread_kill __pthread_kill __pthread_kill_implementation __kernel_rt_sigreturn syscall gsignal
  __restore_rt terminate __cxa_throw _CxxThrowException RaiseException objc_exception_throw
  __exceptionPreprocess rust_panic rust_begin_unwind begin_panic panic_fmt panic unwrap_failed
  expect_failed panic_bounds_check panic_display gopanic panicmem sigpanic panicIndex goPanicIndex
  KiUserExceptionDispatcher memcpy memset memmove strlen malloc free calloc objc_msgSend
  objc_release objc_retain __assert_fail __assert_rtn assertion_failed _assertionFailure`.split(
    /\s+/,
  ),
);

/** Code of a standard library or a thread start, between two functions of the application. */
const GLUE =
  /^(?:std|boost|__gnu_cxx|__cxxabiv1|eastl|folly|absl)::|(?:^|::)(?:operator@|<lambda>|lambda::operator@)$|^(?:_*start|_*w?main|w?WinMain|invoke_main|\w*CRTStartup|__scrt_\w+|thread_start|start_wqthread|_pthread_(?:start|body|wqthread)|__pthread_start|__start_thread|start_thread|clone|__clone|BaseThreadInitThunk|RtlUserThreadStart|__libc_\w+)$|^_*(?:swift_(?:retain|release|dealloc)|objc_|CFRelease|CFRetain|dispatch_|_dispatch_|block_destroy_helper|pthread_|Rtl\w*Heap|nano\w*_|malloc_|free_|tiny_|szone_)/;
const ENTRY = /^_*w?main$/;

/** The place of an error as a part of its key; undefined if the stack names no code. */
export function locateError(
  sentFrames: readonly NamedFrame[],
  platform: Platform,
  type: string,
  isFatal = false,
): KeyPart | undefined {
  const frames = skipBuiltIn(skipHandlers(sentFrames, platform, isFatal), platform);
  if (STACK_OVERFLOW.test(type)) {
    const own = frames.filter(({ inApp }) => inApp).map((frame) => nameCode(frame, platform));
    const [first] = own.filter(isNamed).map(format).sort();
    if (first !== undefined) return { role: "function", value: first };
  }
  for (const index of frames.keys()) {
    const place = nameFunction(frames, index, platform);
    if (place !== undefined) return { role: "function", value: format(place) };
  }
  return locateInLibraries(frames, platform);
}

/**
 * The functions of the application in a stack, newest first, each once, as `locateError` names
 * one. A function of an image without symbols is a place in it: `shop+0x7770`.
 */
export function listFunctions(
  sentFrames: readonly (NamedFrame & Pick<Frame, "imageOffset">)[],
  platform: Platform,
  isFatal: boolean,
): readonly string[] {
  const frames = skipBuiltIn(skipHandlers(sentFrames, platform, isFatal), platform);
  const names = frames.flatMap((frame, index) => {
    const place = nameFunction(frames, index, platform);
    if (place !== undefined) return format(place);
    const { module, name } = nameCode(frame, platform);
    const isUnnamed = frame.inApp && isCompiled(platform) && name === "" && module !== "";
    return isUnnamed && frame.imageOffset !== undefined ? `${module}+${frame.imageOffset}` : [];
  });
  return [...new Set(names)];
}

const isCompiled = (platform: Platform): boolean => platform === "native" || platform === "rust";

/** The code of a frame of the application; undefined for a frame that cannot be the place. */
function nameFunction(
  frames: readonly NamedFrame[],
  index: number,
  platform: Platform,
): CodeName | undefined {
  const frame = frames[index];
  if (!frame?.inApp) return undefined;
  const place = nameCode(frame, platform);
  if (place.isGenerated || !isNamed(place)) return undefined;
  if (isCompiled(platform) && (place.name === "" || isReporter(place) || isGlue(place)))
    return undefined;
  const outer = place.isInner ? findOuter(frames.slice(index + 1), place, platform) : undefined;
  return outer ?? place;
}

/**
 * Functions of a runtime that call handlers of a failure: newer frames are those of the handler.
 */
const HANDLER_CALLS: Partial<Record<Platform, RegExp>> = {
  go: /^(?:runtime\.)?(?:go)?panic$/,
  native: /^(?:_sigtramp|__kernel_rt_sigreturn|__restore_rt|KiUserExceptionDispatcher)$/,
};

/** The frames of the failure, without those of a handler that recovered from it or recorded it. */
function skipHandlers<T extends NamedFrame>(
  frames: readonly T[],
  platform: Platform,
  isFatal: boolean,
): readonly T[] {
  const pattern = HANDLER_CALLS[platform];
  if (pattern === undefined) return frames;
  const at = frames.findLastIndex((frame) => pattern.test(frame.function ?? ""));
  if (at !== -1 && at < frames.length - 1) return frames.slice(at + 1);
  return platform === "go" && isFatal ? skipDeferred(frames) : frames;
}

const RECOVERING_FUNCTION = /recover|panic/i;
const CLOSURE = /\.func\d+(?:\.\d+)*$/;

/**
 * The SDK of Go takes the stack of a panic in the function that recovers, and omits the frames of
 * the runtime. That function is a deferred closure of a function further down, or its name says it.
 */
function skipDeferred<T extends NamedFrame>(frames: readonly T[]): readonly T[] {
  const at = frames.findIndex(({ function: name = "", inApp }, index) => {
    if (!inApp || RECOVERING_FUNCTION.test(name)) return false;
    const outer = name.replace(CLOSURE, "");
    return outer === name || !frames.slice(index + 1).some((frame) => frame.function === outer);
  });
  return at <= 0 ? frames : frames.slice(at);
}

/** A built-in function of Ruby or PHP has the position of the call, as the frame of its caller. */
function skipBuiltIn<T extends NamedFrame>(frames: readonly T[], platform: Platform): readonly T[] {
  if (platform !== "ruby" && platform !== "php") return frames;
  const at = frames.findIndex(({ file, line }, index) => {
    const caller = frames[index + 1];
    return line === undefined || caller?.file !== file || caller?.line !== line;
  });
  return at <= 0 ? frames : frames.slice(at);
}

/** The next function of the application after `location`, the one that `locateError` returns. */
export function locateCaller(
  frames: readonly NamedFrame[],
  platform: Platform,
  location: string,
): string | undefined {
  let isAfter = false;
  for (const frame of frames) {
    if (!frame.inApp) continue;
    const place = nameCode(frame, platform);
    if (place.isGenerated || place.isInner || place.name === "") continue;
    if (format(place) === location) isAfter = true;
    else if (isAfter) return format(place);
  }
  return undefined;
}

/** The function that contains a comprehension. */
function findOuter(
  frames: readonly NamedFrame[],
  inner: CodeName,
  platform: Platform,
): CodeName | undefined {
  for (const frame of frames) {
    if (!frame.inApp) continue;
    const place = nameCode(frame, platform);
    if (!place.isInner && place.module === inner.module) return place;
  }
  return undefined;
}

/**
 * Without a frame of the application: the newest named frames that are not the reporting of the
 * failure. Without any name: the images, never the addresses.
 */
function locateInLibraries(frames: readonly NamedFrame[], platform: Platform): KeyPart | undefined {
  const functions = new Set<string>();
  const images: { readonly module: string; readonly inApp: boolean }[] = [];
  for (const frame of frames) {
    const place = nameCode(frame, platform);
    if (place.module !== "") images.push({ module: place.module, inApp: frame.inApp });
    if (place.name === "" || place.isGenerated || isReporter(place) || GLUE.test(place.name))
      continue;
    functions.add(format(place));
    if (functions.size === LIBRARY_FRAMES) break;
  }
  if (functions.size > 0) return { role: "function", value: [...functions].join(" < ") };
  if (images.length === 0) return undefined;
  const own = images.filter(({ inApp }) => inApp);
  const modules = new Set((own.length > 0 ? own : images).map(({ module }) => module));
  return { role: "package", value: [...modules].slice(0, LIBRARY_FRAMES).join(" < ") };
}

function isNamed({ module, name }: CodeName): boolean {
  return module !== "" || name !== "";
}

function isReporter({ name }: CodeName): boolean {
  return REPORTERS.has(name) || REPORTERS.has(name.slice(name.lastIndexOf(":") + 1));
}

/** A program's own `main` is its code, and all other glue is not. */
function isGlue({ name }: CodeName): boolean {
  return GLUE.test(name) && !ENTRY.test(name);
}

function format({ module, name }: CodeName): string {
  return `${module}#${name}`;
}
