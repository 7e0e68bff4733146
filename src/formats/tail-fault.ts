/**
 * One fault of another Worker as a draft: what the tail event says of the fault, and what it says of the invocation around
 * it: the request, the script's version, the data centre, and the console before it.
 * Source: @cloudflare/workers-types 5, TraceItem and TraceItemFetchEventInfo.
 */
import { cutText } from "../core/cut.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import { readProperty, readString } from "../core/read-property.ts";
import type { Breadcrumb, Draft } from "../core/report.ts";
import { type Cuts, createCuts } from "./cuts.ts";
import { arrayOf, idOf, numberOf, pairsOf, textOf, timeMsOf } from "./decode.ts";
import { stackFrames } from "./frames.ts";
import { requestOf } from "./request.ts";
import { tagsOf } from "./tags.ts";
import { logText, type ToldError } from "./tail-log.ts";

/** A fault, not cut yet. */
export interface TailFault {
  readonly kind: "error" | "message";
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Other errors that were logged with it. */
  readonly causes?: readonly ToldError[];
  /** When it was thrown or logged: milliseconds since 1970. */
  readonly at: unknown;
  /** The console's calls before it. */
  readonly logs: readonly unknown[];
  /** The text that it was logged with. */
  readonly logged?: string;
  /** Nothing in the Worker took it: what was answered before it was answered silently. */
  readonly uncaught: boolean;
  readonly fingerprint?: readonly string[];
}

/** The draft of a fault in the invocation that `event` describes. */
export function faultDraft(event: object, fault: TailFault): Draft {
  const cuts = createCuts();
  const text = (name: string, value: unknown) => cuts.text(name, value, limits.maxStringChars);
  const { type, message, stack, frames } = errorOf(fault, cuts);
  const info = readProperty(event, "event");
  const request = readProperty(info, "request");
  const headers = pairsOf(readProperty(request, "headers"));
  const version = readProperty(event, "scriptVersion");
  const status = numberOf(readProperty(readProperty(info, "response"), "status"));
  return {
    kind: fault.kind,
    side: "server",
    format: "tail",
    type,
    message,
    level: "error",
    frames,
    ...present({
      occurredAtMs: timeMsOf(fault.at) ?? timeMsOf(readProperty(event, "eventTimestamp")),
      stack,
      causes: causesOf(fault, cuts),
      request: requestOf(
        { method: readProperty(request, "method"), url: readProperty(request, "url"), headers },
        cuts,
      ),
      response:
        status === undefined
          ? undefined
          : { status, silent: fault.uncaught && status < FIRST_ERROR_STATUS },
      release: text("release", readString(version, "tag") || readString(version, "id")),
      environment: text("environment", environmentOf(event)),
      traceId: traceIdOf(header(headers, "traceparent")),
      rayId: cuts.text("rayId", header(headers, "cf-ray"), limits.maxTypeChars),
      tags: tagsOf(tagsIn(event, info), cuts),
      breadcrumbs: breadcrumbsOf(fault.logs, cuts),
      detail: cuts.json("detail", { logged: loggedBeside(fault) }),
      fingerprint: fault.fingerprint?.map((part) => text("fingerprint", part) ?? ""),
      cut: cuts.names(),
    }),
  };
}

const FIRST_ERROR_STATUS = 400;

/** The platform leaves out the first line of a stack; people look for it. */
function errorOf(
  fault: Pick<TailFault, "type" | "message" | "stack">,
  cuts: Cuts,
): Pick<Draft, "type" | "message" | "frames"> & { readonly stack: string | undefined } {
  const type = cuts.text("type", fault.type, limits.maxTypeChars) ?? "Error";
  const message = cuts.text("message", fault.message, limits.maxMessageChars) ?? "";
  const bare = fault.stack !== undefined && /^\s*at /.test(fault.stack);
  const whole = bare ? `${type}: ${message}\n${fault.stack}` : fault.stack;
  const stack = cuts.text("stack", whole, limits.maxStackChars);
  return { type, message, stack, frames: stackFrames(fault.stack, cuts) };
}

function causesOf({ causes = [] }: TailFault, cuts: Cuts): Draft["causes"] {
  const kept = cuts.first("causes", causes, limits.maxCauses).map((cause) => {
    const { type, message, frames } = errorOf(cause, cuts);
    return { type, message, frames };
  });
  return kept.length === 0 ? undefined : kept;
}

/** What was written beside an error: "Checkout failed:". The error's own words are no news. */
function loggedBeside({ logged, type, message }: TailFault): string | undefined {
  return logged === `${type}: ${message}` ? undefined : logged;
}

const MAX_CRUMB_CHARS = 200;

function breadcrumbsOf(logs: readonly unknown[], cuts: Cuts): readonly Breadcrumb[] | undefined {
  const newest = cuts.last("breadcrumbs", logs, limits.maxBreadcrumbs);
  const crumbs = newest.map((log) =>
    present({
      atMs: timeMsOf(readProperty(log, "timestamp")),
      category: "console",
      level: cuts.text("breadcrumbs", readString(log, "level"), MAX_CRUMB_CHARS),
      message: cutText(logText(log), MAX_CRUMB_CHARS),
    }),
  );
  return crumbs.length === 0 ? undefined : crumbs;
}

/** What starts an invocation, by the member that only its event has. */
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

function tagsIn(event: object, info: unknown) {
  const outcome = readString(event, "outcome");
  const trigger = TRIGGERS.find(([member]) => readProperty(info, member) !== undefined)?.[1];
  const colo = readProperty(readProperty(readProperty(info, "request"), "cf"), "colo");
  const told: readonly (readonly [name: string, value: unknown])[] = [
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
  return told.map(([name, value]) => [name, textOf(value)] as const);
}

/** Wrangler writes the environment's name into the script's tags; a preview is one by itself. */
function environmentOf(event: object): string | undefined {
  const tags = arrayOf(readProperty(event, "scriptTags")) ?? [];
  const named = tags.find((tag) => typeof tag === "string" && tag.startsWith(ENVIRONMENT_TAG));
  if (typeof named === "string") return named.slice(ENVIRONMENT_TAG.length);
  return readProperty(event, "preview") === undefined ? undefined : "preview";
}

const ENVIRONMENT_TAG = "cf:environment=";

function header(headers: readonly (readonly [string, string])[], wanted: string) {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The trace id of a `traceparent` (W3C Trace Context § 3.2.2). */
function traceIdOf(traceparent: string | undefined): string | undefined {
  return idOf(/^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? "")?.[1]);
}
