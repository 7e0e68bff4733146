/**
 * What a wire format declares, and the items that its parser returns. A new format is one
 * declaration and one line in `ingest/formats.ts`.
 */

import type { JsonFields } from "../../core/decode/as-type.ts";
import type { JsonFailure } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport, ReportId } from "../../core/report.ts";
import type { Result } from "../../core/result.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import type { DropReason, InvalidReason, Outcome } from "../../core/stats/outcome.ts";

/** A wire format. */
export interface IngestFormat {
  readonly name: string;
  /**
   * The body, for the sentence that a sender of another body gets: `a csp-report object`. Equal
   * texts occur once in it.
   */
  readonly expects?: string;
  /** The `format` of its reports; null if it has none. */
  readonly reportFormat: string | null;
  /**
   * Names of items. Senders without a server key can invent others, which are counted as "other".
   */
  readonly items: readonly string[];
  /**
   * Its own endpoints, by name: `/api/:project/store/:key`. A `:key` at the end may be missing. They
   * accept the other formats too, and `/monitoring` accepts all.
   */
  readonly paths?: Readonly<Record<string, string>>;
  /** Headers with an ingest key: the key itself, or in the syntax of `Authorization`. */
  readonly keyHeaders?: Readonly<Record<string, "key" | "authorization">>;
  /** True if the bytes have this format. Called before they are decoded as JSON. */
  readonly detectBytes?: (bytes: Uint8Array, firstLine: JsonFields | undefined) => boolean;
  /** True if a JSON object has this format. */
  readonly detect?: (fields: JsonFields) => boolean;
  /** A JSON array has this format. */
  readonly isList?: true;
  /**
   * The first member of a JSON object with thousands of items. Such an object may have
   * `limits.maxInflatedBytes`, because each of its items has a limit; others `limits.maxItemBytes`.
   */
  readonly batchMember?: string;
  /** Reports in the beginning of a body can be parsed. Requires `detectBytes`. */
  readonly parsesBeginning?: true;
  /** The items of a body of this format. Never throws. */
  readonly parse: (body: FormatBody) => Result<FormatItems, FormatFailure>;
  /** The response to a body without invalid items. */
  readonly respond: (result: IngestResult) => SenderResponse;
  /** The protocol of its endpoints, by content type, if they have one. */
  readonly selectProtocol?: (contentType: string) => EndpointProtocol;
}

/** A body to parse. */
export interface FormatBody {
  /** At most `limits.maxInflatedBytes`. */
  readonly bytes: Uint8Array;
  /** The JSON document or the decoded message; undefined if the bytes revealed the format. */
  readonly value?: unknown;
  /** The first of several lines, if it is a JSON object. */
  readonly firstLine?: JsonFields | undefined;
  /** When the body was received. */
  readonly nowMs: number;
  /** The bytes are only the beginning of the body. */
  readonly isCut: boolean;
}

/** The parsed contents of a body. */
export interface FormatItems {
  /** One per item, in order, invalid ones included. */
  readonly items: readonly ParsedItem[];
  /** The event id that the response repeats. */
  readonly id?: ReportId | undefined;
  /** The page token in the body, not verified. */
  readonly pageToken?: string | undefined;
}

/**
 * Why nothing of a body could be parsed. `expected` is for the sender and quotes nothing of the
 * body.
 */
export type FormatFailure =
  | JsonFailure
  | { readonly reason: "framing"; readonly expected: string }
  | { readonly reason: "too-many-items"; readonly expected: string };

/** What became of a body. */
export interface IngestResult {
  /** One per item, in order. */
  readonly outcomes: readonly Outcome[];
  /** The id of the event, or of the first report. */
  readonly id?: ReportId | undefined;
}

/** A response to a sender, without the headers that all responses have. */
export interface SenderResponse {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the requests of an endpoint are encoded and answered, whatever the format of the body. */
export interface EndpointProtocol {
  /** Decodes a body that is not JSON. Without it, the format is detected. */
  readonly decode?: ((bytes: Uint8Array) => Result<unknown, FormatFailure>) | undefined;
  /** The response to a parsed body. */
  readonly respond: (result: IngestResult) => SenderResponse;
  /** The response to a failed request; `detail` is for a person. */
  readonly fail: (status: number, detail: string) => SenderResponse;
}

/** A response with JSON. */
export function toJsonResponse(
  value: object,
  status = 200,
  headers: SenderResponse["headers"] = {},
): SenderResponse {
  return {
    status,
    body: JSON.stringify(value),
    headers: { ...headers, "Content-Type": "application/json" },
  };
}

/** The response to browsers, which do not read one. */
export function respondWithoutBody(): SenderResponse {
  return { status: 204, body: null };
}

/** The response to senders that show the codes of their report: its id and digest, if it has. */
export function respondWithCodes({ outcomes }: IngestResult): SenderResponse {
  for (const outcome of outcomes) {
    if (!("id" in outcome) || outcome.id === undefined) continue;
    return toJsonResponse({ id: outcome.id, digest: outcome.digest }, 202);
  }
  return toJsonResponse({}, 202);
}

/** One parsed item: a report for ingest to process, a part of a report, or a final outcome. */
export type ParsedItem =
  | { readonly report: ParsedReport; readonly item: string }
  /**
   * An attachment. It shares the outcome of the item at index `partOf`, whose report contains it.
   */
  | { readonly partOf: number; readonly item: string }
  | (Exclude<Outcome, { outcome: "accepted" }> & {
      /** Counters of the item itself: sessions, or reports that an SDK discarded. */
      readonly counters?: readonly CounterDelta[];
    });

export function toReportItem(item: string, report: ParsedReport): ParsedItem {
  return { report, item };
}

/**
 * Parses up to `limits.maxReportsPerBatch` reports. Further items are dropped as `over-count`
 * without parsing. For formats that have thousands of items in a body.
 */
export function createBoundedParser(): (item: string, parse: () => ParsedReport) => ParsedItem {
  let remaining: number = limits.maxReportsPerBatch;
  return (item, parse) => {
    if (remaining === 0) return toDroppedItem(item, "over-count");
    remaining -= 1;
    return toReportItem(item, parse());
  };
}

/** An item that is counted but not stored, with its own counters. */
export function toCountedItem(item: string, counters: readonly CounterDelta[] = []): ParsedItem {
  return { outcome: "counted", item, ...(counters.length > 0 && { counters }) };
}

/** A valid item that is not stored. */
export function toDroppedItem(item: string, reason: DropReason): ParsedItem {
  return { outcome: "dropped", item, reason };
}

/**
 * An invalid item. `expected` states what was expected and where, and quotes nothing of the item.
 */
export function toInvalidItem(item: string, reason: InvalidReason, expected: string): ParsedItem {
  return { outcome: "invalid", item, reason, expected };
}

/** An item with unreadable JSON. Too much nesting is reported as `too-large`. */
export function toUnreadableItem(item: string, failure: JsonFailure): ParsedItem {
  const reason = failure.reason === "not-json" ? "not-json" : "too-large";
  return toInvalidItem(item, reason, `${item}: ${failure.expected}`);
}

/** The sender's name for an item if it is a plain word (`csp-violation`), else `unknown`. */
export function toItemName(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-z0-9_-]{0,39}$/i.test(value) ? value : "unknown";
}
