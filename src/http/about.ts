/**
 * The issue of the event that a person has written about. An SDK that is told of both at once sends both at once, so the
 * event may come a moment later than the words.
 */
import type { Desk } from "../core/ports.ts";
import type { Digest, ReportId } from "../core/report.ts";

/** Pauses between looks for the event. The sender waits meanwhile, behind the visitor's back. */
const PAUSES_MS = [100, 300, 600];

/**
 * The issue that the report with this id counts in; null when it did not come within a day, and does not come now. What is kept
 * apart as noise has no issue here: what a person says is no noise. Rejects while the log is away.
 */
export async function issueAbout(desk: Desk, id: ReportId): Promise<Digest | null> {
  let at = await desk.locateRecent(id);
  for (const pauseMs of PAUSES_MS) {
    if (at !== null) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    at = await desk.locateRecent(id);
  }
  if (at === null) return null;
  const issue = await desk.issueNow(at.digest);
  return issue?.noise === undefined ? at.digest : null;
}
