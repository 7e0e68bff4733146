/**
 * Parses the upload of a crashed process: a form of Crashpad, Breakpad or the native SDK with a
 * minidump, or a bare minidump. The dump is kept as an attachment of an event. The event is in the
 * fields `sentry` (JSON), `sentry__1`, `sentry__2` (parts of JSON), `sentry[release]` (one member),
 * or in the files of the native SDK (MessagePack). Other fields become extra data.
 * Source: Sentry docs › Native › Minidumps; relay-server endpoints/minidump.rs, utils/multipart.rs.
 */
import { asArray, asRecord, type JsonFields, parseHexId } from "../../core/decode/as-type.ts";
import { decodeText, parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok } from "../../core/result.ts";
import { type IngestFormat, type ParsedItem, toDroppedItem } from "../format/ingest-format.ts";
import type { EnvelopeItem } from "../sentry/envelope.ts";
import { attachFiles } from "../sentry/sentry-attachments.ts";
import { parseSentryEvent } from "../sentry/sentry-event.ts";
import { decodeMsgpack } from "./msgpack.ts";

const DUMP_PART = "upload_file_minidump";
const EVENT_FILE = "__sentry-event";
const BREADCRUMB_FILE = /^__sentry-breadcrumb\d$/;

/** The upload of a crashed process: a form, or the minidump alone. */
export const minidump: IngestFormat = {
  name: "minidump",
  expects: "a minidump",
  reportFormat: "sentry",
  items: ["event", "attachment"],
  paths: { minidump: "/api/:project/minidump/:key" },
  detectBytes: (bytes) => isDump(bytes) || (bytes[0] === 0x2d && bytes[1] === 0x2d),
  parsesBeginning: true,
  parse({ bytes, isCut }) {
    const items = parseMinidumpUpload(bytes, isCut);
    return items ? ok({ items }) : fail({ reason: "framing", expected: "a form with a minidump" });
  },
  // Crashpad keeps the body as the id of the upload: a UUID.
  respond: ({ id = "" }) => ({
    status: 200,
    body: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    headers: { "Content-Type": "text/plain" },
  }),
};

/** The items of an upload: the event, then its files. Undefined if the body is not an upload. */
export function parseMinidumpUpload(
  bytes: Uint8Array,
  isCut = false,
): readonly ParsedItem[] | undefined {
  const dump = { name: DUMP_PART, content: bytes, isCut };
  const parts = isDump(bytes) ? [dump] : parseMultipart(bytes);
  if (parts === undefined) return undefined;
  const files = parts.filter(isAttachedFile).map(toAttachment);
  const fields = createEvent(parts);
  const hasMinidump = files.some(({ header }) => header.attachment_type !== undefined);
  const event = parseSentryEvent(
    hasMinidump ? { platform: "native", level: "fatal", ...fields } : fields,
    parseHexId(fields.event_id),
    { hasMinidump },
  );
  return [
    attachFiles(event, files),
    ...files.map(
      (_, n): ParsedItem =>
        n < limits.maxAttachments
          ? { partOf: 0, item: "attachment" }
          : toDroppedItem("attachment", "over-count"),
    ),
  ];
}

/** `MDMP`. */
function isDump(bytes: Uint8Array): boolean {
  return bytes[0] === 0x4d && bytes[1] === 0x44 && bytes[2] === 0x4d && bytes[3] === 0x50;
}

function isAttachedFile({ name, filename = "" }: FormPart): boolean {
  if (name === DUMP_PART) return true;
  return filename !== "" && name !== EVENT_FILE && !BREADCRUMB_FILE.test(name);
}

function toAttachment({ name, filename, type, content, isCut }: FormPart): EnvelopeItem {
  return {
    header: {
      filename: filename || undefined,
      content_type: type,
      attachment_type: name === DUMP_PART ? "event.minidump" : undefined,
    },
    payload: content,
    ...(isCut && { cutBytes: content.length }),
  };
}

/** The event that the fields and files describe. */
function createEvent(parts: readonly FormPart[]): JsonFields {
  let event: JsonFields = {};
  const extra: Record<string, string> = {};
  const chunks: (readonly [number: number, text: string])[] = [];
  let breadcrumbs: readonly unknown[] = [];
  for (const { name, filename, content } of parts) {
    if (name === EVENT_FILE) event = { ...event, ...asRecord(decodeMsgpack(content)) };
    else if (BREADCRUMB_FILE.test(name))
      breadcrumbs = breadcrumbs.concat(readBreadcrumbs(content).slice(-limits.maxBreadcrumbs));
    else if (filename !== undefined || name === DUMP_PART) continue;
    else if (name === "sentry") event = { ...event, ...parseFields(content) };
    else {
      const chunk = /^sentry__(\d{1,3})$/.exec(name)?.[1];
      const path = /^sentry((?:\[[^[\]]{1,200}\]){1,8})$/.exec(name)?.[1];
      const text = decodeText(content.subarray(0, limits.maxItemBytes));
      if (chunk !== undefined) chunks.push([Number(chunk), text]);
      else if (path !== undefined) event = setMember(event, path.slice(1, -1).split("]["), text);
      else extra[name] = text;
    }
  }
  const json = chunks.toSorted(([a], [b]) => a - b).map(([, text]) => text);
  const fields = { ...event, ...parseFields(new TextEncoder().encode(json.join(""))) };
  return {
    ...fields,
    breadcrumbs: breadcrumbs.length === 0 ? fields.breadcrumbs : breadcrumbs,
    extra: Object.keys(extra).length === 0 ? fields.extra : { ...extra, ...asRecord(fields.extra) },
  };
}

function parseFields(bytes: Uint8Array): JsonFields {
  const json = parseJson(bytes, limits.maxItemBytes);
  return (json.ok && asRecord(json.value)) || {};
}

/** A list, or one breadcrumb after another. */
function readBreadcrumbs(content: Uint8Array): readonly unknown[] {
  const value = decodeMsgpack(content);
  return asArray(value) ?? [value];
}

/** A copy with the member at a path. */
function setMember(fields: JsonFields, [name = "", ...rest]: string[], text: string): JsonFields {
  if (name === "__proto__") return fields;
  const value = rest.length === 0 ? text : setMember(asRecord(fields[name]) ?? {}, rest, text);
  return { ...fields, [name]: value };
}

/** One field or file. `content` is a view of the body's bytes, not a copy. */
interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: Uint8Array;
  /** The end of the part is missing. */
  readonly isCut: boolean;
}

const CR = 0x0d;
const LF = 0x0a;
const BOUNDARY_LINE = /^--[!-~ ]{1,70}\r?$/;

/**
 * Parses a form with files, on bytes: the first `limits.maxItems` parts with a name. Undefined if
 * the bytes do not begin like a form. Linear in the body. Source: RFC 7578; RFC 2046 § 5.1.1.
 *
 *     --boundary
 *     Content-Disposition: form-data; name="upload_file_minidump"; filename="a.dmp"
 *     Content-Type: application/octet-stream
 *
 *     MDMP…
 *     --boundary--
 */
export function parseMultipart(bytes: Uint8Array): readonly FormPart[] | undefined {
  const lineEnd = bytes.subarray(0, 80).indexOf(LF);
  const line = lineEnd < 0 ? "" : decodeText(bytes.subarray(0, lineEnd));
  if (!BOUNDARY_LINE.test(line)) return undefined;
  const boundary = new TextEncoder().encode(`\r\n${line.trimEnd()}`);
  const parts: FormPart[] = [];
  let start = lineEnd + 1;
  while (start < bytes.length && parts.length < limits.maxItems) {
    const found = findSequence(bytes, boundary, start);
    const end = found < 0 ? bytes.length : found;
    const part = parsePart(bytes.subarray(start, end), found < 0);
    if (part !== undefined) parts.push(part);
    // After the boundary is a line end, or "--" after the last part.
    start = end + boundary.length + 2;
    if (bytes[start - 2] !== CR) break;
  }
  return parts;
}

function parsePart(bytes: Uint8Array, isCut: boolean): FormPart | undefined {
  const blank = new Uint8Array([CR, LF, CR, LF]);
  const headerEnd = findSequence(bytes.subarray(0, limits.maxHeaderBytes), blank, 0);
  if (headerEnd < 0) return undefined;
  const header = decodeText(bytes.subarray(0, headerEnd));
  const disposition = /^content-disposition:(.{1,2000})$/im.exec(header)?.[1] ?? "";
  const type = /^content-type:\s{0,9}(\S[^\r\n]{0,200})/im.exec(header)?.[1];
  const name = readParameter(disposition, "name");
  const filename = readParameter(disposition, "filename");
  if (name === undefined) return undefined;
  return { name, filename, type, content: bytes.subarray(headerEnd + blank.length), isCut };
}

/** `a.dmp` for `form-data; filename="a.dmp"`. */
function readParameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`;\\s{0,9}${name}=(?:"([^"]{0,500})"|([^\\s;"]{1,500}))`, "i").exec(
    disposition,
  );
  return match?.[1] ?? match?.[2];
}

/** The index of a sequence that begins with a carriage return; -1 if there is none. */
function findSequence(bytes: Uint8Array, sequence: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1))
    if (sequence.every((byte, n) => bytes[at + n] === byte)) return at;
  return -1;
}
