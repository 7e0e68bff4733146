/** Finds a setup whose uploads match nothing: the team believes that its stacks are readable. */
import type { SourceMapSummary } from "../ports/source-maps-port.ts";

const DAY_MS = 86_400_000;

/**
 * When the first upload was made, if no frame was resolved by any upload within a day of it;
 * undefined otherwise.
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
