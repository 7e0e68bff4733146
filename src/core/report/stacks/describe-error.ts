/**
 * Describes any thrown value: errors of any realm, strings, null, proxies whose traps throw, errors
 * with a message of a megabyte. Never throws; time and memory are bounded.
 */

import { limits } from "../../limits.ts";
import { hasProperties, readProperty, readString } from "../../read-property.ts";
import type { Cause, Frame } from "../../report.ts";
import { truncateJson, truncateText } from "../../truncate.ts";
import { limitFrames, parseFrames } from "./javascript-stack.ts";

/** A thrown value. The members fit a `ParsedReport` (`digest` becomes an alias). */
interface ErrorDescription {
  /** The error's `name`; for other values their kind: `String`, `Null`, `Object`, `Response`. */
  readonly type: string;
  /**
   * The `message`; a thrown string itself; an object as short JSON; empty for null, undefined and
   * functions.
   */
  readonly message: string;
  readonly stack?: string;
  readonly frames: readonly Frame[];
  /**
   * The `cause` and, of an AggregateError, the `errors`, recursively. Each once, outermost first.
   */
  readonly causes: readonly Cause[];
  /** The error has members, as an AggregateError. */
  readonly isGroup?: true;
  /** A string at `digest`: the code of another framework. */
  readonly digest?: string;
  /** Names of the truncated parts: `type`, `message`, `stack`, `frames`, `causes`. */
  readonly truncated: readonly string[];
}

/** A thrown value as text, for a report that is sent: stacks are not parsed. */
export interface ErrorText {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly isGroup?: true;
  /** As in `Cause`. */
  readonly parent?: number;
}

/** A thrown value and its causes as text, truncated to the limits. Never throws. */
export function describeErrorText(thrown: unknown): ErrorText & { causes: readonly ErrorText[] } {
  const truncated = new Set<string>();
  return {
    ...describeTypeAndMessage(thrown, truncated),
    stack: readStack(thrown, truncated),
    ...(hasMembers(thrown) && { isGroup: true as const }),
    causes: listCauses(thrown, truncated).map(({ thrown: _, ...cause }) => cause),
  };
}

/** The description of a thrown value of any type, truncated to the limits. Never throws. */
export function describeError(thrown: unknown): ErrorDescription {
  const truncated = new Set<string>();
  const { type, message } = describeTypeAndMessage(thrown, truncated);
  const stack = readStack(thrown, truncated);
  const digest = readString(thrown, "digest");
  return {
    type,
    message,
    stack,
    frames: toFrames(stack, thrown, truncated),
    causes: listCauses(thrown, truncated).map(({ thrown: cause, stack: text, ...rest }) => ({
      ...rest,
      frames: toFrames(text, cause, truncated),
    })),
    ...(hasMembers(thrown) && { isGroup: true as const }),
    ...(digest !== undefined &&
      digest !== "" && { digest: truncateText(digest, limits.maxStringChars) }),
    truncated: [...truncated],
  };
}

function describeTypeAndMessage(
  thrown: unknown,
  truncated: Set<string>,
): { type: string; message: string } {
  // An object without a message and a stack is not an error. Its `name` may be a person's name.
  const isError = (readString(thrown, "message") ?? readString(thrown, "stack")) !== undefined;
  const name = (isError && readString(thrown, "name")) || getTypeTag(thrown);
  return {
    type: truncateAndNote("type", name, limits.maxTypeChars, truncated),
    message: truncateAndNote("message", readMessage(thrown), limits.maxMessageChars, truncated),
  };
}

/** The built-in kind. A bundler changes the constructor's name in every build. */
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

/** A stack repeats the message before the frames. A long message must not displace the frames. */
function readStack(thrown: unknown, truncated: Set<string>): string | undefined {
  const stack = readString(thrown, "stack");
  if (stack === undefined || stack === "") return undefined;
  if (stack.length <= limits.maxStackChars) return stack;
  const header = findStackHeader(stack, thrown);
  const shortened = truncateText(header, limits.maxMessageChars) + stack.slice(header.length);
  return truncateAndNote("stack", shortened, limits.maxStackChars, truncated);
}

/** Skips the message, which may quote another stack. */
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

/**
 * The beginning of a V8 stack: `TypeError: no cart`. Empty if the stack does not begin with the
 * message.
 */
function findStackHeader(stack: string, thrown: unknown): string {
  const message = readString(thrown, "message") ?? "";
  const start = stack.slice(0, limits.maxTypeChars + 2).indexOf(": ") + 2;
  const header = start === 1 || message === "" ? "" : stack.slice(0, start) + message;
  return stack.startsWith(header) ? header : "";
}

/** An error on the way into the list, with the number of its parent: 0 is the thrown error. */
interface QueuedError {
  readonly thrown: unknown;
  readonly parent: number;
}

/**
 * The errors below a thrown one, in the order of their distance to it, so that a limit cuts the
 * deepest. A parent that is not the error before it in the list is named.
 */
function listCauses(
  thrown: unknown,
  truncated: Set<string>,
): readonly (ErrorText & { readonly thrown: unknown })[] {
  const seen = new Set<unknown>([thrown]);
  const queue = listDirectCauses(thrown, 0);
  const causes: (ErrorText & { readonly thrown: unknown })[] = [];
  for (const { thrown: cause, parent } of queue) {
    if (seen.has(cause)) continue;
    if (causes.length === limits.maxCauses) {
      truncated.add("causes");
      break;
    }
    seen.add(cause);
    causes.push({
      thrown: cause,
      ...describeTypeAndMessage(cause, truncated),
      stack: readStack(cause, truncated),
      ...(hasMembers(cause) && { isGroup: true }),
      ...(parent !== causes.length && { parent }),
    });
    queue.push(...listDirectCauses(cause, causes.length));
  }
  return causes;
}

/**
 * The direct causes of an error. Reads one more of `errors` than the limit allows, so that
 * `listCauses` notices the truncation.
 */
function listDirectCauses(thrown: unknown, parent: number): QueuedError[] {
  if (!hasProperties(thrown)) return [];
  const cause = readProperty(thrown, "cause");
  const errors = readProperty(thrown, "errors");
  const count = Math.min(countMembers(thrown), limits.maxCauses + 1);
  const next: QueuedError[] =
    cause === undefined || cause === null ? [] : [{ thrown: cause, parent }];
  for (let index = 0; index < count; index++)
    next.push({ thrown: readProperty(errors, index), parent });
  return next;
}

/** True for an AggregateError, and an error with other errors. Validators list plain objects. */
function hasMembers(thrown: unknown): boolean {
  if (countMembers(thrown) === 0) return false;
  if (readString(thrown, "name") === "AggregateError") return true;
  return readString(readProperty(readProperty(thrown, "errors"), 0), "stack") !== undefined;
}

function countMembers(thrown: unknown): number {
  if (!hasProperties(thrown)) return 0;
  const length = readProperty(readProperty(thrown, "errors"), "length");
  return typeof length === "number" ? length : 0;
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
