/**
 * States how the map of a frame was found, if not by its debug id, and every doubt about it. Pages
 * and Markdown use the same words. Pure.
 */
import { truncateText } from "../../truncate.ts";
import type { FrameResolution, MatchMarks } from "../resolution.ts";

const HOST_CHARS = 80;
const DIST_CHARS = 40;
const SHORT_ID_CHARS = 8;

/** `by release and URL`, as part of a sentence. */
export const METHOD_TEXTS: Readonly<Record<MatchMarks["matchedBy"], string>> = {
  "debug-id": "by its debug id",
  release: "by release and URL",
  name: "by file name",
};

/**
 * `matched by release and URL, uploaded for dist 7, upload 0fb48a08`. Undefined for a frame that is
 * not resolved, or by its debug id.
 */
export function describeMatch(resolution: FrameResolution | undefined): string | undefined {
  if (resolution?.kind !== "resolved" || resolution.matchedBy === "debug-id") return undefined;
  const { matchedBy, upload } = resolution;
  const parts = [`matched ${METHOD_TEXTS[matchedBy]}`, ...listDoubts(resolution)];
  if (upload !== undefined) parts.push(`upload ${upload.slice(0, SHORT_ID_CHARS)}`);
  return parts.join(", ");
}

/** Why the map may be another build's: `uploaded without a dist`. */
export function listDoubts(marks: MatchMarks): readonly string[] {
  const { builds, otherDist, unknownDebugId, otherHost } = marks;
  const doubts: string[] = [];
  if (builds !== undefined) doubts.push(`one of ${builds} builds by the time of the error`);
  if (otherDist !== undefined)
    doubts.push(
      otherDist === ""
        ? "uploaded without a dist"
        : `uploaded for dist ${truncateText(otherDist, DIST_CHARS)}`,
    );
  if (unknownDebugId !== undefined)
    doubts.push(`no upload has its debug id ${unknownDebugId.slice(0, SHORT_ID_CHARS)}…`);
  if (otherHost !== undefined)
    doubts.push(`uploaded for any host, served by ${truncateText(otherHost, HOST_CHARS)}`);
  return doubts;
}
