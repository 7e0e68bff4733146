/**
 * Grouping, version 1: the identity of an error outside of JavaScript: type, message and the
 * function that failed. Stacks of these runtimes name functions that a build does not change.
 */

import { MemoCache } from "../../memo-cache.ts";
import type { KeyPart, Platform } from "../../report.ts";
import { locateCaller, locateError } from "./code-location.ts";
import type { Identity, ThrownError } from "./identity.ts";
import { normalizeRoute } from "./javascript-location.ts";
import { CONSTRAINT_PREFIX, describeText, type NeutralText } from "./neutral-text.ts";
import { toRuntimeText } from "./runtime-messages.ts";
import { isUninformative } from "./uninformative.ts";

/** The identity. The route stands for the place of an error without a stack and a message. */
export function identifyRuntimeError(
  error: ThrownError,
  platform: Platform,
  route: string | undefined,
  isFatal = false,
): Identity {
  const type = normalizeType(error.type, platform);
  const cacheKey = JSON.stringify([platform, error.type, error.message]);
  const { text, services } = messages.getOrCreate(cacheKey, () => toMessage(error, platform));
  const place = locateError(error.frames, platform, error.type, isFatal);
  if (place === undefined) {
    const location = isUninformative(text) ? toRoutePart(route) : undefined;
    return { type, message: text, location };
  }
  // At a known place, the service or the constraint says it all. Drivers word the rest.
  const isConstraint = text.startsWith(CONSTRAINT_PREFIX);
  return {
    type: isConstraint ? "violation" : type,
    message: services === undefined ? text : `${SERVICES_PREFIX}${services}`,
    location: addCaller(place, error, platform),
  };
}

const SERVICES_PREFIX = "no connection to ";

/** True if the message names what failed, so that the driver's own errors below it add nothing. */
export function isSelfExplaining(message: string): boolean {
  return message.startsWith(SERVICES_PREFIX) || message.startsWith(CONSTRAINT_PREFIX);
}

/** Errors repeat, and a message is tested against many patterns. */
const messages = new MemoCache<NeutralText>();

function toRoutePart(route: string | undefined): KeyPart | undefined {
  const value = normalizeRoute(route);
  return value === "" ? undefined : { role: "route", value };
}

/**
 * Answers that refuse one request. A function that sends all requests fails for each caller alone.
 */
const REFUSED_REQUEST =
  /\b(?:status|http|answered|responded|code)\b.{0,40}\b[1-5]\d\d\b|\b[45]\d\d [A-Z]\w+/i;
const REQUEST_FUNCTION =
  /(?:^|[.:#_*)]|\b)(?:_?(?:do|raw|http|api|json)?_?(?:request|fetch|send|call|execute|get|post|put|patch|delete|check|raise|ensure|handle|parse|unwrap)\w*)$/i;

function addCaller(
  location: KeyPart | undefined,
  { message, frames }: ThrownError,
  platform: Platform,
): KeyPart | undefined {
  if (location?.role !== "function" || !REFUSED_REQUEST.test(message)) return location;
  if (!REQUEST_FUNCTION.test(location.value)) return location;
  const caller = locateCaller(frames, platform, location.value);
  return caller === undefined ? location : { ...location, value: `${location.value} < ${caller}` };
}

/** The type without what a sender may add to it: a package, an address. */
function normalizeType(type: string, platform: Platform): string {
  return (platform === "java" || platform === "python" ? getShortType(type) : type).replace(
    /0x[\da-f]+/gi,
    "*",
  );
}

/** `NullPointerException` for `java.lang.NullPointerException`. */
export function getShortType(type: string): string {
  return type.slice(Math.max(type.lastIndexOf("."), type.lastIndexOf("\\")) + 1);
}

/** Types whose name in the table has a namespace. */
const hasNamespace = (platform: Platform): boolean =>
  platform === "ruby" || platform === "elixir" || platform === "go" || platform === "native";

function toMessage({ type, message }: ThrownError, platform: Platform): NeutralText {
  const shortType = hasNamespace(platform) ? type : getShortType(type);
  let text = message;
  for (const [part, by] of REMOVALS[platform] ?? []) text = text.replace(part, by);
  if (platform === "elixir") text = removeInspected(text);
  // Ruby's detailed message ends with the type.
  if (text.endsWith(` (${type})`)) text = text.slice(0, -type.length - 3);
  const runtimeText = toRuntimeText(platform, shortType, text);
  return runtimeText === undefined ? describeText(text) : { text: runtimeText };
}

/**
 * The text without the maps and structs that Elixir prints: from the first to the end of the last.
 */
function removeInspected(text: string): string {
  const start = text.search(/%[\w.]{0,100}\{/);
  const end = text.lastIndexOf("}");
  return start === -1 || end < start ? text : `${text.slice(0, start)}*${text.slice(end + 1)}`;
}

/** Parts that a runtime or a library adds to any message: hints, statements, inspected values. */
const REMOVALS: Partial<Record<Platform, readonly (readonly [part: RegExp, by: string])[]>> = {
  python: [
    [/\.? Did you mean[:\s].*$/s, ""],
    [/\n\[parameters: .*$/s, ""],
    [/\n?\(Background on this error at: .*$/s, ""],
  ],
  ruby: [
    [/\n?Did you mean\?.*$/s, ""],
    [/\nLINE \d+:.*$/s, ""],
  ],
  php: [
    [/^(?:PHP )?(?:Warning|Notice|Deprecated|Fatal error|Uncaught [\w\\]{1,80}|User \w+): +/, ""],
    [/,? called in .* on line \d+.*$/s, ""],
    [/ \((?:Connection: .*?, )?SQL: .*$/s, ""],
    [/ \(Connection: .*$/s, ""],
  ],
  java: [
    [/\n at \[Source: .*?\](?= \(through|$)/s, ""],
    [/ \((?:class )?[\w.$]+ (?:is|and) .* in (?:unnamed )?module.*$/s, ""],
  ],
  rust: [[/\b((?:Parse\w{1,20}|Utf8|TryFrom\w{1,20})Error) ?\{[^}]{0,200}\}/g, "$1"]],
  elixir: [[/#(?:PID|Reference|Function|Port)<[^>]{0,200}>/g, "*"]],
};
