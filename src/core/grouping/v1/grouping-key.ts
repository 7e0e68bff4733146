/**
 * Grouping, version 1. FROZEN: existing issues and digests depend on it. A change of any key
 * requires a version 2 in a folder of its own (docs/decisions.md describes the transition).
 *
 * The key describes what failed in words that are equal for all builds, engines and users:
 *
 *     1|error|Error|coupon * has expired                           an application's message
 *     1|error|TypeError|property: total of undefined|src/cart.tsx  an engine's message, with a file
 *     1|error|TypeError|no function: map|/cart/*                   the same in a bundle: the route
 *     1|error|AttributeError|attribute price of NoneType|shop.bill#total        other runtimes
 *     1|error|Error|cart not saved|caused by|RangeError|invalid date            with a cause
 *     1|error|ExceptionGroup|member|…|member|…                     members of a group
 *     1|csp|by fingerprint|script-src-elem|inline                  the sender's fingerprint
 *
 * The default key never contains lines, columns, addresses, chunk files or minified names.
 */
import { buildErrorTree } from "../../errors/error-tree.ts";
import type { Cause, KeyPart, ParsedReport } from "../../report.ts";
import { type ErrorContext, identifyErrorTree } from "./error-identity.ts";
import { expandFingerprint, isCustomFingerprint } from "./fingerprint.ts";
import { normalizeRoute } from "./javascript-location.ts";
import { toNeutralText } from "./neutral-text.ts";

/** The members of a report that its key depends on. */
export interface Groupable
  extends Pick<
    ParsedReport,
    | ("kind" | "side" | "platform" | "type" | "message" | "template" | "frames" | "isGroup")
    | ("fingerprint" | "level" | "tags")
  > {
  readonly causes?: readonly Cause[];
  /** The route pattern or, if unknown, the path or the screen. */
  readonly route?: string;
  /** The page's URL. */
  readonly url?: string;
  readonly transaction?: string;
  readonly logger?: string;
  /** The code of another framework, which a browser received in place of a server's message. */
  readonly serverDigest?: string;
}

/** The version of these keys. */
export const GROUPING_VERSION = 1;

const MAX_MESSAGE_CHARS = 8_000;

/** The parts of a report's key. Equal keys are one issue. */
export function createKeyParts(report: Groupable): readonly KeyPart[] {
  const { fingerprint } = report;
  if (!isCustomFingerprint(fingerprint)) return createDefaultParts(report);
  const context = { ...report, error: report, platform: report.platform ?? "javascript" };
  return expandFingerprint(fingerprint, context, () => createDefaultParts(report));
}

/** The key of these parts: one line, `1|kind|…`. */
export function formatKey(kind: string, parts: readonly KeyPart[]): string {
  const texts = [String(GROUPING_VERSION), kind];
  if (parts.some(({ role }) => role === "fingerprint")) texts.push("by fingerprint");
  for (const { role, value, of } of parts) {
    if (of !== undefined && role === "type") texts.push(of === "cause" ? "caused by" : of);
    texts.push(value);
  }
  return texts.map((text) => text.replace(/\s+/g, " ").trim().replaceAll("|", "¦")).join("|");
}

function createDefaultParts(report: Groupable): readonly KeyPart[] {
  const { kind, message, template, side, route, url, serverDigest } = report;
  if (kind === "message") {
    const statement = template === undefined ? undefined : toNeutralTemplate(template.text);
    if (statement !== undefined)
      return [
        { role: "type", value: report.type },
        { role: "template", value: statement },
        ...toLoggerParts(report.logger),
      ];
  }
  const error = { ...report, message: message.slice(0, MAX_MESSAGE_CHARS) };
  const platform = report.platform ?? "javascript";
  if (kind === "message" || kind === "feedback") return createMessageParts(error);
  const context: ErrorContext = {
    platform,
    side,
    isFatal: report.level === "fatal",
    isReactNative: platform === "react-native",
    route,
    url,
    serverDigest,
  };
  return identifyErrorTree(buildErrorTree(error), context);
}

/** A logged message. Its stack is that of the logger. */
function createMessageParts({ type, message, route, logger }: Groupable): readonly KeyPart[] {
  const text = toNeutralText(message);
  const place = text === "" ? normalizeRoute(route) : "";
  return [
    { role: "type", value: type },
    { role: "message", value: text },
    ...(place === "" ? [] : [{ role: "route", value: place } as const]),
    ...toLoggerParts(logger),
  ];
}

/** A logger with the name of a module belongs to the statement. Others are names of outputs. */
function toLoggerParts(logger = ""): readonly KeyPart[] {
  return /\w(?:\.|::|\\|\/)\w/.test(logger) ? [{ role: "logger", value: logger }] : [];
}

// Grouping, version 1: log messages. The statement that logged identifies them, not the values.

/** Placeholders of printf, of Python's names, and of braces (SLF4J, Serilog, .NET). */
const PLACEHOLDER =
  /%\(\w{1,60}\)[-#0 +]{0,3}\d{0,3}(?:\.\d{1,3})?[a-z]|%(?:\d{1,2}\$)?[-#0 +]{0,3}\d{0,3}(?:\.\d{1,3})?[a-z]|\{[^{}\s]{0,80}\}/gi;

/** The template with "*" for each placeholder; undefined if it has none, or no word. */
function toNeutralTemplate(template: string): string | undefined {
  const replaced = template.replace(PLACEHOLDER, "*");
  return replaced !== template && /\p{L}{2,}/u.test(replaced) ? replaced : undefined;
}
