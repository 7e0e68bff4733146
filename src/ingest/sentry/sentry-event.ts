/**
 * Parses one Sentry event, from an envelope's `event` item or a bare store body. Ignores unknown
 * members; accepts known ones in every shape that SDKs have sent.
 * Source: Sentry develop docs › Event Payloads; captured bodies in tests/fixtures.
 */

import {
  asArray,
  asRecord,
  asText,
  asTextPairs,
  type JsonFields,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { findCulprit } from "../../core/report/title.ts";
import type { LogTemplate, Platform, ReportKind } from "../../core/report.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { hasParams, insertParams } from "../decode/message-params.ts";
import { parseLoggedError, toReportPlatform } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import {
  type ParsedItem,
  toCountedItem,
  toInvalidItem,
  toReportItem,
} from "../format/ingest-format.ts";
import { detectPlatform } from "./detect-platform.ts";
import { detectSide } from "./detect-side.ts";
import { parseBreadcrumbs } from "./sentry-breadcrumbs.ts";
import { findUserKey, parseTags, selectDetail, selectMechanism } from "./sentry-detail.ts";
import { listExceptions, parseExceptions, type SentryExceptions } from "./sentry-exception.ts";
import { parseFeedback } from "./sentry-feedback.ts";
import { parseEventStack, type SentryStack } from "./sentry-threads.ts";

/** Event types other than errors and messages. */
const COUNTED_EVENT_TYPES = new Set(["transaction", "generic", "profile", "replay_event"]);

/** Facts about an event from its envelope. */
export interface EventOptions {
  /** A minidump is attached. */
  readonly hasMinidump?: boolean;
}

/**
 * Parses one event. `eventId` from the envelope header overrides the event's own. Invalid if it is
 * not an object, or says nothing at all.
 */
export function parseSentryEvent(
  event: unknown,
  eventId?: string,
  options: EventOptions = {},
): ParsedItem {
  const fields = renameLegacyInterfaces(asRecord(event));
  if (fields === undefined) return toInvalidItem("event", "not-an-object", "event: a JSON object");
  const eventType = asText(fields.type);
  if (eventType === "feedback") return parseFeedback(fields, eventId);
  if (eventType !== undefined && COUNTED_EVENT_TYPES.has(eventType))
    return toCountedItem(eventType);
  if (!hasContent(fields) && options.hasMinidump !== true)
    return toInvalidItem("event", "missing-field", "event: an exception, a message or other data");
  const truncations = trackTruncations();
  const side = detectSide(fields);
  const exceptions = listExceptions(fields.exception);
  const platform = detectPlatform(fields, exceptions);
  const stackContext = { side, platform, truncations };
  const exception = parseExceptions(exceptions, stackContext);
  const { message, template } = parseMessage(fields, truncations);
  const { frames = [], causes = [], typeModule, isGroup, threadId, mechanism } = exception ?? {};
  const stack = parseEventStack(fields, frames, threadId, stackContext);
  const hasMinidump = options.hasMinidump === true;
  const parts = { exception, message, stack, platform, hasMinidump };
  const title = createTitle(fields, parts, truncations);
  const logged =
    title.kind === "message" ? parseLoggedError(title.message, platform, truncations) : undefined;
  const contexts = asRecord(fields.contexts) ?? {};
  return toReportItem("event", {
    ...title,
    side,
    format: "sentry",
    frames: stack.frames,
    ...logged,
    ...extractCodes([
      ...listDigestFields(fields, contexts),
      // A server's message may quote a visitor, who saw the digest of another error.
      ...(side === "browser" ? findDigestsInText(exception?.message, message) : []),
    ]),
    platform: logged === undefined ? toReportPlatform(platform) : logged.platform,
    typeModule,
    isGroup: logged?.isGroup ?? isGroup,
    template: title.message === message && logged === undefined ? template : undefined,
    id: parseHexId(eventId) ?? parseHexId(fields.event_id),
    occurredAtMs: parseTimeMs(fields.timestamp),
    level: truncations.limitString("level", fields.level),
    componentStack: truncations.limitText(
      "componentStack",
      asRecord(contexts.react)?.componentStack,
      limits.maxComponentStackChars,
    ),
    causes: logged?.causes ?? (causes.length === 0 ? undefined : causes),
    request: parseRequest(fields, contexts, truncations),
    release: truncations.limitString("release", fields.release),
    environment: truncations.limitString("environment", fields.environment),
    traceId: parseHexId(asRecord(contexts.trace)?.trace_id),
    userKey: findUserKey(fields),
    tags: createTags(
      [
        ["handled", asText(exception?.isHandled)],
        ["mechanism", truncations.limitText("tags", mechanism?.type, limits.maxTypeChars)],
        ...parseTags(fields, truncations),
      ],
      truncations,
    ),
    breadcrumbs: parseBreadcrumbs(fields.breadcrumbs, truncations),
    detail: truncations.limitJson("detail", {
      ...selectDetail(fields, truncations),
      thread: stack.thread,
      mechanism: selectMechanism(mechanism),
      logged: logged && title.message,
    }),
    fingerprint: parseFingerprint(fields, truncations),
    // Read last, because it lists all truncations above.
    truncated: truncations.listNames(),
  });
}

function parseRequest(fields: JsonFields, contexts: JsonFields, truncations: Truncations) {
  const { method, url, headers, query_string: query, fragment } = asRecord(fields.request) ?? {};
  const pattern = asRecord(contexts.nextjs)?.router_path;
  const transaction = asText(fields.transaction)?.replace(/^[A-Z]{3,7} /, "");
  const path = typeof url === "string" ? toUrlPath(url) : undefined;
  const route = asText(pattern) ?? (transaction?.startsWith("/") ? transaction : path);
  return createReportRequest({ method, url, query, fragment, headers, route }, truncations);
}

const DEFAULT_FINGERPRINT = /^\{\{\s*default\s*\}\}$/;

/**
 * Undefined if it is only the default grouping. Grouping expands `{{ default }}` among other parts.
 */
function parseFingerprint(
  { fingerprint, checksum }: JsonFields,
  truncations: Truncations,
): readonly string[] | undefined {
  // Old SDKs send a checksum, other senders a single text.
  const sent = asArray(fingerprint) ?? [fingerprint ?? checksum];
  const parts = truncations
    .takeFirst("fingerprint", sent, limits.maxMembers)
    .flatMap((part) => truncations.limitString("fingerprint", part) ?? []);
  return parts.every((part) => DEFAULT_FINGERPRINT.test(part)) ? undefined : parts;
}

/**
 * The values in an event that may be a digest, undecoded. SDKs send `error.digest` with
 * `extraErrorDataIntegration` (as a context named after the error) and for thrown plain objects,
 * and an app can set a tag.
 */
function listDigestFields(fields: JsonFields, contexts: JsonFields): readonly unknown[] {
  const extra = asRecord(fields.extra);
  const tag = asTextPairs(fields.tags).find(([name]) => name === "digest");
  const inContexts = Object.values(contexts).map((context) => asRecord(context)?.digest);
  return [tag?.[1], extra?.digest, asRecord(extra?.__serialized__)?.digest, ...inContexts];
}

/**
 * The codes after "Digest:" in messages, such as "Digest: 7F3K-Q2M9". The label is required,
 * because messages contain other numbers.
 */
function findDigestsInText(...texts: readonly (string | undefined)[]): readonly string[] {
  // Most texts have none. A search for the word takes a sixth of the pattern's time.
  return texts.flatMap((text) =>
    text !== undefined && /digest/i.test(text)
      ? Array.from(text.matchAll(DIGEST_IN_TEXT), ([, digest = ""]) => digest)
      : [],
  );
}

const DIGEST_IN_TEXT =
  /\bdigest["']?\s?[:=]\s?["']?([\dA-Z]{4}-?[\dA-Z]{4}|\d{5,10}(?:@E\d{1,8})?)(?![\w-])/gi;

/**
 * Old and current names of members: those of events from before 2015. Source: Sentry develop docs ›
 * Event Payloads, "sentry.interfaces".
 */
const LEGACY_INTERFACES: readonly (readonly [before: string, now: string])[] = [
  ["sentry.interfaces.Exception", "exception"],
  ["sentry.interfaces.Stacktrace", "stacktrace"],
  ["sentry.interfaces.Message", "logentry"],
  ["sentry.interfaces.Http", "request"],
  ["sentry.interfaces.User", "user"],
  ["sentry.interfaces.Breadcrumbs", "breadcrumbs"],
  ["culprit", "transaction"],
];

/** The event with current names. Undefined stays undefined. */
function renameLegacyInterfaces(fields: JsonFields | undefined): JsonFields | undefined {
  const present = LEGACY_INTERFACES.filter(
    ([legacyName]) => fields !== undefined && legacyName in fields,
  );
  if (fields === undefined || present.length === 0) return fields;
  return {
    ...Object.fromEntries(present.map(([legacyName, name]) => [name, fields[legacyName]])),
    ...fields,
  };
}

/** A message, and its template if the sender formatted it from one. */
interface SentryMessage {
  readonly message?: string;
  readonly template?: LogTemplate;
}

/**
 * The message of an event: `message` or `logentry`, each as text or as a template with parameters.
 * Empty without one. Prefers the text that the sender formatted. Source: Sentry develop docs › Event
 * Payloads › Message.
 */
function parseMessage(fields: JsonFields, truncations: Truncations): SentryMessage {
  const sent = [fields.message, fields.logentry];
  const entries = sent.map(asRecord).filter((entry) => entry !== undefined);
  const entry = entries.find((one) => asText(one.message ?? one.formatted) !== undefined);
  const limit = (value: unknown) => truncations.limitText("message", value, limits.maxMessageChars);
  const text = limit(entry?.message);
  // Raven sends the formatted text besides the template, other SDKs repeat the template.
  const plain = limit(sent.find((value) => asText(value) !== undefined));
  const formatted = limit(entry?.formatted) ?? (plain === text ? undefined : plain);
  const params = entry?.params;
  if (text === undefined) {
    const message = formatted ?? limitUnknownMessage(entries, sent, truncations);
    return { message };
  }
  const message = formatted ?? limit(insertParams(text, params)) ?? text;
  const isTemplate = hasParams(params) || message !== text;
  return { message, ...(isTemplate && { template: createTemplate(text, params, truncations) }) };
}

function createTemplate(text: string, params: unknown, truncations: Truncations): LogTemplate {
  if (!hasParams(params)) return { text };
  return { text, params: truncations.limitAnyJson("template", params) };
}

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["message", "formatted", "params"]);

/** A message in a shape that no SDK sends is shown as JSON. */
function limitUnknownMessage(
  entries: readonly JsonFields[],
  sent: readonly unknown[],
  truncations: Truncations,
): string | undefined {
  const list = sent.find((value) => Array.isArray(value) && value.length > 0);
  const entry = entries.find((one) => Object.keys(one).some((name) => !KNOWN_MEMBERS.has(name)));
  const value = entry ?? list;
  return truncations.limitShown("message", value, limits.maxMessageChars);
}

/** The message of an event that has nothing else to say. */
const EMPTY_MESSAGE = "(empty message)";

interface SentryTitle {
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
}

/** The parsed parts of an event that can name it. */
interface TitleParts {
  readonly exception: SentryExceptions | undefined;
  readonly message: string | undefined;
  readonly stack: SentryStack;
  readonly platform: Platform;
  readonly hasMinidump: boolean;
}

/** Members that say nothing about what happened. */
const IDENTITY_MEMBERS: ReadonlySet<string> = new Set([
  ...["_meta", "event_id", "key_id", "level", "platform", "project", "received", "sdk"],
  ...["timestamp", "type"],
]);

/** True if an event says anything: an empty message is something that an application sent. */
export function hasContent(fields: JsonFields): boolean {
  return Object.entries(fields).some(
    ([name, value]) => !IDENTITY_MEMBERS.has(name) && value !== null && value !== undefined,
  );
}

/** The title of an event. */
function createTitle(
  fields: JsonFields,
  { exception, message, stack, platform, hasMinidump }: TitleParts,
  truncations: Truncations,
): SentryTitle {
  if (exception !== undefined) {
    // SDKs of version 11 send `captureMessage` as an exception without a type, created for its
    // stack. A thrown string looks the same but has a type.
    const isMessage =
      exception.type === undefined && exception.isSynthetic && message !== undefined;
    return isMessage
      ? { kind: "message", type: "Message", message }
      : {
          kind: "error",
          type: exception.type ?? "Error",
          message: exception.message ?? message ?? "",
        };
  }
  // The SDK of Java calls the thread of every log message crashed.
  const isLogged = platform === "java" && message !== undefined;
  const isCrash = (stack.hasCrashed && !isLogged) || hasMinidump;
  // An application that logs an empty text sends the member.
  const isMessage =
    message !== undefined ||
    [fields.message, fields.logentry].some((one) => (asRecord(one)?.message ?? one) === "");
  const isError = isCrash || (stack.frames.length > 0 && !isMessage);
  const place = isError ? findCulprit(stack.frames, platform) : undefined;
  const text = message ?? place ?? truncations.limitString("message", fields.transaction);
  return {
    kind: isError ? "error" : "message",
    type: isCrash ? "Crash" : isError ? "Error" : "Message",
    message: text ?? (hasMinidump ? "minidump" : EMPTY_MESSAGE),
  };
}
