/**
 * The one place where an expected failure becomes a response. A message says what was expected and where; it never echoes
 * what came.
 */
import type { PolicyFailure } from "../core/policy/read-policies.ts";
import type { RegistryFailure } from "../core/registry/change.ts";
import { exhaustive } from "../core/result.ts";
import type { IngestFailure } from "../ingest.ts";
import { CLOSED_SENTENCE } from "../ui/pages/closed-page.tsx";
import type { AdmissionFailure } from "./admission.ts";
import type { BodyFailure } from "./body.ts";
import type { ChoiceFailure } from "./choice.ts";
import type { DoorFailure } from "./door.tsx";
import type { ErasureFailure } from "./erasure.ts";
import type { ImportFailure } from "./import.ts";
import type { NoteFailure } from "./note-change.ts";
import type { SelectionFailure } from "./selection.ts";
import type { SettingsFailure } from "./settings-change.ts";
import type { ViewFailure } from "./views.ts";

/** Every expected failure of a request. */
export type Failure =
  | BodyFailure
  | IngestFailure
  | AdmissionFailure
  | ChoiceFailure
  | ErasureFailure
  | ImportFailure
  | SelectionFailure
  | ViewFailure
  | NoteFailure
  | PolicyFailure
  | DoorFailure
  | RegistryFailure
  | SettingsFailure
  | { readonly reason: "registry-unavailable" }
  | { readonly reason: "insecure" }
  | { readonly reason: "bad-day" }
  | { readonly reason: "no-upgrade" }
  | { readonly reason: "unknown-release" }
  | { readonly reason: "unknown-digest" }
  | { readonly reason: "unknown-report" }
  | { readonly reason: "log-unavailable" }
  | { readonly reason: "index-unavailable" }
  | { readonly reason: "method"; readonly allow: readonly string[] }
  | { readonly reason: "bad-config"; readonly problems: readonly string[] };

/** Too many tries; the platform counts them by the minute. */
export const TOO_MANY = { reason: "too-many-requests", retryAfterSeconds: 60 } as const;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A sender may try again when the log or the index is back; senders that know `Retry-After` wait so long. */
const RETRY_AFTER_SECONDS = "5";

/** What a program reads of a digest without an issue. */
export const UNKNOWN_DIGEST = "No issue has this digest. It may be on its way, or forgotten.";

/** The response of an expected failure, as JSON: `{"reason":"too-large","detail":"…"}`. */
export function failureResponse(failure: Failure): Response {
  const { status, detail, headers } = answerTo(failure);
  return Response.json({ reason: failure.reason, detail }, { status, ...(headers && { headers }) });
}

function answerTo(failure: Failure): Answer {
  switch (failure.reason) {
    case "empty":
      return { status: 400, detail: "Expected a report in the body; it was empty." };
    case "body-cut":
      return { status: 400, detail: "Expected the whole body; it ended too early." };
    case "bad-encoding":
    case "bad-media-type":
      return { status: 415, detail: sentence(failure.expected) };
    case "too-large":
      return { status: 413, detail: tooLarge(failure) };
    case "too-many-items":
      return { status: 413, detail: sentence(failure.expected) };
    case "not-json":
    case "too-deep":
    case "framing":
    case "unknown-format":
    case "bad-fields":
    case "bad-choice":
    case "bad-selection":
    case "bad-view":
    case "bad-erasure":
    case "bad-policy":
    case "bad-note":
    case "bad-settings":
      return { status: 400, detail: sentence(failure.expected) };
    case "bad-line":
      return { status: 400, detail: badLine(failure) };
    case "line-too-long":
      return {
        status: 413,
        detail: `Expected line ${failure.line} to have at most ${failure.max} bytes. ${STORED}`,
      };
    case "bad-day":
      return { status: 400, detail: "Expected day to be a UTC day, as 2026-11-21 is." };
    case "no-upgrade":
      return {
        status: 426,
        detail: "Expected a request that opens a WebSocket.",
        headers: { Connection: "Upgrade", Upgrade: "websocket" },
      };
    case "unknown-release":
      return { status: 404, detail: "No report and no session has named this release." };
    case "log-unavailable":
      return {
        status: 503,
        detail: "The log cannot take reports at the moment; the same body may be sent again.",
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
      };
    case "index-unavailable":
      return {
        status: 503,
        detail: "The index cannot be reached at the moment; the same may be sent again.",
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
      };
    case "sign-in":
      return {
        status: 401,
        detail: "Expected somebody who has signed in, or an API token.",
        headers: { "WWW-Authenticate": "Bearer" },
      };
    case "nobody-may-enter":
      return { status: 503, detail: CLOSED_SENTENCE };
    case "no-such-project":
      return { status: 404, detail: "There is no such project, or you are not in it." };
    case "not-allowed":
      return { status: 403, detail: "Expected somebody with more rights in this project." };
    case "not-known":
      return { status: 404, detail: `There is no such ${failure.what} here.` };
    case "insecure":
      return {
        status: 403,
        detail: "Expected https: what opens the desk is not sent in the clear.",
      };
    case "bad-code":
      return {
        status: 403,
        detail: "Expected a code that is good: this one was used, has ended, or never was.",
      };
    case "bad-passkey":
      return {
        status: 403,
        detail: "Expected the answer of a passkey that is known here, given just now.",
      };
    case "last-owner":
      return { status: 409, detail: "Expected somebody else to own the project first." };
    case "first-project":
      return {
        status: 409,
        detail: "The first project stays, and stays open: Errata reports to it.",
      };
    case "not-typed":
      return { status: 400, detail: sentence(failure.expected) };
    case "too-many":
      return { status: 409, detail: `Expected at most ${failure.max} (${failure.limit}).` };
    case "registry-unavailable":
      return {
        status: 503,
        detail: "The registry cannot be reached at the moment; the same may be sent again.",
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
      };
    case "cross-site":
      return {
        status: 403,
        detail: "Expected a request from a page of Errata; another site sent it.",
      };
    case "unknown-digest":
      return {
        status: 404,
        detail: UNKNOWN_DIGEST,
      };
    case "unknown-report":
      return {
        status: 404,
        detail: "This issue has no report with this id, or its body is no longer kept.",
      };
    case "method":
      return {
        status: 405,
        detail: `Expected ${failure.allow.join(" or ")}.`,
        headers: { Allow: failure.allow.join(", ") },
      };
    case "unknown-key":
      return { status: 401, detail: "Expected an ingest key of this project (sentry_key)." };
    case "origin-not-allowed":
      return { status: 403, detail: "Expected a page of an origin that this key is for." };
    case "archived":
      return {
        status: 403,
        detail: "Expected a project that takes reports; this one is archived.",
      };
    case "keys-disagree":
      return { status: 401, detail: "Expected one ingest key; the request names several." };
    case "too-many-requests":
      return {
        status: 429,
        detail: "Expected fewer requests; the limit of this minute is used up.",
        headers: {
          "Retry-After": String(failure.retryAfterSeconds),
          // An SDK stops for that long, and only that long, in all categories.
          "X-Sentry-Rate-Limits": `${failure.retryAfterSeconds}::key`,
        },
      };
    case "bad-config":
      return { status: 503, detail: `Errata is not configured: ${failure.problems.join(" ")}` };
    default:
      return exhaustive(failure, { status: 400, detail: "The request could not be understood." });
  }
}

/** An import that was refused may be sent again whole. */
const STORED = "What stands before it is stored.";

function badLine({ line, at, expected }: Extract<Failure, { reason: "bad-line" }>): string {
  const member = at === "" ? "" : `, ${at},`;
  return `Expected line ${line}${member} to be ${expected}. ${STORED}`;
}

function tooLarge(failure: Extract<Failure, { reason: "too-large" }>): string {
  return "limit" in failure
    ? `Expected at most ${failure.max} bytes (${failure.limit}).`
    : sentence(failure.expected);
}

function sentence(expected: string): string {
  return `Expected ${expected}.`;
}
