/** The console calls and published messages of an invocation: their texts, errors and breadcrumbs. */
import { asArray, parseHexId, parseTimeMs } from "../../core/decode/as-type.ts";
import { isDigest } from "../../core/grouping/parse-digest.ts";
import { limits } from "../../core/limits.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import type { Breadcrumb } from "../../core/report.ts";
import { truncateJson, truncateText } from "../../core/truncate.ts";
import type { Truncations } from "../decode/truncations.ts";

/** An error in a tail event. `stack` has only frames, without the first line. */
export interface TailError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** A member of a tail event that is a list; empty if it is none. */
export function readList(event: unknown, name: string): readonly unknown[] {
  return asArray(readProperty(event, name)) ?? [];
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

/** The text of a `console.error`; empty for every other call. */
export function formatErrorLog(log: unknown): string {
  return readString(log, "level") === "error" ? formatLogText(log) : "";
}

/**
 * The arguments as one text: strings unchanged, everything else as short JSON. At most
 * `limits.maxMessageChars`.
 */
function formatLogText(log: unknown): string {
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
 * The key of an error that Errata or its adapter has reported and logged itself: the log contains
 * the report's id and digest (`worker.ts`, `adapters/workers.ts`). Undefined for every other log.
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
  return JSON.stringify(truncateJson(argument, ARGUMENT_LIMITS).value) ?? "";
}

const MAX_BREADCRUMB_CHARS = 200;

/** The console calls of an invocation and what it published on diagnostics channels, by time. */
export function sortLines(
  logs: readonly unknown[],
  published: readonly unknown[],
): readonly unknown[] {
  if (published.length === 0) return logs;
  return [...logs, ...published].sort((a, b) => (readTime(a) ?? 0) - (readTime(b) ?? 0));
}

function readTime(line: unknown): number | undefined {
  return parseTimeMs(readProperty(line, "timestamp"));
}

/** The last of the lines. Undefined if there are none. */
export function createLogBreadcrumbs(
  lines: readonly unknown[],
  truncations: Truncations,
): readonly Breadcrumb[] | undefined {
  const newest = truncations.takeLast("breadcrumbs", lines, limits.maxBreadcrumbs);
  const limitText = (line: unknown, name: string) =>
    truncations.limitText("breadcrumbs", readProperty(line, name), MAX_BREADCRUMB_CHARS);
  const breadcrumbs = newest.map((line) => ({
    atMs: readTime(line),
    category: limitText(line, "channel") ?? "console",
    level: limitText(line, "level"),
    message: truncateText(formatLogText(line), MAX_BREADCRUMB_CHARS),
  }));
  return breadcrumbs.length === 0 ? undefined : breadcrumbs;
}
