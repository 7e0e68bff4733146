/**
 * Finds the issue of the event that user feedback refers to. SDKs send both at once, so the event
 * may arrive a moment later.
 */

import type { Digest, ReportId } from "../../core/report.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";

/** Delays between attempts. The sender waits in the background of the page. */
const RETRY_DELAYS_MS = [100, 300, 600];

/**
 * The issue of the report with this id; null if it did not arrive within a day and does not arrive
 * now. Noise has no issue here: feedback is not noise. Rejects while the log is unavailable.
 */
export async function findIssueOfEvent(
  projectStore: ProjectStore,
  id: ReportId,
): Promise<Digest | null> {
  let location = await projectStore.locateRecentReport(id);
  for (const pauseMs of RETRY_DELAYS_MS) {
    if (location !== null) break;
    await scheduler.wait(pauseMs);
    location = await projectStore.locateRecentReport(id);
  }
  if (location === null) return null;
  const issue = await projectStore.getFreshIssue(location.digest);
  return issue?.noise === undefined ? location.digest : null;
}
