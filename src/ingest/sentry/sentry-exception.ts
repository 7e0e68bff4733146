/**
 * Parses the exceptions of a Sentry event. Sentry's order is reversed: the thrown exception is
 * last, after its causes, and the throwing frame is the last frame.
 * Source: Sentry develop docs › Event Payloads › Exception, Stack Trace.
 */

import {
  asArray,
  asBoolean,
  asLineNumber,
  asList,
  asRecord,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { MemoCache } from "../../core/memo-cache.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { isInApp } from "../../core/report/in-app.ts";
import type { Cause, Frame, Json, Side } from "../../core/report.ts";
import type { Truncations } from "../decode/truncations.ts";

/** The thrown exception, its causes and its mechanism. */
export interface SentryExceptions {
  /** Undefined if the sender gave none, as for a message or a thrown string. */
  readonly type?: string;
  readonly message?: string;
  readonly frames: readonly Frame[];
  /** Outermost first. */
  readonly causes: readonly Cause[];
  readonly isHandled?: boolean;
  readonly mechanism?: string;
  /** The SDK created the exception to get a stack; the report is a message. */
  readonly isSynthetic: boolean;
}

/**
 * Parses the exceptions of an event, from `{"values": […]}`, a bare list or a single object.
 * Undefined if there is none. `side` decides whether to trust `in_app`: browser SDKs set it on
 * every frame.
 */
export function parseExceptions(
  exception: unknown,
  side: Side,
  truncations: Truncations,
): SentryExceptions | undefined {
  const single = asRecord(exception);
  const exceptions = single !== undefined && !("values" in single) ? [single] : asList(exception);
  const list = filterRecords(truncations.takeLast("causes", exceptions, limits.maxCauses + 1));
  const thrown = list.at(-1);
  if (thrown === undefined) return undefined;
  const mechanism = asRecord(thrown.mechanism);
  return omitUndefined({
    type: truncations.limitText("type", thrown.type, limits.maxTypeChars),
    message: truncations.limitText("message", thrown.value, limits.maxMessageChars),
    frames: parseSentryFrames(thrown.stacktrace, side, truncations),
    causes: list
      .slice(0, -1)
      .reverse()
      .map((cause) => parseCause(cause, side, truncations)),
    isHandled: asBoolean(mechanism?.handled),
    mechanism: truncations.limitText("tags", mechanism?.type, limits.maxTypeChars),
    isSynthetic: mechanism?.synthetic === true,
  });
}

/** The frames of a Sentry stack trace, newest first. */
export function parseSentryFrames(
  stacktrace: unknown,
  side: Side,
  truncations: Truncations,
): readonly Frame[] {
  const frames = asArray(asRecord(stacktrace)?.frames) ?? [];
  return filterRecords(truncations.takeEnds("frames", frames, limits.maxFrames))
    .map((frame) => parseSentryFrame(frame, side, truncations))
    .reverse();
}

function parseCause(cause: JsonFields, side: Side, truncations: Truncations): Cause {
  return {
    type: truncations.limitText("causes", cause.type, limits.maxTypeChars) ?? "Error",
    message: truncations.limitText("causes", cause.value, limits.maxMessageChars) ?? "",
    frames: parseSentryFrames(cause.stacktrace, side, truncations),
  };
}

function parseSentryFrame(frame: JsonFields, side: Side, truncations: Truncations): Frame {
  // A native frame without symbols is an address in a package.
  const name =
    truncations.limitString("frames", frame.function) ??
    truncations.limitString("frames", frame.symbol) ??
    truncations.limitString("frames", frame.instruction_addr);
  const file =
    truncations.limitString("frames", frame.filename) ??
    truncations.limitString("frames", frame.abs_path) ??
    truncations.limitString("frames", frame.module) ??
    truncations.limitString("frames", frame.package);
  const before = asArray(frame.pre_context)?.slice(-limits.maxSourceLines);
  const after = asArray(frame.post_context)?.slice(0, limits.maxSourceLines);
  return omitUndefined({
    function: name === "?" ? undefined : name,
    file,
    line: asLineNumber(frame.lineno),
    column: asLineNumber(frame.colno),
    inApp: resolveInApp(frame.in_app, file, side),
    source: truncations.limitString("frames", frame.context_line),
    sourceBefore: limitLines(before, truncations),
    sourceAfter: limitLines(after, truncations),
    vars: parseVars(frame.vars, truncations),
  });
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

function resolveInApp(inApp: unknown, file: string | undefined, side: Side): boolean {
  if (inApp === false) return false;
  if (inApp === true && side === "server") return true;
  return file !== undefined && inAppCache.getOrCreate(file, isInApp);
}

/** Stacks repeat the same few files, and each lookup tries eleven patterns. */
const inAppCache = new MemoCache<boolean>();
