/**
 * The only place that turns an expected failure into a response: its status, its text for people
 * and its headers. Texts never contain input.
 */
import { NOT_SET_UP_DETAIL } from "../ui/account/denied-pages.tsx";
import type { Failure } from "./failures.ts";

/** Reasons of failures without further members. */
type PlainReason = Failure extends infer F
  ? F extends { readonly reason: infer R extends string }
    ? [Exclude<keyof F, "reason">] extends [never]
      ? R
      : never
    : never
  : never;

/** The status of a failure, its text for a person, and headers of the response. */
type FailureDescription = readonly [
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
];

/** Returns an expected failure as JSON: `{"reason":"too-large","detail":"…"}`. */
export function toFailureResponse(failure: Failure): Response {
  const [status, detail, headers] = describeFailure(failure);
  return Response.json({ reason: failure.reason, detail }, { status, headers });
}

/**
 * Returns an expected failure in the form of Sentry's API: `{"detail":"…"}`. sentry-cli shows the
 * text only if there is no other member (its type for errors is an enum).
 */
export function toSentryFailureResponse(failure: Failure): Response {
  const [status, detail, headers] = describeFailure(failure);
  return Response.json({ detail }, { status, headers });
}

/**
 * Returns an expected failure as problem details (RFC 9457), for `/api/v1`. `fields` says what each
 * invalid member should be.
 */
export function toProblemResponse(
  failure: Failure,
  fields?: Readonly<Record<string, string>>,
): Response {
  const [status, detail, headers] = describeFailure(failure);
  const { reason } = failure;
  const title = reason.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
  const problem = { type: `urn:errata:${reason}`, title, status, detail, reason, fields };
  const type = { "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify(problem), { status, headers: { ...headers, ...type } });
}

/** The text of an expected failure, for a person or a model. */
export function describeFailureText(failure: Failure): string {
  return describeFailure(failure)[1];
}

/** The detail for a digest without an issue, for programs. */
export const UNKNOWN_DIGEST_DETAIL =
  "No issue has this digest. It may not have arrived yet, or it has expired.";

/** Retry delay while a Durable Object is unavailable, in seconds. */
const RETRY_LATER = { "Retry-After": "5" };

/** Failures without further facts. */
const PLAIN_FAILURES: Readonly<Record<PlainReason, FailureDescription>> = {
  empty: [400, "Expected a body; it was empty."],
  "truncated-body": [400, "Expected the complete body; it ended early."],
  "bad-host": [400, "Expected a valid Host header."],
  "bad-day": [400, "Expected day to be a UTC day, such as 2026-11-21."],
  "bad-script": [400, "Expected script to be the URL of a script, without spaces."],
  "bad-cursor": [400, "Expected cursor to be the value of next in an export."],
  "own-export": [
    409,
    "This is an export of this project: its counters would count twice. To import it anyway, use /import?own=1.",
  ],
  "upgrade-required": [
    426,
    "Expected a WebSocket upgrade request.",
    { Connection: "Upgrade", Upgrade: "websocket" },
  ],
  "unknown-release": [404, "Unknown release."],
  "unknown-digest": [404, UNKNOWN_DIGEST_DETAIL],
  "unknown-report": [404, "This issue has no report with this id, or its body has expired."],
  "only-public-reports": [
    403,
    "This issue has only public reports, which anyone can send. A person must decide about it.",
  ],
  "unknown-tracker": [404, "Unknown tracker. It may have been removed."],
  "already-linked": [409, "This issue is linked already. Unlink it first."],
  "unknown-agent": [
    404,
    "No destination of alerts leads to this agent. Name one if there are several.",
  ],
  "untrusted-issue": [403, "Only issues that servers reported are handed to agents."],
  "not-open": [409, "The issue is resolved, snoozed or archived. Reopen it first."],
  "handed-off": [409, "An agent has this issue. To hand it off again, set “again” to true."],
  "being-fixed": [
    409,
    "A change that fixes this issue is proposed or merged. To hand it off anyway, set “again” to true.",
  ],
  "hand-off-limit": [
    409,
    "This agent had all of its hand-offs of the day. An owner can change the limit.",
  ],
  "unknown-member": [400, "Expected the name of a member of this project."],
  "log-unavailable": [
    503,
    "The report log is unavailable. Please send the report again.",
    RETRY_LATER,
  ],
  "index-unavailable": [503, "The index is unavailable. Please try again.", RETRY_LATER],
  "registry-unavailable": [503, "The registry is unavailable. Please try again.", RETRY_LATER],
  "source-maps-unavailable": [
    503,
    "The source maps are unavailable. Please try again.",
    RETRY_LATER,
  ],
  "unknown-preview": [404, "Unknown preview. It has expired, or it is not finished."],
  "alerts-unavailable": [503, "Alerts are unavailable. Please try again.", RETRY_LATER],
  "unknown-repository": [404, "Unknown repository. It was removed."],
  "unknown-upload": [404, "Unknown upload. It was deleted, or it has expired."],
  "upload-forbidden": [
    403,
    "This token cannot upload. Use an upload token, or an API token of a member.",
  ],
  "upload-only": [
    403,
    "An upload token cannot delete. An owner can delete uploads on the Source maps page.",
  ],
  // Sentry responds in the same way for a release with reports.
  "releases-kept": [
    400,
    "A release cannot be deleted: it expires with its reports. An owner can delete its uploads on the Source maps page.",
  ],
  unauthenticated: [
    401,
    "Authentication required: sign in, or send an API token.",
    { "WWW-Authenticate": "Bearer" },
  ],
  "not-set-up": [503, NOT_SET_UP_DETAIL],
  "no-such-project": [404, "Unknown project, or you are not a member of it."],
  forbidden: [403, "Insufficient permissions for this project."],
  "api-only": [
    403,
    "This token cannot read all text of reports. Use /api/v1 or /mcp, which withhold the rest.",
  ],
  "trust-forbidden": [
    403,
    "This token cannot read text of this trust. An owner can create one that can.",
  ],
  "view-has-feed": [
    403,
    "This view has a feed, so only owners can change its query. Save it under another name.",
  ],
  "https-required": [403, "HTTPS required."],
  "cross-site": [403, "Requests from other sites are not allowed."],
  "bad-code": [403, "Invalid code. It may have expired or already been used."],
  "unknown-user-code": [
    404,
    "No device waits with this code. It may have expired, or it was decided already.",
  ],
  "bad-passkey": [403, "Unknown passkey, or its response is invalid or too old."],
  "last-owner": [409, "A project needs at least one owner."],
  "first-project": [
    409,
    "The first project cannot be archived or deleted: Errata reports its own errors to it.",
  ],
  "one-project-only": [
    400,
    "Expected a token of one project: a token for all projects needs a person, and a role that reads.",
  ],
  "sign-in-again": [
    401,
    "Sign in again to change your passkeys or recovery codes.",
    // RFC 9470 § 3.
    { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication", max_age="900"' },
  ],
  "name-missing": [400, "Expected name: the name that other members see."],
  "name-taken": [409, "This name is already in use. Choose another."],
  "bad-signature": [401, "The signature of the webhook is missing, wrong or too old."],
  "unknown-key": [401, "Unknown ingest key for this project (sentry_key)."],
  "key-required": [401, "This project requires an ingest key (sentry_key)."],
  "key-paused": [403, "This key is paused: its reports are not stored. An owner can resume it."],
  "conflicting-keys": [401, "The request names several ingest keys. Send one."],
  "origin-not-allowed": [403, "Reports from this origin are not allowed."],
  "server-key-in-browser": [
    403,
    "Browsers must not send a server key. Use a public key in pages, and rotate this key.",
  ],
  archived: [403, "This project is archived and does not accept reports."],
};

function describeFailure(failure: Failure): FailureDescription {
  switch (failure.reason) {
    case "too-large":
      return "limit" in failure
        ? [413, `Expected at most ${failure.max} bytes (${failure.limit}).`]
        : [413, toSentence(failure.expected)];
    case "too-many-items":
      return [413, toSentence(failure.expected)];
    case "bad-encoding":
    case "bad-media-type":
      return [415, toSentence(failure.expected)];
    case "bad-line":
      return [400, describeBadLine(failure)];
    case "line-too-long": {
      const { line, max } = failure;
      return [413, `Expected line ${line} to have at most ${max} bytes. ${STORED_SO_FAR}`];
    }
    case "invalid-upload":
    case "invalid-alert":
    case "invalid-tracker":
    case "bad-client":
      return [400, failure.detail];
    case "tracker-refused":
      return [409, `The tracker refused the issue. ${failure.detail}`];
    case "upload-too-large":
      return [413, failure.detail];
    // Not 507, which upload tools retry.
    case "storage-full":
      return [409, failure.detail];
    case "other-project":
      return [403, toSentence(failure.expected)];
    case "not-found":
      return [404, `Unknown ${failure.what}.`];
    case "too-many":
      return [409, `The limit is ${failure.max} (${failure.limit}).`];
    case "method-not-allowed":
      return [
        405,
        `Allowed methods: ${failure.allow.join(", ")}.`,
        { Allow: failure.allow.join(", ") },
      ];
    case "too-many-requests": {
      const seconds = failure.retryAfterSeconds;
      // SDKs pause all categories for this long.
      const headers = { "Retry-After": `${seconds}`, "X-Sentry-Rate-Limits": `${seconds}::key` };
      const time = seconds > 60 ? `${Math.ceil(seconds / 60)} minutes` : "a minute";
      return [429, `Too many requests. Please try again in ${time}.`, headers];
    }
    case "internal-error": {
      const { status, digest } = failure;
      return [status, `Errata failed${digest === undefined ? "" : ` (digest ${digest})`}.`];
    }
    // This failure has `expected` too, but the request was valid: senders must retry it.
    case "log-unavailable":
      return PLAIN_FAILURES[failure.reason];
    case "bad-config":
      return [503, `Errata is not configured: ${failure.problems.join(" ")}`];
    default:
      return "expected" in failure
        ? [400, toSentence(failure.expected)]
        : PLAIN_FAILURES[failure.reason];
  }
}

/** A rejected import can be sent again as a whole. */
const STORED_SO_FAR = "The lines before it are stored.";
const NOTHING_IMPORTED = "Nothing was imported.";

function describeBadLine({ line, at, expected }: Extract<Failure, { reason: "bad-line" }>): string {
  if (line === 1 && at === "") return `This is not an Errata export. ${NOTHING_IMPORTED}`;
  const member = at === "" ? "" : `, ${at},`;
  const rest = line === 1 ? NOTHING_IMPORTED : STORED_SO_FAR;
  return `Expected line ${line}${member} to be ${expected}. ${rest}`;
}

function toSentence(expected: string): string {
  return `Expected ${expected}.`;
}
