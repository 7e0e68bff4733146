/**
 * Anything that can be thrown, described: errors of any realm, strings, null, proxies whose traps throw, errors with a
 * message of a megabyte. Never throws, and takes a bounded time and room whatever it is given.
 */

import { limits } from "../limits.ts";
import { hasProperties, readProperty, readString } from "../read-property.ts";
import type { Cause, Frame } from "../report.ts";
import { truncateJson, truncateText } from "../truncate.ts";
import { limitFrames, parseFrames } from "./parse-stack.ts";

/** What was thrown. Members fit a `Draft` (`digest` is for its aliases). */
export interface ErrorDescription {
  /** The error's `name`; for what is no error its kind: `String`, `Null`, `Object`, `Response`. */
  readonly type: string;
  /** Its `message`; a thrown string itself; an object as short JSON; empty for null, undefined and functions. */
  readonly message: string;
  readonly stack?: string;
  readonly frames: readonly Frame[];
  /** Its `cause` and, of an AggregateError, its `errors`, and theirs, each once, the outermost first. */
  readonly causes: readonly Cause[];
  /** A string that somebody put at `digest`: another framework's code. */
  readonly digest?: string;
  /** What was cut: `type`, `message`, `stack`, `frames`, `causes`. */
  readonly truncated: readonly string[];
}

/** Describes what was thrown, cut to the limits. Never throws. */
export function describeError(thrown: unknown): ErrorDescription {
  const truncated = new Set<string>();
  const { type, message } = describeTypeAndMessage(thrown, truncated);
  const stack = readStack(thrown, truncated);
  const digest = readString(thrown, "digest");
  return {
    type,
    message,
    ...(stack !== undefined && { stack }),
    frames: toFrames(stack, thrown, truncated),
    causes: listCauses(thrown, truncated),
    ...(digest !== undefined &&
      digest !== "" && { digest: truncateText(digest, limits.maxStringChars) }),
    truncated: [...truncated],
  };
}

function describeTypeAndMessage(
  thrown: unknown,
  truncated: Set<string>,
): { type: string; message: string } {
  // Without a message or a stack it is no error, and its `name` may be somebody's.
  const isError = (readString(thrown, "message") ?? readString(thrown, "stack")) !== undefined;
  const name = (isError && readString(thrown, "name")) || getTypeTag(thrown);
  return {
    type: truncateAndNote("type", name, limits.maxTypeChars, truncated),
    message: truncateAndNote("message", readMessage(thrown), limits.maxMessageChars, truncated),
  };
}

/** The built-in kind. Not the constructor's name: in a bundle that is another one after every build. */
function getTypeTag(value: unknown): string {
  try {
    return Object.prototype.toString.call(value).slice("[object ".length, -1);
  } catch {
    return "Object";
  }
}

function readMessage(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (thrown === null || thrown === undefined || typeof thrown === "function") return "";
  if (typeof thrown !== "object") return String(thrown);
  const message = readString(thrown, "message");
  return message ?? JSON.stringify(truncateJson(thrown, MESSAGE_JSON_LIMITS).value);
}

const MESSAGE_JSON_LIMITS = {
  ...limits,
  maxDepth: 3,
  maxMembers: 20,
  maxStringChars: 200,
  maxValues: 100,
};

/** A stack repeats the message in front of the frames; a long message must not push them out. */
function readStack(thrown: unknown, truncated: Set<string>): string | undefined {
  const stack = readString(thrown, "stack");
  if (stack === undefined || stack === "") return undefined;
  if (stack.length <= limits.maxStackChars) return stack;
  const header = findStackHeader(stack, thrown);
  const shortened = truncateText(header, limits.maxMessageChars) + stack.slice(header.length);
  return truncateAndNote("stack", shortened, limits.maxStackChars, truncated);
}

/** Frames are read behind the message: a message may quote another stack. */
function toFrames(
  stack: string | undefined,
  thrown: unknown,
  truncated: Set<string>,
): readonly Frame[] {
  if (stack === undefined) return [];
  const frames = parseFrames(stack.slice(findStackHeader(stack, thrown).length));
  const limited = limitFrames(frames);
  if (limited.length < frames.length) truncated.add("frames");
  return limited;
}

/** The beginning of a V8 stack: `TypeError: no cart`. Empty where the stack does not begin with the message. */
function findStackHeader(stack: string, thrown: unknown): string {
  const message = readString(thrown, "message") ?? "";
  const start = stack.slice(0, limits.maxTypeChars + 2).indexOf(": ") + 2;
  const header = start === 1 || message === "" ? "" : stack.slice(0, start) + message;
  return stack.startsWith(header) ? header : "";
}

function listCauses(thrown: unknown, truncated: Set<string>): readonly Cause[] {
  const seen = new Set<unknown>([thrown]);
  const queue = listDirectCauses(thrown);
  const causes: Cause[] = [];
  for (const cause of queue) {
    if (seen.has(cause)) continue;
    if (causes.length === limits.maxCauses) {
      truncated.add("causes");
      break;
    }
    seen.add(cause);
    const stack = readStack(cause, truncated);
    causes.push({
      ...describeTypeAndMessage(cause, truncated),
      frames: toFrames(stack, cause, truncated),
    });
    queue.push(...listDirectCauses(cause));
  }
  return causes;
}

/** The causes of one error; of many `errors` one more than can be kept, so that the cut is noticed. */
function listDirectCauses(thrown: unknown): unknown[] {
  if (!hasProperties(thrown)) return [];
  const cause = readProperty(thrown, "cause");
  const errors = readProperty(thrown, "errors");
  const length = readProperty(errors, "length");
  const count = typeof length === "number" ? Math.min(length, limits.maxCauses + 1) : 0;
  const next: unknown[] = cause === undefined || cause === null ? [] : [cause];
  for (let index = 0; index < count; index++) next.push(readProperty(errors, index));
  return next;
}

function truncateAndNote(
  name: string,
  text: string,
  maxChars: number,
  truncated: Set<string>,
): string {
  if (text.length > maxChars) truncated.add(name);
  return truncateText(text, maxChars);
}
