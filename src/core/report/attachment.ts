/** Attachments: which of them a page may display, and a report without their contents. */
import type { Report } from "../report.ts";

/** Pixel formats only. An SVG is a document and may contain scripts. */
const INLINE_IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

/** True for a media type that a page may display. */
export function isInlineImage(type: string | undefined): type is string {
  return type !== undefined && INLINE_IMAGE_TYPES.has(type);
}

/** The report with the names and sizes of its attachments only, for lists of reports. */
export function withoutAttachmentContents({ attachments, ...report }: Report): Report {
  if (attachments === undefined) return report;
  const withoutContents = attachments.map(({ text: _text, base64: _base64, ...file }) => file);
  return { ...report, attachments: withoutContents };
}
