/**
 * Puts what members must be told personally into the outbox of alerts, in the transaction of the
 * change. Synchronous.
 */
import { listNotices } from "../../../core/alerts/notice.ts";
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { Digest } from "../../../core/report.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** Tells the members whom an entry of the activity concerns. True if there are any. */
export function tellMembers(
  { alerts, annotations, issues }: IndexTables,
  digest: Digest,
  entry: ActivityEntry,
  nowMs: number,
): boolean {
  const notices = listNotices(annotations.getOrEmpty(digest), entry);
  if (notices.length === 0) return false;
  const { trust } = issues.get(digest) ?? {};
  alerts.add(
    notices.map((notice) => ({
      // An alert sender of the release before takes it as an alert that was held back for no rule.
      ...{ atMs: nowMs, digest, trust, triggers: [], held: "no-rule" as const },
      notice,
    })),
    nowMs,
  );
  return true;
}

/** Tells the members whose issue has come back. True if there are any. */
export function tellRegression(tables: IndexTables, digest: Digest, nowMs: number): boolean {
  const { activity } = tables.annotations.getOrEmpty(digest);
  const entry = activity.findLast(({ action }) => action === "regressed");
  return entry !== undefined && tellMembers(tables, digest, entry, nowMs);
}
