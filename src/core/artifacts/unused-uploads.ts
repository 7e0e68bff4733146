/** Finds setups whose uploads match no frame although the team may believe that they do. */

import type { SourceMapSummary } from "../ports/source-maps-port.ts";
import { DAY_MS } from "../utc-time.ts";

/**
 * When the first upload was made, if no upload resolved a frame within a day of it; undefined
 * otherwise.
 */
export function findUnusedUploads(
  { uploads }: Pick<SourceMapSummary, "uploads">,
  nowMs: number,
): number | undefined {
  if (uploads.length === 0 || uploads.some(({ lastUsedMs }) => lastUsedMs !== undefined))
    return undefined;
  const firstMs = Math.min(...uploads.map(({ uploadedMs }) => uploadedMs));
  return nowMs - firstMs >= DAY_MS ? firstMs : undefined;
}
