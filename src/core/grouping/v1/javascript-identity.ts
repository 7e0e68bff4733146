/**
 * Grouping, version 1: the identity of a JavaScript error. Messages of engines become neutral text;
 * messages of an application lose their values.
 */

import { MemoCache } from "../../memo-cache.ts";
import type { KeyPart } from "../../report.ts";
import type { Identity, ThrownError } from "./identity.ts";
import {
  type LocationContext,
  locateJavaScriptError,
  locateRecursion,
  locateServerFunction,
} from "./javascript-location.ts";
import { toNeutralMessage } from "./neutral-message.ts";
import { toNeutralText } from "./neutral-text.ts";
import { isUninformative } from "./uninformative.ts";

/** The circumstances of a report that decide about the identity of its errors. */
export interface JavaScriptContext extends LocationContext {
  /** True for React Native, whose engine Hermes does not name a missing function. */
  readonly isReactNative: boolean;
  /** The digest of a server error that the browser received in place of the message. */
  readonly serverDigest?: string;
}

/** The identity: type, neutral message and, where these do not suffice, the place. */
export function identifyJavaScriptError(error: ThrownError, context: JavaScriptContext): Identity {
  const { type, message, place } = describe(error, context);
  return { type, message, location: locate(error, place, context) };
}

function locate(
  { frames }: ThrownError,
  place: Description["place"],
  context: JavaScriptContext,
): KeyPart | undefined {
  switch (place) {
    case "required":
      return locateJavaScriptError(frames, context);
    case "recursion":
      return locateRecursion(frames, context.side) ?? locateJavaScriptError(frames, context);
    case "server":
      return locateServerFunction(frames, context.side);
    case "none":
      return undefined;
  }
}

/** The identity without the place. */
interface Description {
  readonly type: string;
  readonly message: string;
  /** `server`: only a server's function, which the browser does not know, adds something. */
  readonly place: "required" | "recursion" | "server" | "none";
}

function describe(error: ThrownError, context: JavaScriptContext): Description {
  const thrown = unwrapMessage(error.type, error.message);
  const special = describeSpecial(thrown.type, thrown.message, context);
  if (special !== undefined) return special;
  // Unambiguous, so that no report decides about the identity of another.
  const cacheKey = JSON.stringify([context.isReactNative, thrown.type, thrown.message]);
  return descriptions.getOrCreate(cacheKey, () =>
    describeMessage(thrown.type, thrown.message, context.isReactNative),
  );
}

/** Errors repeat, and an engine's message is tested against two hundred patterns. */
const descriptions = new MemoCache<Description>();

function describeMessage(type: string, message: string, isReactNative: boolean): Description {
  const neutral = toNeutralMessage(type, message);
  if (neutral === undefined) {
    const text = toNeutralText(removeAdditions(message));
    const place = isUninformative(text) ? "required" : "server";
    return { type: normalizeType(type), message: text, place };
  }
  const place = neutral.message === "too much recursion" ? "recursion" : "required";
  const isNameless = isReactNative && neutral.message.startsWith("no function");
  return {
    type: neutral.type ?? normalizeType(type),
    message: isNameless ? "no function" : neutral.message,
    place: neutral.needsCulprit ? place : "none",
  };
}

/** Texts of frameworks and runtimes that contain the identity in a form of their own. */
function describeSpecial(
  type: string,
  message: string,
  { serverDigest }: JavaScriptContext,
): Description | undefined {
  if (OMITTED_BY_REACT.test(message) && serverDigest !== undefined)
    return { type: "Error", message: `server component: ${serverDigest}`, place: "none" };
  const missing = /^Cannot find (?:module|package) '([^'\n]{1,200})'/.exec(message)?.[1];
  if (missing !== undefined) {
    const isPath = /^[./\\]|^[a-z]:/i.test(missing);
    return { type: "Error", message: `module not found: ${isPath ? "*" : missing}`, place: "none" };
  }
  const undefinedName = /^Property '(\S{1,200})' doesn't exist$/.exec(message)?.[1];
  if (undefinedName !== undefined && type === "ReferenceError")
    return { type, message: `not defined: ${undefinedName}`, place: "none" };
  return undefined;
}

/** The message without what a library adds to it. */
function removeAdditions(message: string): string {
  const text = message.replace(SQLITE_CODE, "");
  if (!text.includes(" invocation")) return text;
  return text.replace(PRISMA_EXCERPT, "$1 ").replace(PRISMA_REASON, "$1");
}

/** Prisma prints the lines around a call, which change with the source. */
const PRISMA_EXCERPT =
  /^\s*Invalid `([^`\n]{1,100})` invocation[\s\S]*\n[^\S\n]{0,20}(?:→ ?)?\d{1,6} [^\n]*(?:\n|$)/;
/** Its versions word the reason of a missing record differently. */
const PRISMA_REASON = /(that were required but not found\.) .{1,300}$/s;
/** Drivers add the result code of SQLite, and newer ones the extended code. */
const SQLITE_CODE = /: SQLITE_[A-Z_]{1,40}(?: \(extended: SQLITE_[A-Z_]{1,40}\))?$/;
const OMITTED_BY_REACT = /^An error occurred in the Server Components render/;

/**
 * Removes what browsers add to the message of an uncaught error, and a stack inside the message.
 */
function unwrapMessage(type: string, message: string): { type: string; message: string } {
  const stripped = message
    .replace(/\n\s{1,20}at .{1,300}:\d+:\d+\)?(?:\n[\s\S]*)?$/, "")
    .trim()
    .replace(/^Uncaught (?:\(in promise\) ?)?/, "");
  const match = /^(?<name>(?:[A-Z]\w{0,60})?Error): (?<words>[\s\S]*)$/.exec(stripped)?.groups;
  const isWrapped = match !== undefined && ["", "Error", match.name].includes(type);
  return isWrapped
    ? { type: match.name ?? "", message: match.words ?? "" }
    : { type, message: stripped };
}

/** A minifier created a name of one or two characters. */
function normalizeType(type: string): string {
  return /^[\w$]{1,2}$/.test(type) ? "Error" : type;
}
