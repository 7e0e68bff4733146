/** Files that came with a report: which of them a page may show, and a report without their contents. */
import type { Report } from "../report.ts";

/** Formats of pixels alone: an SVG is a document. */
const INLINE_IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

/** True for a media type that may be shown in a page. */
export function isInlineImage(type: string | undefined): type is string {
  return type !== undefined && INLINE_IMAGE_TYPES.has(type);
}

/** The same report with the names and sizes of its files alone: lists of reports are not the place for their bytes. */
export function withoutAttachmentContents({ attachments, ...report }: Report): Report {
  if (attachments === undefined) return report;
  const withoutContents = attachments.map(({ text: _text, base64: _base64, ...file }) => file);
  return { ...report, attachments: withoutContents };
}
