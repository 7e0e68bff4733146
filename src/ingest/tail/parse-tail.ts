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
 * One error counts once per invocation, however often it was logged before it was thrown, and a
 * loop once in ten minutes (`loops.ts`). Errors that Errata logged itself are already reports and
 * are recognized by their report id. The members are getters of the platform, not JSON.
 * Source: @cloudflare/workers-types 5, TraceItem, TraceItemFetchEventInfo and TraceLog; workerd
 * src/workerd/io/outcome.capnp; tests/fixtures/tail, captured in workerd.
 */
import { hasProperties, readProperty, readString } from "../../core/read-property.ts";
import { parseLoggedStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { ParsedReport } from "../../core/report.ts";
import { describeOutcome, isFailedOutcome } from "../decode/worker-facts.ts";
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
  formatErrorLog,
  getFirstLine,
  listLoggedErrors,
  parseTailError,
  readList,
  sortLines,
} from "./log-lines.ts";
import { findLoop, findRepeatedLines, type Loop, LoopMemory } from "./loops.ts";
import { createTailReport, type TailException } from "./tail-report.ts";

/**
 * Parses all events. Per event: the invocation, then its exceptions, then its logs, in order.
 * `memory` is what earlier calls have seen.
 */
export function parseTail(
  events: readonly unknown[],
  memory = new LoopMemory(),
): readonly ParsedItem[] {
  const parseBounded = createBoundedParser();
  return events.flatMap((event) =>
    hasProperties(event)
      ? parseInvocation(event, memory, parseBounded)
      : [toInvalidItem("invocation", "not-an-object", "tail event: an object")],
  );
}

/** One event during parsing. */
interface Invocation {
  readonly event: object;
  readonly outcome: string;
  readonly exceptions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly lines: readonly unknown[];
  readonly repeated: ReturnType<typeof findRepeatedLines>;
  /** True the first time an error's key is claimed; it becomes a report only then. */
  readonly claimKey: (key: string) => boolean;
  readonly parseBounded: ReturnType<typeof createBoundedParser>;
}

function parseInvocation(
  event: object,
  memory: LoopMemory,
  parseBounded: Invocation["parseBounded"],
): readonly ParsedItem[] {
  const logs = readList(event, "logs");
  const exceptions = readList(event, "exceptions");
  const seenKeys = new Set(logs.map(findSelfReportKey));
  const claimKey = (key: string): boolean => seenKeys.size < seenKeys.add(key).size;
  const outcome = readString(event, "outcome") ?? "ok";
  const repeated = findRepeatedLines(logs);
  const invocation: Invocation = {
    ...{ event, outcome, exceptions, logs, repeated, claimKey, parseBounded },
    lines: sortLines(logs, readList(event, "diagnosticsChannelEvents")),
  };
  const loop = findLoop(event, exceptions.length > 0 || isFailedOutcome(outcome), memory);
  if (loop !== undefined) return parseLoop(loop, invocation);
  const thrown = exceptions.map((exception) => parseException(exception, invocation));
  const logged = logs.map((log) => parseLog(log, invocation));
  return [parseOutcome(invocation), ...thrown, ...logged];
}

/** The report of the loop, if it is due and the Worker has not reported it itself. */
function parseLoop(
  { isDue, ...loop }: Loop,
  { event, exceptions, logs, lines, parseBounded }: Invocation,
): readonly ParsedItem[] {
  const error = exceptions.map(parseTailError).find((found) => found !== undefined);
  const item = toItemName(loop.type);
  const isReported = logs.some((log) => findSelfReportKey(log) !== undefined);
  const report = (): ParsedReport =>
    createTailReport(event, {
      ...loop,
      stack: error?.stack,
      causes: error === undefined ? [] : [{ ...error, stack: undefined }],
      timestamp: readProperty(event, "eventTimestamp"),
      lines,
      isUncaught: true,
    });
  return [
    isDue && !isReported ? parseBounded(item, report) : toCountedItem(item),
    ...exceptions.map(() => toCountedItem("exception")),
    ...logs.map(() => toCountedItem("log")),
  ];
}

function parseOutcome(invocation: Invocation): ParsedItem {
  const { outcome, exceptions, claimKey, parseBounded } = invocation;
  if (outcome === "ok" || (outcome === "exception" && exceptions.length > 0))
    return toCountedItem("invocation");
  if (!isFailedOutcome(outcome)) return toCountedItem(outcome);
  if (!claimKey(outcome)) return toCountedItem("invocation");
  return parseBounded(toItemName(outcome), () => createOutcomeReport(invocation));
}

function parseException(exception: unknown, invocation: Invocation): ParsedItem {
  const { event, outcome, lines, claimKey, parseBounded } = invocation;
  const error = parseTailError(exception);
  if (error === undefined)
    return toInvalidItem("exception", "missing-field", "tail exception: a name or a message");
  const isLimit = outcome.startsWith("exceeded") && LIMIT_MESSAGE.test(error.message);
  if (!claimKey(isLimit ? outcome : formatErrorKey(error))) return toCountedItem("exception");
  const timestamp = readProperty(exception, "timestamp");
  return parseBounded("exception", () =>
    isLimit
      ? createOutcomeReport(invocation)
      : createTailReport(event, { ...error, kind: "error", timestamp, lines, isUncaught: true }),
  );
}

function parseLog(
  log: unknown,
  { event, lines, repeated, claimKey, parseBounded }: Invocation,
): ParsedItem {
  if (findSelfReportKey(log) !== undefined) return toCountedItem("self-report");
  const logged = formatErrorLog(log);
  const loop = repeated(log);
  if (logged === "" || (loop && !claimKey(`repeated ${loop.text}`))) return toCountedItem("log");
  const [error, ...causes] = listLoggedErrors(log);
  const found = error ?? findErrorInText(logged);
  if (!claimKey(found === undefined ? getFirstLine(logged) : formatErrorKey(found)))
    return toCountedItem("log");
  const exceptionInfo: Omit<TailException, "lines"> = {
    ...(found === undefined
      ? { type: "Message", message: logged, kind: "message" }
      : { ...found, kind: "error" }),
    causes,
    loggedText: logged,
    timestamp: readProperty(log, "timestamp"),
    isUncaught: false,
    ...(loop !== undefined && {
      kind: "message",
      type: "LogLoop",
      message: `console.error repeats: ${loop.text}`,
      repeats: loop.repeats,
      fingerprint: ["log-loop", readString(event, "scriptName") ?? "", loop.text],
    }),
  };
  return parseBounded("log", () =>
    createTailReport(event, { ...exceptionInfo, lines: lines.slice(0, lines.indexOf(log)) }),
  );
}

/** The error of a log that contains only the text of a stack. */
function findErrorInText(logged: string) {
  const parsed = parseLoggedStack(logged);
  if (parsed === undefined) return undefined;
  return { type: parsed.type, message: parsed.message ?? "", stack: logged, parsed };
}

/** The platform throws these when it ends a Worker: the same errors as the outcome. */
const LIMIT_MESSAGE = /^(?:Worker exceeded [a-z ]{1,40}limit\b|Alarm exceeded its allowed ex)/i;

/** One issue per outcome and entry point, for all messages. */
function createOutcomeReport({ event, outcome, lines }: Invocation): ParsedReport {
  const script = readString(event, "scriptName") ?? "";
  return createTailReport(event, {
    kind: "error",
    type: outcome,
    message: describeOutcome(outcome),
    timestamp: readProperty(event, "eventTimestamp"),
    lines,
    isUncaught: true,
    fingerprint: ["worker-outcome", outcome, script, readString(event, "entrypoint") ?? ""],
  });
}
