/**
 * Grouping, version 1: the identity of an error with everything that it wraps, groups or was caused
 * by. One fix usually mends the innermost cause, so an error that wraps two causes is two issues.
 */

import { type ErrorNode, findCause, isGroup } from "../../errors/error-tree.ts";
import type { KeyPart, Platform } from "../../report.ts";
import { unwrapError } from "./choose-error.ts";
import { type Identity, type ThrownError, toParts } from "./identity.ts";
import { identifyJavaScriptError, type JavaScriptContext } from "./javascript-identity.ts";
import { getShortType, identifyRuntimeError, isSelfExplaining } from "./runtime-identity.ts";
import { isUninformative } from "./uninformative.ts";

/** The circumstances of a report that decide about the identity of its errors. */
export interface ErrorContext extends JavaScriptContext {
  readonly platform: Platform;
  /** The level is fatal: a panic that was recovered. */
  readonly isFatal: boolean;
}

const MAX_DEPTH = 10;
const MAX_MEMBERS = 5;

/** The parts of an error's key. */
export function identifyErrorTree(
  root: ErrorNode,
  context: ErrorContext,
  depth = 0,
): readonly KeyPart[] {
  const node = unwrapError(root);
  if (depth < MAX_DEPTH && isGroup(node)) {
    const members = listMembers(node, context, depth);
    if (members.length > 1)
      return [
        { role: "type", value: getShortType(node.error.type) },
        ...members.flatMap((parts) => parts.map((part) => ({ of: "member", ...part }) as const)),
      ];
    if (members[0] !== undefined) return members[0];
  }
  const own = identify(node.error, context);
  return [...toParts(own), ...describeCause(own, listCauses(node), context)];
}

/**
 * The identities of a group's members, each once, in an order that does not depend on the report.
 */
function listMembers(
  { children }: ErrorNode,
  context: ErrorContext,
  depth: number,
): readonly (readonly KeyPart[])[] {
  const byKey = new Map<string, readonly KeyPart[]>();
  for (const child of children) {
    const parts = identifyErrorTree(child, context, depth + 1);
    byKey.set(JSON.stringify(parts), parts);
  }
  return [...byKey.keys()]
    .sort()
    .slice(0, MAX_MEMBERS)
    .map((key) => byKey.get(key) ?? []);
}

/** The chain of first causes, innermost first. */
function listCauses(node: ErrorNode): readonly ErrorNode[] {
  const causes: ErrorNode[] = [];
  let cause = findCause(node);
  // React's SDKs add the error itself with the stack of its components.
  if (cause?.error.type.startsWith("React ErrorBoundary ")) cause = findCause(cause);
  while (cause !== undefined && causes.length < MAX_DEPTH) {
    causes.unshift(cause);
    cause = findCause(cause);
  }
  return causes;
}

/**
 * The parts of the innermost cause that says something: its type, and its place or, without one in
 * the application, its message. A copy of the same error (a recovered stack, a rethrown error) is
 * no cause.
 */
function describeCause(
  own: Identity,
  causes: readonly ErrorNode[],
  context: ErrorContext,
): readonly KeyPart[] {
  if (isSelfExplaining(own.message)) return [];
  const identities = causes.map(({ error }) => identifyCause(error, context));
  const cause =
    identities.find(
      ({ message, location }) => location !== undefined || !isUninformative(message),
    ) ?? identities[0];
  if (cause === undefined || (cause.type === own.type && cause.message === own.message)) return [];
  const { type, message, location } = cause;
  const parts: KeyPart[] = [{ role: "type", value: type, of: "cause" }];
  if (location !== undefined) parts.push({ ...location, of: "cause" });
  else if (message !== "") parts.push({ role: "message", value: message, of: "cause" });
  return parts;
}

/**
 * A cause. Its place counts only in the application: a library's frames change with its version.
 */
function identifyCause(error: ThrownError, context: ErrorContext): Identity {
  const isForeign = isForeignStack(error);
  if (isScriptPlatform(context.platform) && !isForeign)
    return { ...identifyJavaScriptError(error, context), location: undefined };
  const platform = isForeign ? "java" : context.platform;
  const isInApp = error.frames.some(({ inApp }) => inApp);
  return identifyRuntimeError(isInApp ? error : { ...error, frames: [] }, platform, undefined);
}

function identify(error: ThrownError, context: ErrorContext): Identity {
  return isScriptPlatform(context.platform)
    ? identifyJavaScriptError(error, context)
    : identifyRuntimeError(error, context.platform, context.route, context.isFatal);
}

function isScriptPlatform(platform: Platform): boolean {
  return platform === "javascript" || platform === "react-native";
}

/** The cause of a React Native error may be an exception of Java. */
function isForeignStack({ type, frames }: ThrownError): boolean {
  return (
    /^(?:javax?|kotlin|android|androidx|com|org)\./.test(type) ||
    frames.some(({ module, file }) => module !== undefined && /\.(?:java|kt)$/.test(file ?? ""))
  );
}
