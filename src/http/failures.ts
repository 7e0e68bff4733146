/**
 * Every expected failure of a request, as a value. Parsers state what they expected; other failures
 * state the problem. `failure-response.ts` turns them into responses.
 */
import type { ClientFailure } from "../core/oauth/client-metadata.ts";
import type { UploadRefusal } from "../core/ports/source-maps-port.ts";
import type { OperationFailure } from "../operations/operation.ts";

/** A failure of a parser; `expected` completes "Expected …." */
type FailureWithExpectation<Reason extends string> = Reason extends string
  ? { readonly reason: Reason; readonly expected: string }
  : never;

/** A failure without further facts. */
type PlainFailure<Reason extends string> = Reason extends string
  ? { readonly reason: Reason }
  : never;

/** A body over the limit of this name; `max` is in bytes. */
interface ByteLimitFailure<Limit extends string> {
  readonly reason: "too-large";
  readonly limit: Limit;
  readonly max: number;
}

/** Why a `Content-Encoding` cannot be decoded. */
export type ContentEncodingFailure =
  | ByteLimitFailure<"maxInflatedBytes">
  | FailureWithExpectation<"bad-encoding">;

/** Why a body cannot be read. */
export type BodyFailure =
  | ContentEncodingFailure
  | ByteLimitFailure<"maxBodyBytes">
  | PlainFailure<"empty" | "truncated-body">;

/** Why reports in a body cannot be parsed or stored. */
type ReportFailure =
  | ByteLimitFailure<"maxKeylessBodyBytes">
  | FailureWithExpectation<"not-json" | "too-deep" | "too-large" | "too-many-items" | "framing">
  | FailureWithExpectation<"unknown-format">
  | PlainFailure<"log-unavailable">;

/** Why a request may not send reports. */
export type AdmissionFailure =
  | PlainFailure<"unknown-key" | "origin-not-allowed" | "archived" | "conflicting-keys">
  | PlainFailure<"key-required" | "key-paused" | "server-key-in-browser">
  | PlainFailure<"registry-unavailable">
  | { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number };

/** Why a request is not authorized. */
export type AuthorizationFailure = PlainFailure<
  | "unauthenticated"
  | "not-set-up"
  | "no-such-project"
  | "forbidden"
  | "cross-site"
  | "https-required"
  | "api-only"
  | "registry-unavailable"
>;

/** Why source maps or the facts of a release cannot be uploaded. */
type UploadFailure =
  | UploadRefusal
  | FailureWithExpectation<"other-project" | "bad-upload">
  | PlainFailure<
      | "unknown-preview"
      | "upload-forbidden"
      | "upload-only"
      | "releases-kept"
      | "source-maps-unavailable"
    >;

/** Why a body cannot be read as a form. */
export type FormBodyFailure =
  | Exclude<BodyFailure, { readonly reason: "empty" }>
  | ByteLimitFailure<"maxFormBytes">
  | FailureWithExpectation<"bad-media-type" | "bad-form">;

/** Reasons of a form whose fields its parser does not accept. */
export type FormReason =
  | "bad-form"
  | "bad-decision"
  | "bad-bulk-action"
  | "bad-view"
  | "bad-annotation"
  | "bad-link"
  | "bad-settings"
  | "bad-alert"
  | "bad-erasure";

/**
 * Why an import ended early. Lines count from 1; `at` is the path of the member, `max` is in bytes.
 */
export type ImportFailure =
  | {
      readonly reason: "bad-line";
      readonly line: number;
      readonly at: string;
      readonly expected: string;
    }
  | { readonly reason: "line-too-long"; readonly line: number; readonly max: number }
  | Extract<BodyFailure, { readonly reason: "truncated-body" | "bad-encoding" }>
  | PlainFailure<"index-unavailable" | "own-export">;

/**
 * A handler threw. 503 if the same request may be sent again, without `Retry-After`, which would
 * make SDKs stop sending other reports too. `digest` is that of Errata's own report of the error.
 */
interface InternalFailure {
  readonly reason: "internal-error";
  readonly status: 500 | 503;
  readonly digest?: string | undefined;
}

/** Every expected failure of a request. */
export type Failure =
  | Exclude<OperationFailure, { readonly reason: "invalid-input" }>
  | BodyFailure
  | ReportFailure
  | AdmissionFailure
  | AuthorizationFailure
  | FormBodyFailure
  | FailureWithExpectation<FormReason>
  | ImportFailure
  | { readonly reason: "not-found"; readonly what: string }
  | UploadFailure
  | { readonly reason: "invalid-alert"; readonly detail: string }
  | ClientFailure
  | PlainFailure<"unknown-user-code">
  | FailureWithExpectation<"bad-policy" | "bad-request" | "unknown-parameter">
  | PlainFailure<"trust-forbidden" | "bad-signature">
  | ByteLimitFailure<"maxHookBytes">
  | PlainFailure<"https-required" | "bad-host" | "bad-day" | "bad-cursor" | "upgrade-required">
  | InternalFailure
  | { readonly reason: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly reason: "bad-config"; readonly problems: readonly string[] };

/** Too many attempts; the platform counts them per minute. */
export const RATE_LIMITED = { reason: "too-many-requests", retryAfterSeconds: 60 } as const;
