/**
 * A report: one thing that was reported, once. This is the shape that is stored (version 1), so a field may be added but
 * never renamed or given another meaning; a change of meaning is a version 2, and readers take both.
 */

/** Errata's digest as people read it out: `7F3K-Q2M9`. Made and read by `digest.ts`. */
export type Digest = string;

/** 32 lower-case hex characters: the sender's own event id, or one minted at ingest. */
export type ReportId = string;

/** Who saw it happen. */
export type Side = "server" | "browser";

/**
 * What it is: `error` (something was thrown), `message` (something was logged on purpose), `csp` (a policy was violated),
 * `browser` (deprecation, intervention, crash, other policies), `network` (NEL), `notice` (a visitor was shown a digest),
 * `feedback` (a person wrote something).
 */
export type ReportKind =
  | "error"
  | "message"
  | "csp"
  | "browser"
  | "network"
  | "notice"
  | "feedback";

/** The wire format it came in. `render` is Errata's own failed render, handed over in process. */
export type ReportFormat =
  | "render"
  | "reporter"
  | "sentry"
  | "next"
  | "reporting-api"
  | "csp-report"
  | "otlp"
  | "tail";

/** One frame of a stack. `line` and `column` are 1-based; absent where the sender did not say. */
export interface Frame {
  readonly function?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Code of the application, not of a library, the runtime or a browser extension. */
  readonly inApp: boolean;
  /** The source line itself, where the sender knew it. */
  readonly source?: string;
  readonly sourceBefore?: readonly string[];
  readonly sourceAfter?: readonly string[];
}

/** One error of a chain. Frames are newest first: the frame that threw is frame 0. */
export interface Cause {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly Frame[];
}

/** The request during which it happened. Headers are lower-case names, from an allow list, scrubbed. */
export interface ReportRequest {
  readonly method?: string;
  readonly url?: string;
  /** The route's pattern, `/cart/:id`; the path where the sender knows no pattern. */
  readonly route?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly userAgent?: string;
}

/** How the response went. `silent` means that the status was sent before the failure: a "silent 200". */
export interface ReportResponse {
  readonly status: number;
  readonly isSilent200: boolean;
}

/** Something that happened before, oldest first. */
export interface Breadcrumb {
  readonly atMs?: number;
  readonly category?: string;
  readonly level?: string;
  readonly message: string;
}

/** A file that came with a report. One that was too large has neither `text` nor `base64`. */
export interface Attachment {
  readonly name: string;
  /** The sender's word for its media type; never believed. */
  readonly type?: string;
  /** Its size as sent. */
  readonly bytes: number;
  /** What is text, by its bytes or by its type, is kept as text, so that it can be scrubbed. */
  readonly text?: string;
  readonly base64?: string;
}

/** JSON as it may be kept from a sender: already cut to depth, members and string length. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * A report as a format understood it, before ingest gives it an id, a time, a digest and a scrubbing. Everything optional
 * is absent, never null.
 */
export interface ParsedReport {
  /** The sender's own id, normalised to 32 hex characters. */
  readonly id?: ReportId;
  /**
   * Where the sender has no id: what makes this report the same as its retry. Ingest makes the id from it.
   */
  readonly dedupeKey?: string;
  /** The same, together with the sender and with about when it happened: a retry's own clock is off by a moment. */
  readonly fuzzyDedupeKey?: string;
  readonly kind: ReportKind;
  readonly side: Side;
  readonly format: ReportFormat;
  /** The sender's clock; ingest keeps it when it is plausible. */
  readonly occurredAtMs?: number;
  /** The error's name: `TypeError`; for other kinds what was violated: `script-src-elem`, `deprecation`. */
  readonly type: string;
  readonly message: string;
  readonly level?: string;
  readonly frames: readonly Frame[];
  /** The stack as text, where it came as text. */
  readonly stack?: string;
  readonly componentStack?: string;
  /** What caused it, outermost first; the error itself is not in it. */
  readonly causes?: readonly Cause[];
  readonly request?: ReportRequest;
  readonly response?: ReportResponse;
  readonly release?: string;
  readonly environment?: string;
  readonly traceId?: string;
  /** The trace of the page that Errata rendered for this visitor last, from the correlation cookie. */
  readonly pageTraceId?: string;
  readonly rayId?: string;
  readonly tags?: readonly (readonly [key: string, value: string])[];
  readonly breadcrumbs?: readonly Breadcrumb[];
  /** What the format knows beyond these fields: a CSP report's body, a Sentry event's contexts. */
  readonly detail?: Json;
  /** Who it happened to, in the sender's words: never stored, and counted without keeping who. */
  readonly userKey?: string;
  /** Its sender showed the project's key, or is one of our own: not just anybody. */
  readonly hasKey?: true;
  /** Files that came with it. */
  readonly attachments?: readonly Attachment[];
  /** The report that this one is about: what a person wrote belongs to that report's issue. */
  readonly aboutEventId?: ReportId;
  /**
   * The issue that it belongs to, whatever its own grouping: its sender was shown the digest, or it is about that event.
   */
  readonly linkedDigest?: Digest;
  /** Foreign codes that lead to this report's issue: a Next.js digest. Normalised by `alias.ts`. */
  readonly aliases?: readonly string[];
  /**
   * Explicit grouping in place of type and message: a Sentry fingerprint, a CSP report's directive, blocked origin and
   * source.
   */
  readonly fingerprint?: readonly string[];
  /** What a policy blocked: a URL, or `inline`, `eval`, `data`. */
  readonly blockedUri?: string;
  /** Names of what was cut to the limits: `message`, `frames`. */
  readonly truncated?: readonly string[];
}

/**
 * What breaks in a browser and is no fault of the page: of an `extension`, of a script that an app or a network `injected`, of
 * a page that was `translated`. The rules are in `noise.ts`.
 */
export type NoiseRule = "extension" | "injected" | "translated";

/** A report as it is stored and shown. */
export interface Report
  extends Omit<
    ParsedReport,
    | "id"
    | "dedupeKey"
    | "fuzzyDedupeKey"
    | "occurredAtMs"
    | "linkedDigest"
    | "aboutEventId"
    | "userKey"
  > {
  readonly v: 1;
  readonly id: ReportId;
  /** The issue it counts in. */
  readonly digest: Digest;
  /** True when `digest` is not the report's own grouping: its sender was shown it, or it is about that event. */
  readonly isLinked: boolean;
  /** Why it is kept apart. */
  readonly noise?: NoiseRule;
  /** Of who it happened to, what `visitors.ts` keeps: a register and a rank that thousands share. */
  readonly userSketch?: string;
  /** The id that a retry may have instead. For the log, which does not keep it. */
  readonly retryId?: ReportId;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  /** How many values were removed because they looked like secrets. */
  readonly scrubbedCount: number;
}
