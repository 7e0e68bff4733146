/**
 * The report as it is stored (version 1). Fields may be added, never renamed. A change of meaning
 * needs a version 2, and readers then support both.
 */

import type { Trust } from "./trust/trust.ts";

/** Errata's digest, written as `7F3K-Q2M9`. Created and parsed in `core/grouping`. */
export type Digest = string;

/** 32 lower-case hex characters: the sender's event id, or one derived or created at ingest. */
export type ReportId = string;

/** The origin of a report. */
export type Side = "server" | "browser";

/**
 * `error` (an exception), `message` (a log message), `csp` (a policy violation), `browser`
 * (deprecation, intervention, crash, other policies), `network` (NEL), `notice` (a user saw a
 * digest), `feedback` (a comment by a user).
 */
export type ReportKind = keyof typeof REPORT_KINDS;
/** Each kind, as a set. */
export const REPORT_KINDS = {
  error: true,
  message: true,
  csp: true,
  browser: true,
  network: true,
  notice: true,
  feedback: true,
} as const;

/** A runtime of scripts. A report that names no platform has one. */
type ScriptPlatform = "javascript" | "react-native" | undefined;

/** True for a runtime of scripts, whose stacks are those of an engine. */
export function isJavaScript(platform: Platform | undefined): platform is ScriptPlatform {
  return platform === undefined || platform === "javascript" || platform === "react-native";
}

/**
 * The runtime that reported, by the rules that its stacks and messages follow: `java` is any
 * language of the JVM, `elixir` any language of the BEAM, `native` is C, C++, Objective-C and
 * Swift.
 */
export const PLATFORMS = [
  "javascript",
  "react-native",
  "python",
  "ruby",
  "php",
  "java",
  "dotnet",
  "go",
  "rust",
  "elixir",
  "native",
  "other",
] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A stack frame. `line` and `column` are 1-based and absent when unknown. */
export interface Frame {
  readonly function?: string;
  /** The function before the SDK shortened its name, if that differs. */
  readonly rawFunction?: string;
  /** The module, class or namespace of the function: `shop.bill`, `com.acme.Bill`. */
  readonly module?: string;
  readonly file?: string;
  /** The absolute path or URL of the file, if the sender names it and it differs from `file`. */
  readonly absPath?: string;
  /** The library or image that contains the code: `libc.so.6`, `serde 1.0.2`. */
  readonly package?: string;
  /** The address of the instruction in a native frame: `0x7fff2041e9c2`. */
  readonly address?: string;
  /** The same instruction, counted from the start of its image: `0x7770`. */
  readonly imageOffset?: string;
  readonly line?: number;
  readonly column?: number;
  /** Code of the application, not of a library, the runtime or a browser extension. */
  readonly inApp: boolean;
  /** The source line, if the sender knows it. */
  readonly source?: string;
  readonly sourceBefore?: readonly string[];
  readonly sourceAfter?: readonly string[];
  /** Local variables as the sender formatted them. Only reports of trust `server` keep them. */
  readonly vars?: Json;
}

/** One error of a report. Frames are newest first: frame 0 threw. */
export interface ReportedError {
  readonly type: string;
  /** The module or package that defines the type, if it is sent apart: `requests.exceptions`. */
  readonly typeModule?: string;
  readonly message: string;
  readonly frames: readonly Frame[];
  /** The errors below it are members of a group (an ExceptionGroup), not causes. */
  readonly isGroup?: true;
}

/** A cause or a member of an error above it in the report. */
export interface Cause extends ReportedError {
  /**
   * The error that it belongs to: 0 is the report's own error, n is `causes[n - 1]`. Absent if it
   * belongs to the error before it.
   */
  readonly parent?: number;
  /** Thrown while the error was handled (Java's suppressed exceptions). It caused nothing. */
  readonly isSuppressed?: true;
}

/** A log message before its parameters were inserted: `user %s was not found`. */
export interface LogTemplate {
  readonly text: string;
  /** The parameters, a list or by name. */
  readonly params?: Json;
}

/** The meaning of one part of a grouping key. */
export const KEY_PART_ROLES = [
  "type",
  "message",
  "template",
  "function",
  "file",
  "package",
  "route",
  "logger",
  "fingerprint",
  "stack",
] as const;
export type KeyPartRole = (typeof KEY_PART_ROLES)[number];

/** One part of a grouping key: `{ role: "function", value: "shop.bill#total" }`. */
export interface KeyPart {
  readonly role: KeyPartRole;
  readonly value: string;
  /**
   * The part describes the innermost cause, or a member of a group. Absent for the error itself.
   */
  readonly of?: "cause" | "member";
}

/** Why a report belongs to its issue: the version of grouping, and the parts of the key. */
export interface ReportGrouping {
  readonly version: number;
  readonly parts: readonly KeyPart[];
  /**
   * The digest without the part `stack`, which the report has because its project splits this
   * digest by stack.
   */
  readonly splitFrom?: Digest;
}

/** The request that failed. Headers have lower-case names, are on an allow list and scrubbed. */
export interface ReportRequest {
  readonly method?: string;
  readonly url?: string;
  /** The query, if it was sent apart and the URL has another one. */
  readonly query?: string;
  /** The route pattern, `/cart/:id`; the path when the sender knows no pattern. */
  readonly route?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly userAgent?: string;
}

/** The response. `isSilent200`: the success status was sent before the failure. */
export interface ReportResponse {
  readonly status: number;
  readonly isSilent200: boolean;
}

/** An event before the error. A list of breadcrumbs is oldest first. */
export interface Breadcrumb {
  readonly atMs?: number;
  readonly category?: string;
  readonly level?: string;
  readonly message: string;
  /** Data that the message does not contain. */
  readonly data?: Json;
}

/** An attachment. One whose contents are not kept has neither `text` nor `base64`. */
export interface Attachment {
  readonly name: string;
  /** The media type that the sender claims; not trusted. */
  readonly type?: string;
  /** Size as sent. */
  readonly bytes: number;
  /**
   * Contents that are text, by their bytes or by type, are stored as text so that they can be
   * scrubbed.
   */
  readonly text?: string;
  readonly base64?: string;
  /** Why the contents are not kept. */
  readonly notKept?: "too-large" | "over-count";
}

/** Untrusted JSON, already limited in depth, members and string length. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * A report as a format parsed it, before it has an id, a time and a digest and before scrubbing.
 * Optional members are absent, never null.
 */
export interface ParsedReport {
  /** The sender's id, normalized to 32 hex characters. */
  readonly id?: ReportId;
  /** Equal for a report and its retry, when the sender has no id. Ingest derives the id from it. */
  readonly dedupeKey?: string;
  /**
   * Like `dedupeKey`, but combined with the sender and the approximate time, because the clock of a
   * retry differs slightly.
   */
  readonly fuzzyDedupeKey?: string;
  readonly kind: ReportKind;
  readonly side: Side;
  /**
   * The wire format, as `ingest/formats.ts` names it. `render` is a failed render of Errata itself,
   * passed in process.
   */
  readonly format: string;
  /** The sender's clock. Ingest uses it when it is plausible. */
  readonly occurredAtMs?: number;
  /**
   * The sender's clock minus Errata's, if they differ much. The times of the report are corrected.
   */
  readonly clockSkewMs?: number;
  /** The runtime that reported. Absent for `javascript`. */
  readonly platform?: Platform;
  /**
   * The error's name: `TypeError`. For other kinds the violated rule: `script-src-elem`,
   * `deprecation`.
   */
  readonly type: string;
  /** As in `ReportedError`. */
  readonly typeModule?: string;
  readonly message: string;
  /** The template of `message`, if it was logged with parameters. */
  readonly template?: LogTemplate;
  readonly level?: string;
  readonly frames: readonly Frame[];
  /** As in `ReportedError`. */
  readonly isGroup?: true;
  /** The stack as text, if it was sent as text. */
  readonly stack?: string;
  readonly componentStack?: string;
  /** Causes and members of the error, outermost first, without the error itself. */
  readonly causes?: readonly Cause[];
  readonly request?: ReportRequest;
  readonly response?: ReportResponse;
  readonly release?: string;
  readonly environment?: string;
  readonly traceId?: string;
  /**
   * The trace of the page that Errata rendered last for this visitor, from the correlation cookie.
   */
  readonly pageTraceId?: string;
  readonly rayId?: string;
  readonly tags?: readonly (readonly [key: string, value: string])[];
  readonly breadcrumbs?: readonly Breadcrumb[];
  /**
   * Data of the format beyond these fields: the body of a CSP report, the contexts of a Sentry
   * event.
   */
  readonly detail?: Json;
  /** The affected user as the sender identifies them. Only a sketch of it is stored. */
  readonly userKey?: string;
  /** Attachments of the report. */
  readonly attachments?: readonly Attachment[];
  /** The report that a comment is about. The comment belongs to that report's issue. */
  readonly aboutEventId?: ReportId;
  /**
   * The issue to link to, regardless of the report's own grouping: the sender was shown its digest,
   * or the report is about one of its events.
   */
  readonly linkedDigest?: Digest;
  /**
   * Foreign codes that lead to this report's issue, such as a Next.js digest. Normalized by
   * `alias.ts`.
   */
  readonly aliases?: readonly string[];
  /** The sender's digest is a signal of a framework. Ingest drops such errors and messages. */
  readonly hasControlFlowDigest?: boolean;
  /**
   * Explicit grouping instead of type and message: a Sentry fingerprint; the directive, blocked
   * origin and source of a CSP report.
   */
  readonly fingerprint?: readonly string[];
  /** The blocked resource: a URL, or `inline`, `eval`, `data`. */
  readonly blockedUri?: string;
  /** Names of the parts that were truncated: `message`, `frames`. */
  readonly truncated?: readonly string[];
}

/**
 * Browser errors that the page did not cause: from an `extension`, from a script that an app or a
 * network `injected`, or on a page that was `translated`. The rules are in `classify-noise.ts`.
 * `errata`: errors of Errata itself.
 */
export const NOISE_RULES = ["extension", "injected", "translated", "errata"] as const;
export type NoiseRule = (typeof NOISE_RULES)[number];

/** A report as it is stored and shown. */
export interface Report
  extends Omit<
    ParsedReport,
    | "id"
    | "dedupeKey"
    | "fuzzyDedupeKey"
    | "occurredAtMs"
    | "linkedDigest"
    | "hasControlFlowDigest"
    | "aboutEventId"
    | "userKey"
  > {
  readonly v: 1;
  readonly id: ReportId;
  /** The sender's id, if the report is stored under another (`report/report-id.ts`). */
  readonly eventId?: ReportId;
  /** The issue that counts the report. */
  readonly digest: Digest;
  /**
   * True when `digest` is not the report's own grouping, because the sender was shown it or the
   * report is about one of that events.
   */
  readonly isLinked: boolean;
  readonly trust: Trust;
  /** Why the report belongs to its issue. Absent for noise and for linked reports. */
  readonly grouping?: ReportGrouping;
  /** The noise rule that matched. Noise is hidden from the default issue list. */
  readonly noise?: NoiseRule;
  /**
   * The affected user as a sketch (`hyperloglog.ts`): a register and a rank that thousands of users
   * share.
   */
  readonly userSketch?: string;
  /**
   * The network of the sender as a sketch (`network-sketch.ts`), and the id of the public key that
   * it used (`ingest-keys.ts`). Only public reports have them.
   */
  readonly networkSketch?: string;
  readonly senderKey?: string;
  /** The id that a retry may have instead. Only the log uses it; it is not stored. */
  readonly retryId?: ReportId;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  /** The sender's clock minus Errata's, in ms, if they differ too much. */
  readonly clockSkewMs?: number;
  /** The number of values that were removed because they looked like secrets. */
  readonly scrubbedCount: number;
}
