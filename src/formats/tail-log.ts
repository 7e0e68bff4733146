/**
 * Errors and `console` calls as a tail event has them. A call has its level, its arguments, and beside each argument that was
 * an error what that error was.
 * Source: @cloudflare/workers-types 5, TraceLog; tests/fixtures/tail.
 */
import { cutJson, cutText } from "../core/cut.ts";
import { isDigest } from "../core/digest.ts";
import { limits } from "../core/limits.ts";
import { readProperty, readString } from "../core/read-property.ts";
import { arrayOf, idOf } from "./decode.ts";

/** An error as the platform tells it. `stack` has frames only, without the error's name and message before them. */
export interface ToldError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** The error in an exception or a log's `errorInfo`. Undefined without a name and a message. */
export function errorIn(told: unknown): ToldError | undefined {
  const type = readString(told, "name");
  const message = readString(told, "message");
  if (!type && !message) return undefined;
  return { type: type || "Error", message: message ?? "", stack: readString(told, "stack") };
}

/** What two tellings of one fault have in common: `TypeError: no price`. */
export function titleOf({ type, message }: Pick<ToldError, "type" | "message">): string {
  return firstLine(`${type}: ${message}`);
}

/** The text up to its first line break. */
export function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** True for `console.error`. */
export function isErrorLog(log: unknown): boolean {
  return readString(log, "level") === "error";
}

/** What was logged as one text: strings as they are, everything else as short JSON. At most `limits.maxMessageChars`. */
export function logText(log: unknown): string {
  const texts = argumentsOf(log).slice(0, limits.maxMembers).map(textOfArgument);
  return cutText(texts.join(" "), limits.maxMessageChars);
}

/** The errors among what was logged. */
export function loggedErrors(log: unknown): readonly ToldError[] {
  const told = arrayOf(readProperty(log, "errorInfo")) ?? [];
  return told
    .slice(0, limits.maxMembers)
    .map(errorIn)
    .filter((error) => error !== undefined);
}

/**
 * The title of a failure that Errata itself has reported and logged: the log names the report's id and its digest
 * (`worker.ts`). Undefined for every other log.
 */
export function ownReport(log: unknown): string | undefined {
  const [logged] = argumentsOf(log);
  const digest = readString(logged, "digest") ?? "";
  if (idOf(readProperty(logged, "report")) === undefined || !isDigest(digest)) return undefined;
  const [type, message] = [readString(logged, "type"), readString(logged, "message")];
  return titleOf({ type: type ?? "", message: message ?? "" });
}

function argumentsOf(log: unknown): readonly unknown[] {
  const message = readProperty(log, "message");
  return arrayOf(message) ?? (message === undefined ? [] : [message]);
}

const SHORT_JSON = { maxDepth: 4, maxMembers: 50, maxValues: 100, maxStringChars: 500 };

function textOfArgument(argument: unknown): string {
  if (typeof argument === "string") return argument;
  return JSON.stringify(cutJson(argument, SHORT_JSON).value);
}
