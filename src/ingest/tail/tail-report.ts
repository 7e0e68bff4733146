/**
 * Creates the report of an error in an invocation: with its request, the facts of the Worker, and
 * the console output before it.
 */
import {
  asArray,
  asNumber,
  asText,
  asTextPairs,
  type JsonFields,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import type { TextStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { ParsedReport } from "../../core/report.ts";
import { parseTraceparent } from "../../core/request/traceparent.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { parseStackFrames, toErrorContent, toReportPlatform } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toWorkerContext, toWorkerTags, type WorkerFacts } from "../decode/worker-facts.ts";
import { createLogBreadcrumbs, type TailError } from "./log-lines.ts";

/** An error before truncation. */
export interface TailException {
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
  /** Console calls and published messages before it (`sortLines`). */
  readonly lines: readonly unknown[];
  /** The text of its log. */
  readonly loggedText?: string;
  /** The Worker did not catch it: a success status was sent before the failure. */
  readonly isUncaught: boolean;
  readonly fingerprint?: readonly string[];
  /** How often the same line was logged. */
  readonly repeats?: number;
  /** See `ParsedReport.dedupeKey`. */
  readonly dedupeKey?: string;
}

/** The report of an error in the invocation that `event` describes. */
export function createTailReport(event: object, exception: TailException): ParsedReport {
  const truncations = trackTruncations();
  const { type, message, stack, frames } = parseError(exception, truncations);
  const inText = exception.parsed && toErrorContent(exception.parsed, truncations);
  const info = readProperty(event, "event");
  const request = readProperty(info, "request");
  const headers = asTextPairs(readProperty(request, "headers"));
  const version = readProperty(event, "scriptVersion");
  const status = asNumber(readProperty(readProperty(info, "response"), "status"));
  const worker = readWorkerContext(event, exception.repeats);
  const span = readProperty(event, "tailAttributes");
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
    dedupeKey: exception.dedupeKey,
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
    userKey: asText(readProperty(span, "user.id")),
    tags: createTags(
      [
        ...toWorkerTags(readWorkerFacts(event)),
        ["truncated", readProperty(event, "truncated") === true ? "true" : undefined],
      ],
      truncations,
    ),
    breadcrumbs: createLogBreadcrumbs(exception.lines, truncations),
    detail: truncations.limitJson("detail", {
      logged: getExtraLogText(exception),
      contexts: (worker ?? span) && { worker, span },
    }),
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

/** The trigger of an invocation: `fetch`, `alarm`; undefined if its event does not show one. */
export function findTrigger(event: object): string | undefined {
  const info = readProperty(event, "event");
  const trigger = TRIGGERS.find(([member]) => readProperty(info, member) !== undefined)?.[1];
  const model = readString(event, "executionModel");
  if (trigger === "rpc" && model === "durableObject") return "object-rpc";
  return trigger ?? (model === "workflow" ? model : undefined);
}

function readWorkerFacts(event: object): WorkerFacts {
  const info = readProperty(event, "event");
  const read = (name: string) => asText(readProperty(event, name));
  const readInfo = (name: string) => asText(readProperty(info, name));
  return {
    script: read("scriptName"),
    trigger: findTrigger(event),
    entrypoint: read("entrypoint"),
    outcome: read("outcome"),
    model: read("executionModel"),
    cron: readInfo("cron"),
    queue: readInfo("queue"),
    method: readInfo("rpcMethod"),
    version: asText(readProperty(readProperty(event, "scriptVersion"), "id")),
    namespace: read("dispatchNamespace"),
    "durable object": read("durableObjectId"),
    colo: asText(readProperty(readProperty(readProperty(info, "request"), "cf"), "colo")),
  };
}

/** The context of the report. Undefined if nothing was measured. */
function readWorkerContext(event: object, repeats: number | undefined): JsonFields | undefined {
  const info = readProperty(event, "event");
  return toWorkerContext({
    cpuMs: asNumber(readProperty(event, "cpuTime")),
    wallMs: asNumber(readProperty(event, "wallTime")),
    others: {
      scheduled: formatScheduledTime(info),
      "batch size": asNumber(readProperty(info, "batchSize")),
      "WebSocket event": readString(readProperty(info, "getWebSocketEvent"), "webSocketEventType"),
      repeats,
    },
  });
}

/** When an alarm is due, in ms; undefined for other events. The event of a cron has a number. */
export function readScheduledMs(info: unknown): number | undefined {
  const time = readProperty(info, "scheduledTime");
  return time instanceof Date ? asNumber(time.getTime()) : parseTimeMs(time);
}

function formatScheduledTime(info: unknown): string | undefined {
  const ms = readScheduledMs(info);
  return ms === undefined ? undefined : new Date(ms).toISOString();
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
