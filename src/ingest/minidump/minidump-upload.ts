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
import { omitUndefined } from "../../core/omit-undefined.ts";
import { fail, ok } from "../../core/result.ts";
import { defineFormat, type ParsedItem, toDroppedItem } from "../format/ingest-format.ts";
import type { EnvelopeItem } from "../sentry/envelope.ts";
import { attachFiles } from "../sentry/sentry-attachments.ts";
import { parseSentryEvent } from "../sentry/sentry-event.ts";
import { decodeMsgpack } from "./msgpack.ts";
import { type FormPart, parseMultipart } from "./multipart.ts";

const DUMP_PART = "upload_file_minidump";
const EVENT_FILE = "__sentry-event";
const BREADCRUMB_FILE = /^__sentry-breadcrumb\d$/;

/** The upload of a crashed process: a form, or the minidump alone. */
export const minidump = defineFormat({
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
});

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
    header: omitUndefined({
      filename: filename || undefined,
      content_type: type,
      attachment_type: name === DUMP_PART ? "event.minidump" : undefined,
    }),
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
  return omitUndefined({
    ...fields,
    breadcrumbs: breadcrumbs.length === 0 ? fields.breadcrumbs : breadcrumbs,
    extra: Object.keys(extra).length === 0 ? fields.extra : { ...extra, ...asRecord(fields.extra) },
  });
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
