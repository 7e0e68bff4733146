/**
 * Parses the framing of a Sentry envelope, on bytes: payloads can be binary, and lengths are in
 * bytes.
 *
 *     {"event_id":"…","sent_at":"…"}   envelope header, may be {}
 *     {"type":"event","length":41}     item header; `length` is optional
 *     {"message":"…", …}               payload: `length` bytes, else up to the next newline
 *     …                                more items; the last newline may be missing
 *
 * Only `\n` ends a line. Skips blank lines between items. Does not decode payloads.
 * Source: Sentry develop docs › Envelopes › Serialization Format, Items; relay-server
 * envelope/item.rs.
 */

import { asRecord, type JsonFields } from "../../core/decode/as-type.ts";
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { FormatFailure } from "../format/ingest-format.ts";

/** One item. `payload` is a view of the envelope's bytes, not a copy. */
export interface EnvelopeItem {
  readonly header: JsonFields;
  readonly payload: Uint8Array;
  /** The envelope was cut inside of the payload, which has this many bytes or more. */
  readonly cutBytes?: number;
}

/**
 * The parsed part. `framingError` states what was expected where the framing broke; the items
 * before it are valid.
 */
export interface Envelope {
  readonly header: JsonFields;
  readonly items: readonly EnvelopeItem[];
  readonly framingError?: string;
}

const LF = 0x0a;

/**
 * Parses the envelope in `bytes`; decodes the header unless `knownHeader` is given. `isCut` is true
 * if the bytes are only the beginning of the body. Fails without a header (`framing`) and above
 * `limits.maxItems` items (`too-many-items`).
 */
export function parseEnvelope(
  bytes: Uint8Array,
  knownHeader?: JsonFields,
  isCut = false,
): Result<Envelope, FormatFailure> {
  const headerEnd = findLineEnd(bytes, 0);
  const header = knownHeader ?? parseHeaderLine(bytes.subarray(0, headerEnd));
  if (header === undefined)
    return fail({ reason: "framing", expected: "a JSON object on the envelope's first line" });
  const items: EnvelopeItem[] = [];
  let at = headerEnd + 1;
  while (at < bytes.length) {
    if (bytes[at] === LF) {
      at += 1;
      continue;
    }
    if (items.length === limits.maxItems) {
      const expected = `at most ${limits.maxItems} items in an envelope`;
      return fail({ reason: "too-many-items", expected });
    }
    // The header of an item may be cut too.
    if (isCut && findLineEnd(bytes, at) === bytes.length) break;
    const item = parseEnvelopeItem(bytes, at, isCut);
    if (!item.ok) return ok({ header, items, framingError: item.expected });
    items.push(item.value.item);
    at = item.value.end;
  }
  return ok({ header, items });
}

/** The first of several lines, if it is a JSON object: the header, if the body is an envelope. */
export function parseFirstLine(bytes: Uint8Array): JsonFields | undefined {
  const end = findLineEnd(bytes, 0);
  return end === bytes.length ? undefined : parseHeaderLine(bytes.subarray(0, end));
}

/** The item at index `at`, and the index after its closing newline. */
function parseEnvelopeItem(
  bytes: Uint8Array,
  at: number,
  isCut: boolean,
): Result<{ item: EnvelopeItem; end: number }, { reason: "framing"; expected: string }> {
  const headerEnd = findLineEnd(bytes, at);
  const header = parseHeaderLine(bytes.subarray(at, headerEnd));
  if (header === undefined)
    return fail({ reason: "framing", expected: "a JSON object as the item's header" });
  const start = Math.min(headerEnd + 1, bytes.length);
  const length = header.length ?? findLineEnd(bytes, start) - start;
  if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0)
    return fail({ reason: "framing", expected: "a number of bytes as the item's length" });
  const end = start + length;
  // Without a length, a payload ends with its line. At the end of cut bytes, its length is unknown.
  if (isCut && end >= bytes.length && (end > bytes.length || header.length === undefined)) {
    const item = { header, payload: bytes.subarray(start), cutBytes: length };
    return ok({ item, end: bytes.length });
  }
  if (end > bytes.length)
    return fail({ reason: "framing", expected: "a payload as long as the item's length" });
  if (end < bytes.length && bytes[end] !== LF)
    return fail({ reason: "framing", expected: "a newline or the end after the item's payload" });
  return ok({ item: { header, payload: bytes.subarray(start, end) }, end: end + 1 });
}

/** A header line as JSON. Undefined if it is not an object or over `limits.maxHeaderBytes`. */
export function parseHeaderLine(line: Uint8Array): JsonFields | undefined {
  const json = parseJson(line, limits.maxHeaderBytes);
  return json.ok ? asRecord(json.value) : undefined;
}

/** The index of the newline that ends the line, or the end of the bytes. */
function findLineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end === -1 ? bytes.length : end;
}
