/**
 * Attachments of an envelope: files that belong to its event or feedback. They are kept with that report, up to a cap; what
 * does not fit is named with its size. What is text, by its bytes or by its type, is kept as text, so that secrets in it can be
 * removed.
 * Source: Sentry develop docs › Envelopes › Envelope Items › Attachment.
 */
import { cutText } from "../core/cut.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { Attachment } from "../core/report.ts";
import { textOf } from "./decode.ts";
import type { EnvelopeItem } from "./envelope.ts";

const MAX_NAME_CHARS = 200;
/** Types that are kept as text even where their bytes are not UTF-8. */
const TEXT_TYPE =
  /^\s*(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:javascript|ecmascript|ndjson|json-?lines|jsonl|json5|yaml|www-form-urlencoded))/i;

/**
 * The attachments in the order of their items. All of them together take at most `limits.maxAttachmentsBytes` as they are
 * stored.
 */
export function attachmentsOf(items: readonly EnvelopeItem[]): readonly Attachment[] {
  let room: number = limits.maxAttachmentsBytes;
  return items.map((item) => {
    const named = namedOnly(item);
    const content = item.payload.length > room ? {} : contentOf(item);
    const size = storedBytes(content);
    if (size > room) return named;
    room -= size;
    return { ...named, ...content };
  });
}

function namedOnly({ header, payload }: EnvelopeItem): Attachment {
  const type = textOf(header.content_type);
  return {
    name: cutText(textOf(header.filename) ?? "attachment", MAX_NAME_CHARS),
    ...present({ type: type && cutText(type, MAX_NAME_CHARS) }),
    bytes: payload.length,
  };
}

function contentOf({ header, payload }: EnvelopeItem): Pick<Attachment, "text" | "base64"> {
  const saysText = TEXT_TYPE.test(textOf(header.content_type) ?? "");
  const text = utf8Of(payload);
  // A file with NUL in it may be UTF-8 by chance alone.
  if (text !== undefined && (saysText || !payload.includes(0))) return { text };
  return saysText ? { text: decode(payload) } : { base64: base64Of(payload) };
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-16 where its mark says so, as Windows writes logs; else UTF-8 with replacement characters. */
function decode(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const encoding = isUtf16 ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding, { fatal: false, ignoreBOM: true }).decode(bytes);
}

const BYTES_AT_ONCE = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  }
  return btoa(binary);
}

/** As JSON holds it: a control character takes six bytes, base64 four for three. */
function storedBytes({ text, base64 }: Pick<Attachment, "text" | "base64">): number {
  return base64?.length ?? new TextEncoder().encode(JSON.stringify(text ?? "")).length;
}
