/**
 * Errors and `console` calls in a tail event. A call has a level, arguments, and for each argument
 * that is an error its description.
 * Source: @cloudflare/workers-types 5, TraceLog; tests/fixtures/tail.
 */

import { asArray, parseHexId } from "../../core/decode/as-type.ts";
import { isDigest } from "../../core/grouping/parse-digest.ts";
import { limits } from "../../core/limits.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import { truncateJson, truncateText } from "../../core/truncate.ts";

/** An error in a tail event. `stack` has only frames, without the first line. */
export interface TailError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/**
 * Parses the error of an exception or of a log's `errorInfo`. Undefined without name and message.
 */
export function parseTailError(error: unknown): TailError | undefined {
  const type = readString(error, "name");
  const message = readString(error, "message");
  if (!type && !message) return undefined;
  return { type: type || "Error", message: message ?? "", stack: readString(error, "stack") };
}

/** Equal for two events about the same error: `TypeError: no price`. */
export function formatErrorKey({ type, message }: Pick<TailError, "type" | "message">): string {
  return getFirstLine(`${type}: ${message}`);
}

/** The text before its first line break. */
export function getFirstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** True for `console.error`. */
export function isErrorLog(log: unknown): boolean {
  return readString(log, "level") === "error";
}

/**
 * The arguments as one text: strings unchanged, everything else as short JSON. At most
 * `limits.maxMessageChars`.
 */
export function formatLogText(log: unknown): string {
  const texts = listArguments(log).slice(0, limits.maxMembers).map(formatArgument);
  return truncateText(texts.join(" "), limits.maxMessageChars);
}

/** The errors among the arguments. */
export function listLoggedErrors(log: unknown): readonly TailError[] {
  const errors = asArray(readProperty(log, "errorInfo")) ?? [];
  return errors
    .slice(0, limits.maxMembers)
    .map(parseTailError)
    .filter((error) => error !== undefined);
}

/**
 * The key of an error that Errata has reported and logged itself: the log contains the report's id
 * and digest (`worker.ts`). Undefined for every other log.
 */
export function findSelfReportKey(log: unknown): string | undefined {
  const [logged] = listArguments(log);
  const digest = readString(logged, "digest") ?? "";
  if (parseHexId(readProperty(logged, "report")) === undefined || !isDigest(digest))
    return undefined;
  const [type, message] = [readString(logged, "type"), readString(logged, "message")];
  return formatErrorKey({ type: type ?? "", message: message ?? "" });
}

function listArguments(log: unknown): readonly unknown[] {
  const message = readProperty(log, "message");
  return asArray(message) ?? (message === undefined ? [] : [message]);
}

const ARGUMENT_LIMITS = { maxDepth: 4, maxMembers: 50, maxValues: 100, maxStringChars: 500 };

function formatArgument(argument: unknown): string {
  if (typeof argument === "string") return argument;
  return JSON.stringify(truncateJson(argument, ARGUMENT_LIMITS).value);
}
