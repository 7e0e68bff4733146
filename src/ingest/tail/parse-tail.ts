/**
 * Parses the events that the platform passes to `tail()`: one for each invocation of another
 * Worker, with its exceptions, logs and outcome. Uncaught exceptions, logged errors and failed
 * outcomes become reports; the rest is counted.
 *
 *     {"outcome":"exception",
 *      "exceptions":[{"name":"TypeError","message":"…","stack":"    at …",
 *                     "timestamp":1795287107729}],
 *      "logs":[{"level":"error","message":["Checkout failed:","TypeError: …"],
 *               "errorInfo":[null,{…}],…}],"event":{…},…}
 *
 * One error counts once per invocation, however often it was logged before it was thrown. Errors
 * that Errata logged itself are already reports and are recognized by their report id. The members
 * are getters of the platform, not JSON.
 * Source: @cloudflare/workers-types 5, TraceItem; tests/fixtures/tail, captured in workerd.
 */

import { asArray } from "../../core/decode/as-type.ts";
import { hasProperties, readProperty, readString } from "../../core/read-property.ts";
import { parseLoggedStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { ParsedReport } from "../../core/report.ts";
import {
  createBoundedParser,
  type ParsedItem,
  toCountedItem,
  toInvalidItem,
  toItemName,
} from "../format/ingest-format.ts";
import {
  findSelfReportKey,
  formatErrorKey,
  formatLogText,
  getFirstLine,
  isErrorLog,
  listLoggedErrors,
  parseTailError,
} from "./console-log.ts";
import { createTailReport, type TailException } from "./tail-exception.ts";

/** Parses all events. Per event: the invocation, then its exceptions, then its logs, in order. */
export function parseTail(events: readonly unknown[]): readonly ParsedItem[] {
  const parseBounded = createBoundedParser();
  return events.flatMap((event) =>
    hasProperties(event)
      ? parseInvocation(event, parseBounded)
      : [toInvalidItem("invocation", "not-an-object", "tail event: an object")],
  );
}

/** One event during parsing. */
interface Invocation {
  readonly event: object;
  readonly outcome: string;
  readonly logs: readonly unknown[];
  /** True the first time an error's key is claimed; it becomes a report only then. */
  readonly claimKey: (key: string) => boolean;
  readonly parseBounded: ReturnType<typeof createBoundedParser>;
}

function parseInvocation(
  event: object,
  parseBounded: Invocation["parseBounded"],
): readonly ParsedItem[] {
  const logs = readList(event, "logs");
  const seenKeys = new Set(logs.map(findSelfReportKey));
  const claimKey = (key: string): boolean => seenKeys.size < seenKeys.add(key).size;
  const outcome = readString(event, "outcome") ?? "ok";
  const invocation: Invocation = { event, outcome, logs, claimKey, parseBounded };
  const thrown = readList(event, "exceptions").map((exception) =>
    parseException(exception, invocation),
  );
  const logged = logs.map((log, index) => parseLog(log, index, invocation));
  return [parseOutcome(invocation, thrown.length > 0), ...thrown, ...logged];
}

function parseOutcome(invocation: Invocation, hasThrown: boolean): ParsedItem {
  const { outcome, claimKey, parseBounded } = invocation;
  if (outcome === "ok" || (outcome === "exception" && hasThrown))
    return toCountedItem("invocation");
  if (CLIENT_DISCONNECTED.has(outcome)) return toCountedItem(outcome);
  if (!claimKey(outcome)) return toCountedItem("invocation");
  return parseBounded(toItemName(outcome), () => createOutcomeReport(invocation));
}

function parseException(exception: unknown, invocation: Invocation): ParsedItem {
  const { event, outcome, logs, claimKey, parseBounded } = invocation;
  const error = parseTailError(exception);
  if (error === undefined)
    return toInvalidItem("exception", "missing-field", "tail exception: a name or a message");
  const isLimit = outcome.startsWith("exceeded") && LIMIT_MESSAGE.test(error.message);
  if (!claimKey(isLimit ? outcome : formatErrorKey(error))) return toCountedItem("exception");
  const timestamp = readProperty(exception, "timestamp");
  return parseBounded("exception", () =>
    isLimit
      ? createOutcomeReport(invocation)
      : createTailReport(event, { ...error, kind: "error", timestamp, logs, isUncaught: true }),
  );
}

function parseLog(
  log: unknown,
  index: number,
  { event, logs, claimKey, parseBounded }: Invocation,
): ParsedItem {
  if (findSelfReportKey(log) !== undefined) return toCountedItem("self-report");
  const logged = isErrorLog(log) ? formatLogText(log) : "";
  if (logged === "") return toCountedItem("log");
  const [error, ...causes] = listLoggedErrors(log);
  const found = error ?? findErrorInText(logged);
  if (!claimKey(found === undefined ? getFirstLine(logged) : formatErrorKey(found)))
    return toCountedItem("log");
  const exceptionInfo: Omit<TailException, "logs"> = {
    ...(found === undefined
      ? { type: "Message", message: logged, kind: "message" }
      : { ...found, kind: "error" }),
    causes,
    loggedText: logged,
    timestamp: readProperty(log, "timestamp"),
    isUncaught: false,
  };
  return parseBounded("log", () =>
    createTailReport(event, { ...exceptionInfo, logs: logs.slice(0, index) }),
  );
}

/** The error of a log that contains only the text of a stack. */
function findErrorInText(logged: string) {
  const parsed = parseLoggedStack(logged);
  if (parsed === undefined) return undefined;
  return { type: parsed.type, message: parsed.message ?? "", stack: logged, parsed };
}

/** Outcomes that are not failures. */
const CLIENT_DISCONNECTED: ReadonlySet<string> = new Set([
  "canceled",
  "responseStreamDisconnected",
]);

/** The platform throws this when it ends a Worker: the same error as the outcome. */
const LIMIT_MESSAGE = /^Worker exceeded [a-z ]{1,40}limit\b/i;

/** Messages of outcomes without an exception. */
const OUTCOME_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["exception", "the Worker threw an exception, and the event does not say which"],
  ["exceededCpu", "the Worker exceeded its CPU time limit"],
  ["exceededMemory", "the Worker exceeded its memory limit"],
  ["loadShed", "the platform was overloaded and did not run the Worker"],
  ["scriptNotFound", "the platform found no script to run"],
]);

/** One issue per outcome and entry point, for all messages. */
function createOutcomeReport({ event, outcome, logs }: Invocation): ParsedReport {
  const script = readString(event, "scriptName") ?? "";
  return createTailReport(event, {
    kind: "error",
    type: outcome,
    message: OUTCOME_MESSAGES.get(outcome) ?? "the platform ended the Worker, and does not say why",
    timestamp: readProperty(event, "eventTimestamp"),
    logs,
    isUncaught: true,
    fingerprint: ["worker-outcome", outcome, script, readString(event, "entrypoint") ?? ""],
  });
}

function readList(event: object, name: string): readonly unknown[] {
  return asArray(readProperty(event, name)) ?? [];
}
