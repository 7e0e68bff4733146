/**
 * Parses one Sentry event, from an envelope's `event` item or a bare store body. Ignores unknown
 * members; accepts known ones in every shape that SDKs have sent.
 * Source: Sentry develop docs › Event Payloads; captured bodies in tests/fixtures.
 */

import {
  asArray,
  asRecord,
  asText,
  type JsonFields,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
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
import { findDigestsInText, listDigestFields } from "./digests-in-event.ts";
import { renameLegacyInterfaces } from "./legacy-interfaces.ts";
import { parseBreadcrumbs } from "./sentry-breadcrumbs.ts";
import { findUserKey, parseTags, selectDetail, selectMechanism } from "./sentry-detail.ts";
import { listExceptions, parseExceptions } from "./sentry-exception.ts";
import { parseFeedback } from "./sentry-feedback.ts";
import { parseMessage } from "./sentry-message.ts";
import { parseEventStack } from "./sentry-threads.ts";
import { createTitle, hasContent } from "./sentry-title.ts";

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
    ...extractCodes([
      ...listDigestFields(fields, contexts),
      // A server's message may quote a visitor, who saw the digest of another error.
      ...(side === "browser" ? findDigestsInText(exception?.message, message) : []),
    ]),
    ...omitUndefined({
      platform: logged === undefined ? toReportPlatform(platform) : logged.platform,
      typeModule,
      isGroup,
      template: title.message === message && logged === undefined ? template : undefined,
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
    }),
    ...logged,
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
