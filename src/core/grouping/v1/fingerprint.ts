/**
 * Grouping, version 1: the fingerprint that a sender chose instead of the default key, with the
 * variables of Sentry's fingerprint rules.
 */
import type { KeyPart, Platform, ReportedError } from "../../report.ts";
import { toNeutralText } from "./neutral-text.ts";

/** The members of a report that variables name. */
export interface FingerprintContext {
  readonly error: ReportedError;
  readonly platform: Platform;
  readonly transaction?: string;
  readonly level?: string;
  readonly logger?: string;
  readonly tags?: readonly (readonly [key: string, value: string])[];
}

const VARIABLE = /^\s*\{\{\s{0,9}([\w.:-]{1,120})\s{0,9}\}\}\s*$/;

/** True if the fingerprint has more than the default grouping. */
export function isCustomFingerprint(
  fingerprint: readonly string[] | undefined,
): fingerprint is readonly string[] {
  return fingerprint?.some((part) => VARIABLE.exec(part)?.[1] !== "default") === true;
}

/** The parts of a fingerprint. `{{ default }}` stands for the default parts. */
export function expandFingerprint(
  fingerprint: readonly string[],
  context: FingerprintContext,
  createDefaultParts: () => readonly KeyPart[],
): readonly KeyPart[] {
  // A fingerprint may name a variable a hundred times.
  const expanded = new Map<string, readonly KeyPart[]>();
  return fingerprint.flatMap((part) => {
    const parts = expanded.get(part) ?? expandPart(part, context, createDefaultParts);
    expanded.set(part, parts);
    return parts;
  });
}

function expandPart(
  part: string,
  context: FingerprintContext,
  createDefaultParts: () => readonly KeyPart[],
): readonly KeyPart[] {
  const name = VARIABLE.exec(part)?.[1];
  if (name === "default") return createDefaultParts();
  const value = name === undefined ? part : (resolveVariable(name, context) ?? part);
  return [{ role: "fingerprint", value }];
}

/** The value of a variable; undefined for an unknown one, which stays text. */
function resolveVariable(name: string, context: FingerprintContext): string | undefined {
  if (name.startsWith("tags.")) {
    const tag = name.slice("tags.".length);
    return context.tags?.find(([key]) => key === tag)?.[1] ?? `<no-value-for-tag-${tag}>`;
  }
  const { error } = context;
  const frame = error.frames.find(({ inApp }) => inApp) ?? error.frames[0];
  switch (name) {
    case "transaction":
      return context.transaction ?? "<no-transaction>";
    case "type":
    case "error.type":
      return error.type;
    case "value":
    case "error.value":
    case "message":
      return toNeutralText(error.message);
    case "level":
      return context.level ?? "error";
    case "logger":
      return context.logger ?? "";
    case "function":
    case "stack.function":
      return frame?.function ?? "<no-function>";
    case "module":
    case "stack.module":
      return frame?.module ?? "<no-module>";
    case "package":
    case "stack.package":
      return frame?.package ?? "<no-package>";
    case "path":
    case "filename":
    case "stack.filename":
      return frame?.file ?? "<no-file>";
    case "abs_path":
    case "stack.abs_path":
      return frame?.absPath ?? frame?.file ?? "<no-abs-path>";
    case "family":
      return context.platform;
    default:
      return undefined;
  }
}
