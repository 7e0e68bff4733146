/**
 * Attachments of an envelope: files of its event or feedback. They are stored with that report, up
 * to a limit; larger ones only with name and size. Text, detected by bytes or type, is stored as
 * text, so that it can be scrubbed.
 * Source: Sentry develop docs › Envelopes › Envelope Items › Attachment.
 */

import { asText } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Attachment } from "../../core/report.ts";
import { truncateText } from "../../core/truncate.ts";
import type { ParsedItem } from "../format/ingest-format.ts";
import type { EnvelopeItem } from "./envelope.ts";

const MAX_NAME_CHARS = 200;
/** Types stored as text even if their bytes are not UTF-8. */
const TEXT_TYPE =
  /^\s*(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:javascript|ecmascript|ndjson|json-?lines|jsonl|json5|yaml|www-form-urlencoded))/i;

/** An item with a dump of a crashed process. */
function isMinidump({ header }: EnvelopeItem): boolean {
  return header.attachment_type === MINIDUMP;
}

/** True for a crash report, which says something without an event. */
export function isCrashReport(item: EnvelopeItem): boolean {
  return isMinidump(item) || item.header.attachment_type === APPLE_CRASH_REPORT;
}

const MINIDUMP = "event.minidump";
const APPLE_CRASH_REPORT = "event.applecrashreport";

/** The item with these files, if it is a report. `truncated` states that contents are lost. */
export function attachFiles(item: ParsedItem, files: readonly EnvelopeItem[]): ParsedItem {
  if (!("report" in item) || files.length === 0) return item;
  const attachments = createAttachments(files);
  const isLost = attachments.some(({ notKept }) => notKept !== undefined);
  const truncated = [...(item.report.truncated ?? []), ...(isLost ? ["attachments"] : [])];
  const report = { ...item.report, attachments, ...(truncated.length > 0 && { truncated }) };
  return { ...item, report };
}

/**
 * The attachments in order. Together they take at most `limits.maxAttachmentsBytes` as stored, and
 * at most `limits.maxAttachments` have contents. Minidumps come before others.
 */
function createAttachments(items: readonly EnvelopeItem[]): readonly Attachment[] {
  let remainingBytes: number = limits.maxAttachmentsBytes;
  let remainingCount: number = limits.maxAttachments;
  const create = (item: EnvelopeItem): Attachment => {
    const attachment = createEmptyAttachment(item);
    if (remainingCount === 0) return { ...attachment, notKept: "over-count" };
    remainingCount -= 1;
    const isOver = item.cutBytes !== undefined || item.payload.length > remainingBytes;
    const content = isOver ? {} : decodeContent(item);
    const size = countStoredBytes(content);
    if (isOver || size > remainingBytes) return { ...attachment, notKept: "too-large" };
    remainingBytes -= size;
    return { ...attachment, ...content };
  };
  const dumps = new Map(items.filter(isCrashReport).map((item) => [item, create(item)]));
  return items.map((item) => dumps.get(item) ?? create(item));
}

function createEmptyAttachment(item: EnvelopeItem): Attachment {
  const { header, payload, cutBytes = payload.length } = item;
  const type = asText(header.content_type) ?? (isMinidump(item) ? "application/x-dmp" : undefined);
  const name = asText(header.filename) ?? (isMinidump(item) ? "minidump.dmp" : "attachment");
  return {
    name: truncateText(name, MAX_NAME_CHARS),
    type: type && truncateText(type, MAX_NAME_CHARS),
    bytes: cutBytes,
  };
}

function decodeContent({ header, payload }: EnvelopeItem): Pick<Attachment, "text" | "base64"> {
  const isTextType =
    header.attachment_type === APPLE_CRASH_REPORT ||
    TEXT_TYPE.test(asText(header.content_type) ?? "");
  const text = tryDecodeUtf8(payload);
  // A file that contains NUL is probably binary, even if it is valid UTF-8.
  if (text !== undefined && (isTextType || !payload.includes(0))) return { text };
  return isTextType ? { text: decodeLenient(payload) } : { base64: toBase64(payload) };
}

function tryDecodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * UTF-16 if there is a byte order mark, as in Windows logs; else UTF-8 with replacement characters.
 */
function decodeLenient(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const encoding = isUtf16 ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding, { fatal: false, ignoreBOM: true }).decode(bytes);
}

const BASE64_BLOCK_BYTES = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += BASE64_BLOCK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + BASE64_BLOCK_BYTES));
  return btoa(binary);
}

/** Size in JSON: a control character takes six bytes, base64 four for three. */
function countStoredBytes({ text, base64 }: Pick<Attachment, "text" | "base64">): number {
  return base64?.length ?? new TextEncoder().encode(JSON.stringify(text ?? "")).length;
}
