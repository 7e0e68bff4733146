/**
 * The text in which a search looks for words of an issue. It comes from the first report.
 */

import type { Report } from "../report.ts";
import { truncateText } from "../truncate.ts";

const MAX_SEARCH_TEXT_CHARS = 4_000;
const MAX_FRAMES = 12;

/**
 * Type, message, frames, causes, request and tags as one text. Includes frames of libraries only if
 * there are no others, because they do not distinguish errors.
 */
export function toSearchText(report: Report): string {
  const { type, typeModule, message, request, release, causes = [], tags = [] } = report;
  const ownFrames = report.frames.filter(({ inApp }) => inApp);
  const frames = (ownFrames.length > 0 ? ownFrames : report.frames)
    .slice(0, MAX_FRAMES)
    .flatMap((frame) => [frame.function, frame.module, frame.file, frame.package]);
  const parts = [
    type,
    typeModule,
    message,
    request?.route,
    request?.url,
    release,
    report.blockedUri,
    ...frames,
    ...causes.flatMap((cause) => [cause.type, cause.typeModule, cause.message]),
    ...tags.flat(),
  ];
  const different = new Set(parts.filter((part) => part !== undefined));
  return truncateText([...different].join("\n"), MAX_SEARCH_TEXT_CHARS);
}
