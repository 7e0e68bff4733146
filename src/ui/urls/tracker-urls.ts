/** URLs of trackers, relative to the origin. */
import type { Digest } from "../../core/report.ts";
import { toIssueUrl } from "./issue-urls.ts";

/** The connections of a project. */
export const TRACKER_SETTINGS_URL = "/settings/trackers";

/** Where a tracker sends its webhooks. */
export function toHookUrl(tracker: string): string {
  return `/hooks/${tracker}`;
}

/** The page on which an issue is linked to one of a tracker. */
export function toIssueTrackerUrl(digest: Digest): string {
  return `${toIssueUrl(digest)}/tracker`;
}
