/**
 * Every expected failure of a request, and the one place where it becomes a response. A message says what was expected and
 * where; it never echoes what came.
 */
import { assertNever } from "../core/result.ts";
import { NOT_SET_UP_DETAIL } from "../ui/account/not-set-up-page.tsx";

/** A reason that `expected` completes: "Expected …." */
type FailureWithExpectation<Reason extends string> = Reason extends string
  ? { readonly reason: Reason; readonly expected: string }
  : never;

/** A reason that says all. */
type PlainFailure<Reason extends string> = Reason extends string
  ? { readonly reason: Reason }
  : never;

/** A size over the limit of this name, in bytes. */
interface ByteLimitFailure<Limit extends string> {
  readonly reason: "too-large";
  readonly limit: Limit;
  readonly max: number;
}

/** Why a body's content coding cannot be undone. */
export type ContentEncodingFailure =
  | ByteLimitFailure<"maxInflatedBytes">
  | FailureWithExpectation<"bad-encoding">;

/** Why a body cannot be read. */
export type BodyFailure =
  | ContentEncodingFailure
  | ByteLimitFailure<"maxBodyBytes">
  | PlainFailure<"empty" | "truncated-body">;

/** Why reports in a body cannot be read, or kept. */
type ReportFailure =
  | FailureWithExpectation<"not-json" | "too-deep" | "too-large" | "too-many-items" | "framing">
  | FailureWithExpectation<"unknown-format">
  | PlainFailure<"log-unavailable">;

/** Why a request may not send reports. */
export type AdmissionFailure =
  | PlainFailure<"unknown-key" | "origin-not-allowed" | "archived" | "conflicting-keys">
  | PlainFailure<"registry-unavailable">
  | { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number };

/** Why a request does not get through the door. */
export type AuthorizationFailure = PlainFailure<
  "unauthenticated" | "not-set-up" | "no-such-project" | "forbidden" | "cross-site"
>;

/** Why a body has no fields. */
export type FormBodyFailure =
  | Exclude<BodyFailure, { readonly reason: "empty" }>
  | ByteLimitFailure<"maxFormBytes">
  | FailureWithExpectation<"bad-media-type" | "bad-form">;

/** Why a body is no choice. */
export type DecisionFormFailure = FormBodyFailure | FailureWithExpectation<"bad-decision">;

/** Why a body says nothing to do with several issues. */
export type BulkActionFailure = DecisionFormFailure | FailureWithExpectation<"bad-bulk-action">;

/** Why a body is no view of the list. */
export type SavedViewFailure = FormBodyFailure | FailureWithExpectation<"bad-view">;

/** Why a body asks for nothing that can be added to an issue. */
export type AnnotationFormFailure = FormBodyFailure | FailureWithExpectation<"bad-annotation">;

/** Why fields ask for no change of settings. */
export type SettingsFailure = FormBodyFailure | FailureWithExpectation<"bad-settings">;

/** Why fields name nothing that can be erased. */
export type ErasureFailure = FailureWithExpectation<"bad-erasure">;

/** Why an import ended early. Lines count from 1; `at` is the member of the line, `max` is in bytes. */
export type ImportFailure =
  | {
      readonly reason: "bad-line";
      readonly line: number;
      readonly at: string;
      readonly expected: string;
    }
  | { readonly reason: "line-too-long"; readonly line: number; readonly max: number }
  | Extract<BodyFailure, { readonly reason: "truncated-body" | "bad-encoding" }>
  | PlainFailure<"index-unavailable">;

/** Why the registry refuses a change. */
type RegistryFailure =
  | PlainFailure<"forbidden" | "bad-code" | "bad-passkey" | "last-owner" | "first-project">
  | FailureWithExpectation<"not-confirmed">
  | { readonly reason: "not-found"; readonly what: string }
  | { readonly reason: "too-many"; readonly limit: string; readonly max: number };

/** Every expected failure of a request. */
export type Failure =
  | BodyFailure
  | ReportFailure
  | AdmissionFailure
  | AuthorizationFailure
  | BulkActionFailure
  | SavedViewFailure
  | AnnotationFormFailure
  | SettingsFailure
  | ErasureFailure
  | ImportFailure
  | RegistryFailure
  | FailureWithExpectation<"bad-policy">
  | PlainFailure<"https-required" | "bad-day" | "upgrade-required">
  | PlainFailure<"unknown-release" | "unknown-digest" | "unknown-report">
  | { readonly reason: "method"; readonly allow: readonly string[] }
  | { readonly reason: "bad-config"; readonly problems: readonly string[] };

/** Too many tries; the platform counts them by the minute. */
export const RATE_LIMITED = { reason: "too-many-requests", retryAfterSeconds: 60 } as const;

interface FailureDescription {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A sender may try again when the log or the index is back; senders that know `Retry-After` wait so long. */
const RETRY_AFTER_SECONDS = "5";

/** What a program reads of a digest without an issue. */
export const UNKNOWN_DIGEST_DETAIL =
  "No issue has this digest. It may be on its way, or forgotten.";

/** The response of an expected failure, as JSON: `{"reason":"too-large","detail":"…"}`. */
export function toFailureResponse(failure: Failure): Response {
  const { status, detail, headers } = describeFailure(failure);
  return Response.json({ reason: failure.reason, detail }, { status, ...(headers && { headers }) });
}

function describeFailure(failure: Failure): FailureDescription {
  switch (failure.reason) {
    case "empty":
      return { status: 400, detail: "Expected a report in the body; it was empty." };
    case "truncated-body":
      return { status: 400, detail: "Expected the whole body; it ended too early." };
    case "bad-encoding":
    case "bad-media-type":
      return { status: 415, detail: toSentence(failure.expected) };
    case "too-large":
      return { status: 413, detail: describeTooLarge(failure) };
    case "too-many-items":
      return { status: 413, detail: toSentence(failure.expected) };
    case "not-json":
    case "too-deep":
    case "framing":
    case "unknown-format":
    case "bad-form":
    case "bad-decision":
    case "bad-bulk-action":
    case "bad-view":
    case "bad-erasure":
    case "bad-policy":
    case "bad-annotation":
    case "bad-settings":
      return { status: 400, detail: toSentence(failure.expected) };
    case "bad-line":
      return { status: 400, detail: describeBadLine(failure) };
    case "line-too-long":
      return {
        status: 413,
        detail: `Expected line ${failure.line} to have at most ${failure.max} bytes. ${STORED_SO_FAR}`,
      };
    case "bad-day":
      return { status: 400, detail: "Expected day to be a UTC day, as 2026-11-21 is." };
    case "upgrade-required":
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
    case "unauthenticated":
      return {
        status: 401,
        detail: "Expected somebody who has signed in, or an API token.",
        headers: { "WWW-Authenticate": "Bearer" },
      };
    case "not-set-up":
      return { status: 503, detail: NOT_SET_UP_DETAIL };
    case "no-such-project":
      return { status: 404, detail: "There is no such project, or you are not in it." };
    case "forbidden":
      return { status: 403, detail: "Expected somebody with more rights in this project." };
    case "not-found":
      return { status: 404, detail: `There is no such ${failure.what} here.` };
    case "https-required":
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
    case "not-confirmed":
      return { status: 400, detail: toSentence(failure.expected) };
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
        detail: UNKNOWN_DIGEST_DETAIL,
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
    case "conflicting-keys":
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
      return assertNever(failure, { status: 400, detail: "The request could not be understood." });
  }
}

/** An import that was refused may be sent again whole. */
const STORED_SO_FAR = "What stands before it is stored.";

function describeBadLine({ line, at, expected }: Extract<Failure, { reason: "bad-line" }>): string {
  const member = at === "" ? "" : `, ${at},`;
  return `Expected line ${line}${member} to be ${expected}. ${STORED_SO_FAR}`;
}

function describeTooLarge(failure: Extract<Failure, { reason: "too-large" }>): string {
  return "limit" in failure
    ? `Expected at most ${failure.max} bytes (${failure.limit}).`
    : toSentence(failure.expected);
}

function toSentence(expected: string): string {
  return `Expected ${expected}.`;
}
