/**
 * One thing that OTLP reports, as a draft: an exception, told by its attributes wherever they stand, or a message that was
 * logged as an error.
 *
 * OTLP has no report ids, and one failure is often told several times: by each span that it passed through, by a log record
 * beside the span (`OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN=logs/dup`), and by a sender that tries again. Within one trace, one
 * fault in one second is therefore one report.
 * Source: OpenTelemetry semantic conventions 1.45, exceptions on spans and in logs.
 */
import { cutJson } from "../core/cut.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { Draft } from "../core/report.ts";
import { type Cuts, createCuts } from "./cuts.ts";
import { idOf, numberOf, recordOf, textOf } from "./decode.ts";
import { stackFrames } from "./frames.ts";
import {
  type Attributes,
  attribute,
  keptAttributes,
  plainAttributes,
  plainOf,
} from "./otlp-attributes.ts";
import type { Origin } from "./otlp-origin.ts";
import { claimsOf, headersOf, statusOf } from "./otlp-request.ts";
import { requestOf } from "./request.ts";
import { tagsOf } from "./tags.ts";

/** A log record, or an event of a span, with what is known around it. */
export interface Occurrence {
  readonly origin: Origin;
  /** Its own attributes. */
  readonly attributes: Attributes;
  /** Those of the span that served the request, where the item itself says nothing of it. */
  readonly request: Attributes;
  /** The first of these that is a time: nanoseconds since 1970, 0 for unknown. */
  readonly times: readonly unknown[];
  readonly traceId: unknown;
  readonly level: string;
  /** Names to find it by: its scope, span and event. */
  readonly tags: readonly (readonly [name: string, value: unknown])[];
  /** What is kept beyond the draft's own fields. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The item's place in the body, which tells it from its neighbours where no trace does. */
  readonly place: string;
}

/** True when there is an exception: its type, its message or its stack. `exception.escaped` alone is none. */
export function isException(attributes: Attributes): boolean {
  return attribute(attributes, TYPE, MESSAGE, STACK) !== undefined;
}

/** The draft of an exception. */
export function exceptionDraft(occurrence: Occurrence): Draft {
  const { attributes } = occurrence;
  const cuts = createCuts();
  const stack = cuts.text("stack", attribute(attributes, STACK), limits.maxStackChars);
  return draftOf(occurrence, cuts, {
    kind: "error",
    type: cuts.text("type", attribute(attributes, TYPE), limits.maxTypeChars) ?? "Error",
    message: cuts.text("message", attribute(attributes, MESSAGE), limits.maxMessageChars) ?? "",
    frames: stackFrames(stack, cuts),
    ...present({ stack }),
  });
}

/** The draft of a logged message. */
export function messageDraft(occurrence: Occurrence, message: string): Draft {
  const cuts = createCuts();
  return draftOf(occurrence, cuts, {
    kind: "message",
    type: "Message",
    message: cuts.text("message", message, limits.maxMessageChars) ?? "",
    frames: [],
  });
}

/** The text of a record's body: text itself, the message in an object, else short JSON. Undefined when there is none. */
export function bodyText(body: unknown): string | undefined {
  const plain = plainOf(body);
  const fields = recordOf(plain);
  const message = textOf(fields?.message) ?? textOf(fields?.msg) ?? textOf(plain);
  if (message !== undefined || typeof plain !== "object") return message;
  return JSON.stringify(cutJson(plain, SHORT_JSON).value);
}

const TYPE = "exception.type";
const MESSAGE = "exception.message";
const STACK = "exception.stacktrace";
const SHORT_JSON = { maxDepth: 4, maxMembers: 50, maxValues: 100, maxStringChars: 500 };

type Told = Pick<Draft, "kind" | "type" | "message" | "frames" | "stack">;

function draftOf(occurrence: Occurrence, cuts: Cuts, told: Told): Draft {
  const { origin, attributes } = occurrence;
  const text = (name: string, value: unknown) => cuts.text(name, value, limits.maxStringChars);
  const http = new Map([...occurrence.request, ...attributes]);
  const claims = claimsOf(http);
  const headers = headersOf(http, cuts);
  const status = statusOf(http);
  const occurredAtMs = occurrence.times.map(msOf).find((ms) => ms !== undefined);
  const traceId = traceIdOf(occurrence.traceId);
  const kept = keptAttributes(attributes);
  return {
    ...told,
    side: origin.side,
    format: "otlp",
    level: occurrence.level,
    ...present({
      sameAs:
        occurredAtMs === undefined ? undefined : sameAsOf(occurrence, told, traceId, occurredAtMs),
      occurredAtMs,
      request: requestOf(
        { ...claims, userAgent: claims.userAgent ?? origin.userAgent, headers },
        cuts,
      ),
      response: status === undefined ? undefined : { status, silent: false },
      release: text("release", origin.release),
      environment: text("environment", origin.environment),
      traceId,
      rayId: headers.find(([name]) => name === "cf-ray")?.[1],
      tags: tagsOf(
        [
          ...origin.tags,
          ...occurrence.tags.map(([name, value]) => [name, textOf(value)] as const),
          ["handled", attribute(attributes, "exception.escaped") === "true" ? "false" : undefined],
        ],
        cuts,
      ),
      detail: cuts.json("detail", {
        attributes: kept.size === 0 ? undefined : plainAttributes(kept),
        ...occurrence.detail,
        resource: origin.detail,
      }),
      cut: cuts.names(),
    }),
  };
}

/** Where no trace tells two of them apart, everything that could is taken; what is still the same is the same. */
function sameAsOf(
  { origin, attributes, times, place }: Occurrence,
  { type, message, stack }: Told,
  traceId: string | undefined,
  occurredAtMs: number,
): string {
  const when =
    traceId === undefined
      ? [place, times, origin.detail, plainAttributes(attributes)]
      : [traceId, Math.floor(occurredAtMs / 1000)];
  return JSON.stringify(["otlp", origin.tags, type, message, stack, when]);
}

const NANOSECONDS_PER_MS = 1e6;

/** Milliseconds, whole. Undefined for 0, which is "unknown". */
function msOf(nanoseconds: unknown): number | undefined {
  const ms = Math.round((numberOf(nanoseconds) ?? 0) / NANOSECONDS_PER_MS);
  return ms > 0 ? ms : undefined;
}

/** All zeros is no trace. */
function traceIdOf(value: unknown): string | undefined {
  const id = idOf(value);
  return id === undefined || /^0+$/.test(id) ? undefined : id;
}
