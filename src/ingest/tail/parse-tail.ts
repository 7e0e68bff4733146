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
 * Source: @cloudflare/workers-types 5, TraceItem, TraceItemFetchEventInfo and TraceLog;
 * tests/fixtures/tail, captured in workerd.
 */
import {
  asArray,
  asNumber,
  asText,
  asTextPairs,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { isDigest } from "../../core/grouping/parse-digest.ts";
import { limits } from "../../core/limits.ts";
import { hasProperties, readProperty, readString } from "../../core/read-property.ts";
import { parseLoggedStack, type TextStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { Breadcrumb, ParsedReport } from "../../core/report.ts";
import { truncateJson, truncateText } from "../../core/truncate.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { parseStackFrames, toErrorContent, toReportPlatform } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import {
  createBoundedParser,
  type ParsedItem,
  toCountedItem,
  toInvalidItem,
  toItemName,
} from "../format/ingest-format.ts";

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

/** An error before truncation. */
interface TailException {
  readonly kind: "error" | "message";
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** The stack, if it was parsed because only a text was logged. */
  readonly parsed?: TextStack;
  /** Other errors in the same log. */
  readonly causes?: readonly TailError[];
  /** When it was thrown or logged, in milliseconds since 1970. */
  readonly timestamp: unknown;
  /** Console calls before it. */
  readonly logs: readonly unknown[];
  /** The text of its log. */
  readonly loggedText?: string;
  /** The Worker did not catch it: a success status was sent before the failure. */
  readonly isUncaught: boolean;
  readonly fingerprint?: readonly string[];
}

/**
 * The report of an error in the invocation that `event` describes: with its request, the script's
 * version, the data center, and the console output before it.
 */
function createTailReport(event: object, exception: TailException): ParsedReport {
  const truncations = trackTruncations();
  const { type, message, stack, frames } = parseError(exception, truncations);
  const inText = exception.parsed && toErrorContent(exception.parsed, truncations);
  const info = readProperty(event, "event");
  const request = readProperty(info, "request");
  const headers = asTextPairs(readProperty(request, "headers"));
  const version = readProperty(event, "scriptVersion");
  const status = asNumber(readProperty(readProperty(info, "response"), "status"));
  return {
    kind: exception.kind,
    side: "server",
    format: "tail",
    type,
    message,
    level: "error",
    frames: inText?.frames ?? frames,
    platform: toReportPlatform(exception.parsed?.platform),
    isGroup: inText?.isGroup,
    occurredAtMs:
      parseTimeMs(exception.timestamp) ?? parseTimeMs(readProperty(event, "eventTimestamp")),
    stack,
    causes: inText?.causes ?? parseCauses(exception, truncations),
    request: createReportRequest(
      { method: readProperty(request, "method"), url: readProperty(request, "url"), headers },
      truncations,
    ),
    response:
      status === undefined
        ? undefined
        : { status, isSilent200: exception.isUncaught && status < FIRST_ERROR_STATUS },
    release: truncations.limitString(
      "release",
      readString(version, "tag") || readString(version, "id"),
    ),
    environment: truncations.limitString("environment", findEnvironment(event)),
    traceId: parseTraceparent(findHeader(headers, "traceparent")),
    rayId: truncations.limitText("rayId", findHeader(headers, "cf-ray"), limits.maxTypeChars),
    tags: createTags(listTags(event, info), truncations),
    breadcrumbs: createLogBreadcrumbs(exception.logs, truncations),
    detail: truncations.limitJson("detail", { logged: getExtraLogText(exception) }),
    fingerprint: exception.fingerprint?.map(
      (part) => truncations.limitString("fingerprint", part) ?? "",
    ),
    truncated: truncations.listNames(),
  };
}

const FIRST_ERROR_STATUS = 400;

/** The platform omits the first line of a stack; this adds it. */
function parseError(
  exception: Pick<TailException, "type" | "message" | "stack">,
  truncations: Truncations,
): Pick<ParsedReport, "type" | "message" | "frames"> & { readonly stack: string | undefined } {
  const type = truncations.limitText("type", exception.type, limits.maxTypeChars) ?? "Error";
  const message = truncations.limitText("message", exception.message, limits.maxMessageChars) ?? "";
  const isHeaderless = exception.stack !== undefined && /^\s*at /.test(exception.stack);
  const fullStack = isHeaderless ? `${type}: ${message}\n${exception.stack}` : exception.stack;
  const stack = truncations.limitText("stack", fullStack, limits.maxStackChars);
  return { type, message, stack, frames: parseStackFrames(exception.stack, truncations) };
}

function parseCauses(
  { causes = [] }: TailException,
  truncations: Truncations,
): ParsedReport["causes"] {
  const limited = truncations.takeFirst("causes", causes, limits.maxCauses).map((cause) => {
    const { type, message, frames } = parseError(cause, truncations);
    return { type, message, frames };
  });
  return limited.length === 0 ? undefined : limited;
}

/** Text logged beside an error: "Checkout failed:". Undefined if it is only the error itself. */
function getExtraLogText({ loggedText, type, message }: TailException): string | undefined {
  return loggedText === `${type}: ${message}` ? undefined : loggedText;
}

const MAX_BREADCRUMB_CHARS = 200;

function createLogBreadcrumbs(
  logs: readonly unknown[],
  truncations: Truncations,
): readonly Breadcrumb[] | undefined {
  const newest = truncations.takeLast("breadcrumbs", logs, limits.maxBreadcrumbs);
  const breadcrumbs = newest.map((log) => ({
    atMs: parseTimeMs(readProperty(log, "timestamp")),
    category: "console",
    level: truncations.limitText("breadcrumbs", readString(log, "level"), MAX_BREADCRUMB_CHARS),
    message: truncateText(formatLogText(log), MAX_BREADCRUMB_CHARS),
  }));
  return breadcrumbs.length === 0 ? undefined : breadcrumbs;
}

/** Triggers of an invocation, by a member that only their event has. */
const TRIGGERS: readonly (readonly [member: string, trigger: string])[] = [
  ["request", "fetch"],
  ["cron", "scheduled"],
  ["queue", "queue"],
  ["mailFrom", "email"],
  ["rpcMethod", "rpc"],
  ["getWebSocketEvent", "websocket"],
  ["consumedEvents", "tail"],
  ["scheduledTime", "alarm"],
];

function listTags(event: object, info: unknown) {
  const outcome = readString(event, "outcome");
  const trigger = TRIGGERS.find(([member]) => readProperty(info, member) !== undefined)?.[1];
  const colo = readProperty(readProperty(readProperty(info, "request"), "cf"), "colo");
  const candidates: readonly (readonly [name: string, value: unknown])[] = [
    ["script", readProperty(event, "scriptName")],
    ["version", readProperty(readProperty(event, "scriptVersion"), "id")],
    ["entrypoint", readProperty(event, "entrypoint")],
    ["namespace", readProperty(event, "dispatchNamespace")],
    ["durable object", readProperty(event, "durableObjectId")],
    ["trigger", trigger],
    ["cron", readProperty(info, "cron")],
    ["queue", readProperty(info, "queue")],
    ["method", readProperty(info, "rpcMethod")],
    ["outcome", outcome === "ok" ? undefined : outcome],
    ["colo", colo],
    ["truncated", readProperty(event, "truncated") === true ? "true" : undefined],
  ];
  return candidates.map(([name, value]) => [name, asText(value)] as const);
}

/**
 * Wrangler writes the environment's name into the script's tags. A preview is its own environment.
 */
function findEnvironment(event: object): string | undefined {
  const tags = asArray(readProperty(event, "scriptTags")) ?? [];
  const environmentTag = tags.find(
    (tag) => typeof tag === "string" && tag.startsWith(ENVIRONMENT_TAG),
  );
  if (typeof environmentTag === "string") return environmentTag.slice(ENVIRONMENT_TAG.length);
  return readProperty(event, "preview") === undefined ? undefined : "preview";
}

const ENVIRONMENT_TAG = "cf:environment=";

function findHeader(headers: readonly (readonly [string, string])[], wantedName: string) {
  return headers.find(([name]) => name.toLowerCase() === wantedName)?.[1];
}

/** The trace id of a `traceparent` (W3C Trace Context § 3.2.2). */
function parseTraceparent(traceparent: string | undefined): string | undefined {
  return parseHexId(/^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? "")?.[1]);
}

/** An error in a tail event. `stack` has only frames, without the first line. */
interface TailError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/**
 * Parses the error of an exception or of a log's `errorInfo`. Undefined without name and message.
 */
function parseTailError(error: unknown): TailError | undefined {
  const type = readString(error, "name");
  const message = readString(error, "message");
  if (!type && !message) return undefined;
  return { type: type || "Error", message: message ?? "", stack: readString(error, "stack") };
}

/** Equal for two events about the same error: `TypeError: no price`. */
function formatErrorKey({ type, message }: Pick<TailError, "type" | "message">): string {
  return getFirstLine(`${type}: ${message}`);
}

/** The text before its first line break. */
function getFirstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** True for `console.error`. */
function isErrorLog(log: unknown): boolean {
  return readString(log, "level") === "error";
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
function listLoggedErrors(log: unknown): readonly TailError[] {
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
function findSelfReportKey(log: unknown): string | undefined {
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
