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
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ReportKind } from "../../core/report.ts";
import { truncateText } from "../../core/truncate.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import {
  type ParsedItem,
  toCountedItem,
  toInvalidItem,
  toReportItem,
} from "../items/item-outcome.ts";
import { detectPlatform } from "./detect-platform.ts";
import { detectSide } from "./detect-side.ts";
import { findDigestsInText, listDigestFields } from "./digests-in-event.ts";
import { renameLegacyInterfaces } from "./legacy-interfaces.ts";
import { parseBreadcrumbs } from "./sentry-breadcrumbs.ts";
import { listExceptions, parseExceptions, type SentryExceptions } from "./sentry-exception.ts";
import { parseFeedback } from "./sentry-feedback.ts";
import { parseMessage } from "./sentry-message.ts";
import { parseEventStack } from "./sentry-threads.ts";

/** Event types other than errors and messages. */
const COUNTED_EVENT_TYPES = new Set(["transaction", "generic", "profile", "replay_event"]);

/**
 * Parses one event. `eventId` from the envelope header overrides the event's own. Invalid if it is
 * not an object, or has neither an exception nor a message.
 */
export function parseSentryEvent(event: unknown, eventId?: string): ParsedItem {
  const fields = renameLegacyInterfaces(asRecord(event));
  if (fields === undefined) return toInvalidItem("event", "not-an-object", "event: a JSON object");
  const eventType = asText(fields.type);
  if (eventType === "feedback") return parseFeedback(fields, eventId);
  if (eventType !== undefined && COUNTED_EVENT_TYPES.has(eventType))
    return toCountedItem(eventType);

  const truncations = trackTruncations();
  const side = detectSide(fields);
  const exceptions = listExceptions(fields.exception);
  const platform = detectPlatform(fields, exceptions);
  const stackContext = { side, platform, truncations };
  const exception = parseExceptions(exceptions, stackContext);
  const { message, template } = parseMessage(fields, truncations);
  if (exception === undefined && message === undefined)
    return toInvalidItem("event", "missing-field", "event: an exception, a message or a logentry");
  const contexts = asRecord(fields.contexts) ?? {};
  const kind = toKind(exception, message);
  const { frames = [], causes = [], typeModule, isGroup, threadId, mechanism } = exception ?? {};
  const stack = parseEventStack(fields, frames, threadId, stackContext);
  return toReportItem("event", {
    kind,
    side,
    format: "sentry",
    type: kind === "message" ? "Message" : (exception?.type ?? "Error"),
    message:
      (kind === "message" ? message : exception?.message) ?? message ?? exception?.message ?? "",
    frames: stack.frames,
    ...extractCodes([
      ...listDigestFields(fields, contexts),
      // A server's message may quote a visitor, who saw the digest of another error.
      ...(side === "browser" ? findDigestsInText(exception?.message, message) : []),
    ]),
    ...omitUndefined({
      platform: platform === "javascript" ? undefined : platform,
      typeModule,
      isGroup,
      template: exception?.message === undefined || kind === "message" ? template : undefined,
      id: parseHexId(eventId) ?? parseHexId(fields.event_id),
      occurredAtMs: parseTimeMs(fields.timestamp),
      level: truncations.limitString("level", fields.level),
      componentStack: truncations.limitText(
        "componentStack",
        asRecord(contexts.react)?.componentStack,
        limits.maxComponentStackChars,
      ),
      causes: causes.length === 0 ? undefined : causes,
      request: parseRequest(fields, contexts, truncations),
      release: truncations.limitString("release", fields.release),
      environment: truncations.limitString("environment", fields.environment),
      traceId: parseHexId(asRecord(contexts.trace)?.trace_id),
      userKey: findUserKey(fields),
      tags: createTags(
        [
          ["handled", asText(exception?.isHandled)],
          ["mechanism", truncations.limitText("tags", mechanism?.type, limits.maxTypeChars)],
          ...asTextPairs(fields.tags),
        ],
        truncations,
      ),
      breadcrumbs: parseBreadcrumbs(fields.breadcrumbs, truncations),
      detail: truncations.limitJson("detail", {
        ...selectDetail(fields, truncations),
        thread: stack.thread,
        mechanism: selectMechanism(mechanism),
      }),
      fingerprint: parseFingerprint(fields.fingerprint, truncations),
      // Read last, because it lists all truncations above.
      truncated: truncations.listNames(),
    }),
  });
}

/**
 * SDKs of version 11 send `captureMessage` as an exception without a type, created for its stack. A
 * thrown string looks the same but has a type.
 */
function toKind(exception: SentryExceptions | undefined, message: string | undefined): ReportKind {
  if (exception === undefined) return "message";
  return exception.type === undefined && exception.isSynthetic && message !== undefined
    ? "message"
    : "error";
}

/** The user's id, email or name, in the application's terms. */
function findUserKey(fields: JsonFields): string | undefined {
  const user = asRecord(fields.user) ?? {};
  const name = asText(user.id) ?? asText(user.email) ?? asText(user.username);
  return name === undefined ? undefined : truncateText(name, limits.maxStringChars);
}

function parseRequest(fields: JsonFields, contexts: JsonFields, truncations: Truncations) {
  const { method, url, headers } = asRecord(fields.request) ?? {};
  const pattern = asRecord(contexts.nextjs)?.router_path;
  const transaction = asText(fields.transaction)?.replace(/^[A-Z]{3,7} /, "");
  const path = typeof url === "string" ? toUrlPath(url) : undefined;
  const route = asText(pattern) ?? (transaction?.startsWith("/") ? transaction : path);
  return createReportRequest({ method, url, headers, route }, truncations);
}

const DEFAULT_FINGERPRINT = /^\{\{\s*default\s*\}\}$/;

/**
 * Undefined if it is only the default grouping. Grouping expands `{{ default }}` among other parts.
 */
function parseFingerprint(value: unknown, truncations: Truncations): readonly string[] | undefined {
  const parts = truncations
    .takeFirst("fingerprint", asArray(value) ?? [], limits.maxMembers)
    .flatMap((part) => truncations.limitString("fingerprint", part) ?? []);
  return parts.every((part) => DEFAULT_FINGERPRINT.test(part)) ? undefined : parts;
}

/** How the exception was caught, besides the members that the report has: a signal, a link. */
function selectMechanism(mechanism: JsonFields | undefined): JsonFields | undefined {
  const known = new Set(["type", "handled", "synthetic", "source", "is_exception_group"]);
  const others = Object.entries(mechanism ?? {}).filter(
    ([name, value]) => !known.has(name) && !name.endsWith("_id") && value != null,
  );
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** Details besides the report's fields. Omits IP addresses, bodies and cookies. */
function selectDetail(fields: JsonFields, truncations: Truncations): JsonFields {
  const { ip_address: _address, geo: _geo, ...user } = asRecord(fields.user) ?? {};
  const { name, version } = asRecord(fields.sdk) ?? {};
  const modules = Object.entries(asRecord(fields.modules) ?? {});
  return {
    contexts: fields.contexts,
    extra: fields.extra,
    user: Object.keys(user).length === 0 ? undefined : user,
    transaction: fields.transaction,
    logger: fields.logger,
    server_name: fields.server_name,
    dist: fields.dist,
    platform: fields.platform,
    sdk: name === undefined ? undefined : { name, version },
    debug_meta: fields.debug_meta,
    modules:
      modules.length === 0
        ? undefined
        : Object.fromEntries(truncations.takeFirst("modules", modules, limits.maxMembers)),
  };
}
