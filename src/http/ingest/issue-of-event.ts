/**
 * Finds the issues of the events that user feedback refers to. SDKs send both at once, so an event
 * may arrive a moment later.
 */

import type { Digest, ReportId } from "../../core/report.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";

/** Delays between attempts. The sender waits in the background of the page. */
const RETRY_DELAYS_MS = [100, 300, 600];

/** The issues of the events that are known. Never rejects. */
export async function findIssuesOfEvents(
  projectStore: ProjectStore,
  eventIds: readonly ReportId[],
): Promise<ReadonlyMap<ReportId, Digest>> {
  const digests = new Map<ReportId, Digest>();
  await Promise.all(
    eventIds.map(async (id) => {
      const digest = await findIssueOfEvent(projectStore, id).catch(() => null);
      if (digest !== null) digests.set(id, digest);
    }),
  );
  return digests;
}

/**
 * The issue of the report with this id; null if it did not arrive within a day and does not arrive
 * now. Noise has no issue here: feedback is not noise. Rejects while the log is unavailable.
 */
async function findIssueOfEvent(projectStore: ProjectStore, id: ReportId): Promise<Digest | null> {
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
