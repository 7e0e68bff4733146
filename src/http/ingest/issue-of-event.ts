/**
 * The issue of the event that a person has written about. An SDK that is told of both at once sends both at once, so the
 * event may come a moment later than the words.
 */
import type { ProjectStore } from "../../core/ports/storage-ports.ts";
import type { Digest, ReportId } from "../../core/report.ts";

/** Pauses between looks for the event. The sender waits meanwhile, behind the visitor's back. */
const RETRY_DELAYS_MS = [100, 300, 600];

/**
 * The issue that the report with this id counts in; null when it did not come within a day, and does not come now. What is kept
 * apart as noise has no issue here: what a person says is no noise. Rejects while the log is away.
 */
export async function findIssueOfEvent(
  projectStore: ProjectStore,
  id: ReportId,
): Promise<Digest | null> {
  let location = await projectStore.locateRecentReport(id);
  for (const pauseMs of RETRY_DELAYS_MS) {
    if (location !== null) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    location = await projectStore.locateRecentReport(id);
  }
  if (location === null) return null;
  const issue = await projectStore.getFreshIssue(location.digest);
  return issue?.noise === undefined ? location.digest : null;
}
