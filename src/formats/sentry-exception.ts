/**
 * The exceptions of a Sentry event. Sentry orders everything the other way round: the thrown exception is the last of the
 * list, its causes come before it, and the frame that threw is the last of its frames.
 * Source: Sentry develop docs › Event Payloads › Exception, Stack Trace.
 */

import { isInApp } from "../core/in-app.ts";
import { limits } from "../core/limits.ts";
import { Memory } from "../core/memory.ts";
import { present } from "../core/present.ts";
import type { Cause, Frame, Side } from "../core/report.ts";
import type { Cuts } from "./cuts.ts";
import { arrayOf, type Fields, flagOf, listOf, positionOf, recordOf, recordsOf } from "./decode.ts";

/** The thrown exception, what caused it, and how it was caught. */
export interface SentryExceptions {
  /** Undefined where the sender gave none, as for a message or a thrown string. */
  readonly type?: string;
  readonly message?: string;
  readonly frames: readonly Frame[];
  /** Outermost first. */
  readonly causes: readonly Cause[];
  readonly handled?: boolean;
  readonly mechanism?: string;
  /** The SDK made the exception itself, to have a stack: what was reported is a message. */
  readonly synthetic: boolean;
}

/**
 * The exceptions of an event, from `{"values": […]}`, a bare list or a single object. Undefined when there is none. `side`
 * decides whom to believe about `in_app`: browser SDKs say true of every frame.
 */
export function exceptionsOf(
  exception: unknown,
  side: Side,
  cuts: Cuts,
): SentryExceptions | undefined {
  const single = recordOf(exception);
  const sent = single !== undefined && !("values" in single) ? [single] : listOf(exception);
  const list = recordsOf(cuts.last("causes", sent, limits.maxCauses + 1));
  const thrown = list.at(-1);
  if (thrown === undefined) return undefined;
  const mechanism = recordOf(thrown.mechanism);
  return present({
    type: cuts.text("type", thrown.type, limits.maxTypeChars),
    message: cuts.text("message", thrown.value, limits.maxMessageChars),
    frames: framesOf(thrown.stacktrace, side, cuts),
    causes: list
      .slice(0, -1)
      .reverse()
      .map((cause) => causeOf(cause, side, cuts)),
    handled: flagOf(mechanism?.handled),
    mechanism: cuts.text("tags", mechanism?.type, limits.maxTypeChars),
    synthetic: mechanism?.synthetic === true,
  });
}

/** The frames of a Sentry stack trace, newest first. */
export function framesOf(stacktrace: unknown, side: Side, cuts: Cuts): readonly Frame[] {
  const frames = arrayOf(recordOf(stacktrace)?.frames) ?? [];
  return recordsOf(cuts.ends("frames", frames, limits.maxFrames))
    .map((frame) => frameOf(frame, side, cuts))
    .reverse();
}

function causeOf(cause: Fields, side: Side, cuts: Cuts): Cause {
  return {
    type: cuts.text("causes", cause.type, limits.maxTypeChars) ?? "Error",
    message: cuts.text("causes", cause.value, limits.maxMessageChars) ?? "",
    frames: framesOf(cause.stacktrace, side, cuts),
  };
}

function frameOf(frame: Fields, side: Side, cuts: Cuts): Frame {
  const text = (value: unknown) => cuts.text("frames", value, limits.maxStringChars);
  // A native frame that nobody has symbolicated is an address in a package.
  const name = text(frame.function) ?? text(frame.symbol) ?? text(frame.instruction_addr);
  const file =
    text(frame.filename) ?? text(frame.abs_path) ?? text(frame.module) ?? text(frame.package);
  const lines = (value: unknown) => {
    const kept = arrayOf(value)?.map((line) => text(line) ?? "") ?? [];
    return kept.length === 0 ? undefined : kept;
  };
  const before = arrayOf(frame.pre_context)?.slice(-limits.maxSourceLines);
  const after = arrayOf(frame.post_context)?.slice(0, limits.maxSourceLines);
  return present({
    function: name === "?" ? undefined : name,
    file,
    line: positionOf(frame.lineno),
    column: positionOf(frame.colno),
    inApp: inAppOf(frame.in_app, file, side),
    source: text(frame.context_line),
    sourceBefore: lines(before),
    sourceAfter: lines(after),
  });
}

function inAppOf(sent: unknown, file: string | undefined, side: Side): boolean {
  if (sent === false) return false;
  if (sent === true && side === "server") return true;
  return file !== undefined && inAppFiles.getOrMake(file, isInApp);
}

/** The frames of a stack name the same few files, and eleven patterns are tried on each. */
const inAppFiles = new Memory<boolean>();
