/**
 * The report as it is stored (version 1). Fields may be added, never renamed. A change of meaning
 * needs a version 2, and readers then support both. Its types derive from the schema.
 */

import * as v from "valibot";
import { limits } from "./limits.ts";
import {
  choice,
  code,
  count,
  flag,
  json,
  list,
  number,
  pairs,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  trueOrFalse,
  version1,
} from "./schema/stored-object.ts";
import { TRUST_LEVELS } from "./trust/trust.ts";

/** Scrubbing after truncation can lengthen text: a placeholder can be longer than the secret. */
export const SCRUB_GROWTH = 4;
/** Parts of a fingerprint and names of truncated fields. */
const MAX_LIST_ITEMS = 100;

export const shortText = /* @__PURE__ */ text(limits.maxStringChars * SCRUB_GROWTH);
const shortTexts = /* @__PURE__ */ list(shortText, MAX_LIST_ITEMS);
const sourceLines = /* @__PURE__ */ list(shortText, limits.maxSourceLines);
export const typeText = /* @__PURE__ */ text(limits.maxTypeChars * SCRUB_GROWTH);
const messageText = /* @__PURE__ */ text(limits.maxMessageChars * SCRUB_GROWTH);
const detail = /* @__PURE__ */ json<Json>();
/** Foreign codes that lead to an issue. */
export const aliasList = /* @__PURE__ */ list(shortText, limits.maxAliasesPerReport);

/** Errata's digest, written as `7F3K-Q2M9`. Created and parsed in `core/grouping`. */
export type Digest = string;

/** 32 lower-case hex characters: the sender's event id, or one derived or created at ingest. */
export type ReportId = string;

/** The origin of a report. */
export type Side = keyof typeof SIDES;
const SIDES = { server: true, browser: true } as const;

/**
 * `error` (an exception), `recovered` (an error after which the framework rendered the page again),
 * `message` (a log message), `csp` (a policy violation), `browser` (deprecation, intervention,
 * crash, other policies), `network` (NEL; a resource or request of a page that failed), `notice` (a
 * user saw a digest), `feedback` (a comment by a user).
 */
export type ReportKind = keyof typeof REPORT_KINDS;
/** Each kind, as a set. */
export const REPORT_KINDS = {
  error: true,
  recovered: true,
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
export type Platform = StoredValue<typeof platformSchema>;
const platformSchema = /* @__PURE__ */ choice([
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
]);

/** Untrusted JSON, already limited in depth, members and string length. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A stack frame. `line` and `column` are 1-based and absent when unknown. */
export type Frame = StoredValue<typeof frameSchema>;
const frameSchema = /* @__PURE__ */ storedObject({
  function: v.optional(shortText),
  /** The function before the SDK shortened its name, if that differs. */
  rawFunction: v.optional(shortText),
  /** The module, class or namespace of the function: `shop.bill`, `com.acme.Bill`. */
  module: v.optional(shortText),
  file: v.optional(shortText),
  /** The absolute path or URL of the file, if the sender names it and it differs from `file`. */
  absPath: v.optional(shortText),
  /** The library or image that contains the code: `libc.so.6`, `serde 1.0.2`. */
  package: v.optional(shortText),
  /** The address of the instruction in a native frame: `0x7fff2041e9c2`. */
  address: v.optional(shortText),
  /** The same instruction, counted from the start of its image: `0x7770`. */
  imageOffset: v.optional(shortText),
  line: v.optional(number),
  column: v.optional(number),
  /** Code of the application, not of a library, the runtime or a browser extension. */
  inApp: trueOrFalse,
  /** The source line, if the sender knows it. */
  source: v.optional(shortText),
  sourceBefore: v.optional(sourceLines),
  sourceAfter: v.optional(sourceLines),
  /** Local variables as the sender formatted them. Only reports of trust `server` keep them. */
  vars: v.optional(detail),
});
const frames = /* @__PURE__ */ list(frameSchema, limits.maxFrames);

/** A cause or a member of an error above it in the report. */
export type Cause = StoredValue<typeof causeSchema>;
const causeSchema = /* @__PURE__ */ storedObject({
  type: typeText,
  /** The module or package that defines the type, if it is sent apart: `requests.exceptions`. */
  typeModule: v.optional(typeText),
  message: messageText,
  frames,
  /** The errors below it are members of a group (an ExceptionGroup), not causes. */
  isGroup: v.optional(flag),
  /**
   * The error that it belongs to: 0 is the report's own error, n is `causes[n - 1]`. Absent if it
   * belongs to the error before it.
   */
  parent: v.optional(count),
  /** Thrown while the error was handled (Java's suppressed exceptions). It caused nothing. */
  isSuppressed: v.optional(flag),
  /** The error that it belongs to was thrown while this one was handled (Python's context). */
  isContext: v.optional(flag),
});

/** One error of a report. Frames are newest first: frame 0 threw. */
export type ReportedError = Omit<Cause, "parent" | "isSuppressed" | "isContext">;

/** A log message before its parameters were inserted: `user %s was not found`. */
export type LogTemplate = StoredValue<typeof templateSchema>;
const templateSchema = /* @__PURE__ */ storedObject({
  text: messageText,
  /** The parameters, a list or by name. */
  params: v.optional(detail),
});

/** One part of a grouping key: `{ role: "function", value: "shop.bill#total" }`. */
export type KeyPart = StoredValue<typeof keyPartSchema>;
const keyPartSchema = /* @__PURE__ */ storedObject({
  role: choice([
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
  ]),
  value: shortText,
  /**
   * The part describes the innermost cause, or a member of a group. Absent for the error itself.
   */
  of: v.optional(choice(["cause", "member"])),
});

/** The meaning of one part of a grouping key. */
export type KeyPartRole = KeyPart["role"];

/** Why a report belongs to its issue: the version of grouping, and the parts of the key. */
export type ReportGrouping = StoredValue<typeof groupingSchema>;
export const groupingSchema = /* @__PURE__ */ storedObject({
  version: count,
  parts: list(keyPartSchema, MAX_LIST_ITEMS),
  /**
   * The digest without the part `stack`, which the report has because its project splits this
   * digest by stack.
   */
  splitFrom: v.optional(code("digest")),
});

/** The request that failed. Headers have lower-case names, are on an allow list and scrubbed. */
export type ReportRequest = StoredValue<typeof requestSchema>;
const requestSchema = /* @__PURE__ */ storedObject({
  method: v.optional(shortText),
  url: v.optional(shortText),
  /** The query, if it was sent apart and the URL has another one. */
  query: v.optional(shortText),
  /** The route pattern, `/cart/:id`; the path when the sender knows no pattern. */
  route: v.optional(shortText),
  headers: v.optional(pairs(limits.maxStringChars * SCRUB_GROWTH, limits.maxHeaders)),
  userAgent: v.optional(shortText),
});

/** The response. `isSilent200`: the success status was sent before the failure. */
export type ReportResponse = StoredValue<typeof responseSchema>;
const responseSchema = /* @__PURE__ */ storedObject({ status: number, isSilent200: trueOrFalse });

/** An event before the error. A list of breadcrumbs is oldest first. */
export type Breadcrumb = StoredValue<typeof breadcrumbSchema>;
const breadcrumbSchema = /* @__PURE__ */ storedObject({
  atMs: v.optional(timeMs),
  category: v.optional(shortText),
  level: v.optional(shortText),
  message: messageText,
  /** Data that the message does not contain. */
  data: v.optional(detail),
});

/** An attachment. One whose contents are not kept has neither `text` nor `base64`. */
export type Attachment = StoredValue<typeof attachmentSchema>;
const attachmentSchema = /* @__PURE__ */ storedObject({
  name: shortText,
  /** The media type that the sender claims; not trusted. */
  type: v.optional(shortText),
  /** Size as sent. */
  bytes: count,
  /**
   * Contents that are text, by their bytes or by type, are stored as text so that they can be
   * scrubbed.
   */
  text: v.optional(text(limits.maxExportedLineBytes)),
  base64: v.optional(code("base64")),
  /** Why the contents are not kept. */
  notKept: v.optional(choice(["too-large", "over-count"])),
});

/**
 * Browser errors that the page did not cause: from an `extension`, from a script that an app or a
 * network `injected`, or on a page that was `translated`. The rules are in `classify-noise.ts`.
 * `errata`: errors of Errata itself.
 */
export type NoiseRule = StoredValue<typeof noiseSchema>;
export const noiseSchema = /* @__PURE__ */ choice([
  "extension",
  "injected",
  "translated",
  "errata",
]);

export const kindSchema = /* @__PURE__ */ choice(REPORT_KINDS);
export const sideSchema = /* @__PURE__ */ choice(SIDES);
export const trustSchema = /* @__PURE__ */ choice(TRUST_LEVELS);

/** The schema of a stored report. */
export const reportSchema = /* @__PURE__ */ storedObject({
  v: version1,
  id: code("reportId"),
  /** The sender's id, if the report is stored under another (`report/report-id.ts`). */
  eventId: v.optional(code("reportId")),
  /** The issue that counts the report. */
  digest: code("digest"),
  /**
   * True when `digest` is not the report's own grouping, because the sender was shown it or the
   * report is about one of that events.
   */
  isLinked: trueOrFalse,
  trust: trustSchema,
  /** Why the report belongs to its issue. Absent for noise and for linked reports. */
  grouping: v.optional(groupingSchema),
  /** The noise rule that matched. Noise is hidden from the default issue list. */
  noise: v.optional(noiseSchema),
  /**
   * The affected user as a sketch (`hyperloglog.ts`): a register and a rank that thousands of users
   * share.
   */
  userSketch: v.optional(code("userSketch")),
  /**
   * The network of the sender as a sketch (`network-sketch.ts`), and the id of the public key that
   * it used (`ingest-keys.ts`). Only public reports have them.
   */
  networkSketch: v.optional(code("networkSketch")),
  senderKey: v.optional(code("senderKey")),
  occurredAtMs: timeMs,
  receivedAtMs: timeMs,
  /**
   * The sender's clock minus Errata's, in ms, if they differ much. The times of the report are
   * corrected.
   */
  clockSkewMs: v.optional(number),
  /** The number of values that were removed because they looked like secrets. */
  scrubbedCount: count,
  kind: kindSchema,
  side: sideSchema,
  /**
   * The wire format, as `ingest/formats.ts` names it. `render` is a failed render of Errata itself,
   * passed in process.
   */
  format: code("reportFormat"),
  /** The runtime that reported. Absent for `javascript`. */
  platform: v.optional(platformSchema),
  /**
   * The error's name: `TypeError`. For other kinds the violated rule: `script-src-elem`,
   * `deprecation`.
   */
  type: typeText,
  /** As in `ReportedError`. */
  typeModule: v.optional(typeText),
  message: messageText,
  /** The template of `message`, if it was logged with parameters. */
  template: v.optional(templateSchema),
  level: v.optional(shortText),
  frames,
  /** As in `ReportedError`. */
  isGroup: v.optional(flag),
  /** The stack as text, if it was sent as text. */
  stack: v.optional(text(limits.maxStackChars * SCRUB_GROWTH)),
  componentStack: v.optional(text(limits.maxComponentStackChars * SCRUB_GROWTH)),
  /** Causes and members of the error, outermost first, without the error itself. */
  causes: v.optional(list(causeSchema, limits.maxCauses)),
  request: v.optional(requestSchema),
  response: v.optional(responseSchema),
  release: v.optional(shortText),
  environment: v.optional(shortText),
  traceId: v.optional(shortText),
  /**
   * The trace of the page that Errata rendered last for this visitor, from the correlation cookie.
   */
  pageTraceId: v.optional(shortText),
  rayId: v.optional(shortText),
  tags: v.optional(pairs(limits.maxStringChars * SCRUB_GROWTH, limits.maxTags)),
  breadcrumbs: v.optional(list(breadcrumbSchema, limits.maxBreadcrumbs)),
  /**
   * Data of the format beyond these fields: the body of a CSP report, the contexts of a Sentry
   * event.
   */
  detail: v.optional(detail),
  attachments: v.optional(list(attachmentSchema, limits.maxItems)),
  /**
   * Foreign codes that lead to this report's issue, such as a Next.js digest. Normalized by
   * `alias.ts`.
   */
  aliases: v.optional(aliasList),
  /**
   * Explicit grouping instead of type and message: a Sentry fingerprint; the directive, blocked
   * origin and source of a CSP report.
   */
  fingerprint: v.optional(shortTexts),
  /** The blocked resource: a URL, or `inline`, `eval`, `data`. */
  blockedUri: v.optional(shortText),
  /** Names of the parts that were truncated: `message`, `frames`. */
  truncated: v.optional(shortTexts),
});

/** A report as it is stored and shown. */
export interface Report extends StoredValue<typeof reportSchema> {
  /** The id that a retry may have instead. Only the log uses it; it is not stored. */
  readonly retryId?: ReportId;
}

/** The members that a report gets when it is processed. */
type ProcessedMember =
  | ("v" | "id" | "eventId" | "digest" | "isLinked" | "trust" | "grouping" | "noise")
  | ("userSketch" | "networkSketch" | "senderKey" | "retryId")
  | ("occurredAtMs" | "receivedAtMs" | "scrubbedCount");

/**
 * A report as a format parsed it, before it has an id, a time and a digest and before scrubbing.
 * Optional members are absent, never null.
 */
export interface ParsedReport extends Omit<Report, ProcessedMember> {
  /** The sender's id, normalized to 32 hex characters. */
  readonly id?: ReportId;
  /** Equal for a report and its retry, when the sender has no id. Ingest derives the id from it. */
  readonly dedupeKey?: string;
  /**
   * Like `dedupeKey`, but combined with the sender and the approximate time, because the clock of a
   * retry differs slightly.
   */
  readonly fuzzyDedupeKey?: string;
  /** The sender's clock. Ingest uses it when it is plausible. */
  readonly occurredAtMs?: number;
  /** The affected user as the sender identifies them. Only a sketch of it is stored. */
  readonly userKey?: string;
  /** The whole policy of a CSP report, without page tokens. */
  readonly originalPolicy?: string;
  /** The report that a comment is about. The comment belongs to that report's issue. */
  readonly aboutEventId?: ReportId;
  /**
   * The issue to link to, regardless of the report's own grouping: the sender was shown its digest,
   * or the report is about one of its events.
   */
  readonly linkedDigest?: Digest;
  /**
   * The server that threw the error has reported it: this report of its caller is linked, even to
   * the issue of its own grouping.
   */
  readonly isCarried?: boolean;
  /** The sender's digest is a signal of a framework. Ingest drops such errors and messages. */
  readonly hasControlFlowDigest?: boolean;
}
