/**
 * Parses the stacks of Sentry events. Sentry lists the oldest frame first; a report lists the
 * newest first.
 * Source: Sentry develop docs › Event Payloads › Stack Trace.
 */

import {
  asArray,
  asBoolean,
  asLineNumber,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { MemoCache } from "../../core/memo-cache.ts";
import { isInApp } from "../../core/report/in-app.ts";
import { isApplicationCode } from "../../core/report/library-code.ts";
import {
  type Frame,
  isJavaScript,
  type Json,
  type Platform,
  type Side,
} from "../../core/report.ts";
import type { Truncations } from "../decode/truncations.ts";
import { parsePlatform } from "./detect-platform.ts";

/** The facts that the frames of an event have in common. */
export interface StackContext {
  readonly side: Side;
  readonly platform: Platform;
  readonly truncations: Truncations;
}

/** The frames of a Sentry stack trace, newest first; none for any other value. */
export function parseSentryFrames(stacktrace: unknown, context: StackContext): readonly Frame[] {
  const { frames, frames_omitted: omitted } = asRecord(stacktrace) ?? {};
  const { truncations } = context;
  if (asArray(omitted) !== undefined) truncations.add("frames");
  const list = truncations.takeEnds("frames", asArray(frames) ?? [], limits.maxFrames);
  return filterRecords(list)
    .map((frame) => parseSentryFrame(frame, context))
    .reverse();
}

function parseSentryFrame(frame: JsonFields, context: StackContext): Frame {
  const { truncations } = context;
  const read = (value: unknown) => truncations.limitString("frames", value);
  const symbol = read(frame.symbol);
  const name = read(frame.function) ?? symbol;
  const rawName = read(frame.raw_function) ?? symbol;
  const absPath = read(frame.abs_path);
  const file = read(frame.filename) ?? absPath;
  const before = asArray(frame.pre_context)?.slice(-limits.maxSourceLines);
  const after = asArray(frame.post_context)?.slice(0, limits.maxSourceLines);
  const code = {
    module: read(frame.module),
    file,
    absPath: absPath === file ? undefined : absPath,
    package: read(frame.package),
  };
  return {
    function: name === "?" ? undefined : name,
    rawFunction: rawName === name ? undefined : rawName,
    ...code,
    address: read(frame.instruction_addr),
    imageOffset: toImageOffset(frame.instruction_addr, frame.image_addr),
    line: asLineNumber(frame.lineno),
    column: asLineNumber(frame.colno),
    inApp: resolveInApp(frame, code, context),
    source: read(frame.context_line),
    sourceBefore: limitLines(before, truncations),
    sourceAfter: limitLines(after, truncations),
    vars: parseVars(frame.vars, truncations),
  };
}

/** `0x900` for the instruction `0x1900` of an image at `0x1000`; undefined before its start. */
function toImageOffset(instruction: unknown, image: unknown): string | undefined {
  const [address, start] = [parseAddress(instruction), parseAddress(image)];
  if (address === undefined || start === undefined || address < start) return undefined;
  return `0x${(address - start).toString(16)}`;
}

function parseAddress(value: unknown): bigint | undefined {
  const text = asText(value);
  return text !== undefined && /^0x[\da-f]{1,16}$/i.test(text) ? BigInt(text) : undefined;
}

function limitLines(
  lines: readonly unknown[] | undefined,
  truncations: Truncations,
): readonly string[] | undefined {
  if (lines === undefined || lines.length === 0) return undefined;
  return lines.map((line) => truncations.limitString("frames", line) ?? "");
}

const VARS_LIMITS = {
  maxDepth: limits.maxVarsDepth,
  maxMembers: limits.maxVars,
  maxValues: limits.maxVarsValues,
  maxStringChars: limits.maxVarsChars,
};

/** Local variables, which the SDKs of Python, Ruby, PHP and Node send. */
function parseVars(value: unknown, truncations: Truncations): Json | undefined {
  const vars = asRecord(value);
  return vars === undefined ? undefined : truncations.limitJson("vars", vars, VARS_LIMITS);
}

/**
 * The value of the sender, if there is one; browser SDKs set it on every frame, so theirs does not
 * count. A stack may have frames of several runtimes: Java and native ones below those of React
 * Native.
 */
function resolveInApp(
  frame: JsonFields,
  code: Pick<Frame, "module" | "file" | "absPath" | "package">,
  context: StackContext,
): boolean {
  const sent = asBoolean(frame.in_app);
  const platform = parsePlatform(frame.platform) ?? context.platform;
  const isScript = isJavaScript(platform);
  if (sent === true && isNeverInApp(code, platform)) return false;
  if (sent === false || (sent === true && (context.side === "server" || !isScript))) return sent;
  if (!isScript) return hasPlace(code) && isApplicationCode(code, platform);
  return code.file !== undefined && inAppCache.getOrCreate(code.file, isInApp);
}

/** Code that SDKs mark as the application's: Python's standard library, an inlined SDK of Go. */
const NEVER_IN_APP: Partial<Record<Platform, RegExp>> = {
  python:
    /[\\/]lib(?:64)?[\\/]python\d(?:\.\d{1,3})?[\\/](?!(?:site|dist)-packages[\\/])|^<frozen /,
  go: /[\\/](?:getsentry[\\/])?sentry-go(?:@[^\\/]{1,40})?[\\/]/,
};

function isNeverInApp(
  { file = "", absPath = file }: Pick<Frame, "file" | "absPath">,
  platform: Platform,
): boolean {
  return NEVER_IN_APP[platform]?.test(absPath) === true;
}

/** A frame without symbols, such as an address in unknown memory, has no owner. */
function hasPlace({ module, file, package: image }: Omit<Frame, "inApp">): boolean {
  return module !== undefined || file !== undefined || image !== undefined;
}

/** Stacks repeat the same few files, and each lookup tries eleven patterns. */
const inAppCache = new MemoCache<boolean>();
