/**
 * One Sentry event, from an envelope's `event` item or as a bare store body, to a draft. Unknown members are ignored; known
 * ones are taken in every shape that SDKs have sent them in.
 * Source: Sentry develop docs › Event Payloads; shapes seen on the wire in tests/fixtures.
 */
import { cutText } from "../core/cut.ts";
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import type { ReportKind, Side } from "../core/report.ts";
import { type Cuts, createCuts } from "./cuts.ts";
import {
  arrayOf,
  type Fields,
  idOf,
  listOf,
  pairsOf,
  recordOf,
  recordsOf,
  textOf,
  timeMsOf,
} from "./decode.ts";
import { codesOf } from "./foreign-codes.ts";
import { counted, drafted, invalid } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { breadcrumbsOf } from "./sentry-breadcrumbs.ts";
import { digestsIn, digestsInText } from "./sentry-digests.ts";
import { exceptionsOf, framesOf, type SentryExceptions } from "./sentry-exception.ts";
import { parseFeedback } from "./sentry-feedback.ts";
import { withTodaysNames } from "./sentry-interfaces.ts";
import { sideOf } from "./sentry-side.ts";
import { tagsOf } from "./tags.ts";
import { pathOf } from "./urls.ts";

/** Types that an event names itself when it is no error or message. */
const OTHER_TYPES = new Set(["transaction", "generic", "profile", "replay_event"]);

/**
 * What becomes of one event. `eventId` is the envelope header's, which beats the event's own. Invalid when it is no object
 * or when it has neither an exception nor a message.
 */
export function parseSentryEvent(event: unknown, eventId?: string): Parsed {
  const fields = withTodaysNames(recordOf(event));
  if (fields === undefined) return invalid("event", "not-an-object", "event: a JSON object");
  const other = textOf(fields.type);
  if (other === "feedback") return parseFeedback(fields, eventId);
  if (other !== undefined && OTHER_TYPES.has(other)) return counted(other);

  const cuts = createCuts();
  const side = sideOf(fields);
  const thrown = exceptionsOf(fields.exception, side, cuts);
  const logged = messageOf(fields, cuts);
  if (thrown === undefined && logged === undefined) {
    return invalid("event", "missing-field", "event: an exception, a message or a logentry");
  }
  const contexts = recordOf(fields.contexts) ?? {};
  const kind = kindOf(thrown, logged);
  const frames = thrown?.frames ?? [];
  const text = (name: string, value: unknown) => cuts.text(name, value, limits.maxStringChars);
  return drafted("event", {
    kind,
    side,
    format: "sentry",
    type: kind === "message" ? "Message" : (thrown?.type ?? "Error"),
    message: (kind === "message" ? logged : thrown?.message) ?? logged ?? thrown?.message ?? "",
    frames: frames.length > 0 ? frames : otherFrames(fields, side, cuts),
    ...codesOf([...digestsIn(fields, contexts), ...digestsInText(thrown?.message, logged)]),
    ...present({
      id: idOf(eventId) ?? idOf(fields.event_id),
      occurredAtMs: timeMsOf(fields.timestamp),
      level: text("level", fields.level),
      componentStack: cuts.text(
        "componentStack",
        recordOf(contexts.react)?.componentStack,
        limits.maxComponentStackChars,
      ),
      causes: thrown === undefined || thrown.causes.length === 0 ? undefined : thrown.causes,
      request: requestIn(fields, contexts, cuts),
      release: text("release", fields.release),
      environment: text("environment", fields.environment),
      traceId: idOf(recordOf(contexts.trace)?.trace_id),
      visitor: visitorIn(fields),
      tags: tagsOf(
        [
          ["handled", textOf(thrown?.handled)],
          ["mechanism", thrown?.mechanism],
          ...pairsOf(fields.tags),
        ],
        cuts,
      ),
      breadcrumbs: breadcrumbsOf(fields.breadcrumbs, cuts),
      detail: cuts.json("detail", detailOf(fields)),
      fingerprint: fingerprintOf(fields.fingerprint, cuts),
      // Last: by now everything has been cut.
      cut: cuts.names(),
    }),
  });
}

/**
 * SDKs 11 send `captureMessage` as an exception without a type that they made for its stack. A thrown string looks the
 * same but has a type.
 */
function kindOf(thrown: SentryExceptions | undefined, logged: string | undefined): ReportKind {
  if (thrown === undefined) return "message";
  return thrown.type === undefined && thrown.synthetic && logged !== undefined
    ? "message"
    : "error";
}

/** `message` as text or as an object; else `logentry`; the formatted text before the template. */
function messageOf(fields: Fields, cuts: Cuts): string | undefined {
  const entries = [fields.message, fields.logentry].flatMap((entry) => {
    const parts = recordOf(entry);
    return parts === undefined ? [entry] : [parts.formatted, parts.message];
  });
  const first = entries.find((entry) => textOf(entry) !== undefined);
  return cuts.text("message", first, limits.maxMessageChars);
}

/**
 * Some SDKs give a stack beside the exception, or that of a thread: the crashed one, else the current one, else the only
 * one.
 */
function otherFrames({ stacktrace, threads }: Fields, side: Side, cuts: Cuts) {
  if (stacktrace !== undefined) return framesOf(stacktrace, side, cuts);
  const list = recordsOf(listOf(threads));
  const only = list.length === 1 ? list[0] : undefined;
  const chosen =
    list.find((thread) => thread.crashed === true) ??
    list.find((thread) => thread.current === true) ??
    only;
  return framesOf(chosen?.stacktrace, side, cuts);
}

/** Whoever the application calls its user. */
function visitorIn(fields: Fields): string | undefined {
  const user = recordOf(fields.user) ?? {};
  const name = textOf(user.id) ?? textOf(user.email) ?? textOf(user.username);
  return name === undefined ? undefined : cutText(name, limits.maxStringChars);
}

function requestIn(fields: Fields, contexts: Fields, cuts: Cuts) {
  const { method, url, headers } = recordOf(fields.request) ?? {};
  const pattern = recordOf(contexts.nextjs)?.router_path;
  const transaction = textOf(fields.transaction)?.replace(/^[A-Z]{3,7} /, "");
  const path = typeof url === "string" ? pathOf(url) : undefined;
  const route = textOf(pattern) ?? (transaction?.startsWith("/") ? transaction : path);
  return requestOf({ method, url, headers, route }, cuts);
}

const DEFAULT_FINGERPRINT = /^\{\{\s*default\s*\}\}$/;

/** Undefined for the default grouping alone. A `{{ default }}` among others stays; grouping fills it in. */
function fingerprintOf(value: unknown, cuts: Cuts): readonly string[] | undefined {
  const parts = cuts
    .first("fingerprint", arrayOf(value) ?? [], limits.maxMembers)
    .flatMap((part) => cuts.text("fingerprint", part, limits.maxStringChars) ?? []);
  return parts.every((part) => DEFAULT_FINGERPRINT.test(part)) ? undefined : parts;
}

/** What is kept beyond the draft's own fields. A visitor's address is not, nor are bodies, cookies and local variables. */
function detailOf(fields: Fields): Fields {
  const { ip_address: _address, geo: _geo, ...user } = recordOf(fields.user) ?? {};
  const { name, version } = recordOf(fields.sdk) ?? {};
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
  };
}
