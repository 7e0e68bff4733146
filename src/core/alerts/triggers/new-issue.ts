/** A new issue, and a new kind of CSP violation: the first report at its level. Pure. */
import { isAtLeast } from "../../trust/trust.ts";
import { getLastAlertMs, getLevelHistory } from "./alert-history.ts";
import { getHighest, isBelow, listCounted } from "./detection.ts";
import { hadMatchingValues } from "./report-filters.ts";
import { type DetectedAlert, defineIssueTrigger, type JudgedChange } from "./trigger.ts";

export const newIssue = defineIssueTrigger({
  kind: "new-issue",
  label: "A new issue",
  params: {},
  title: () => "New issue",
  shortTitle: "New",
  sentence: () => "The issue occurred for the first time.",
  isSentenceOptional: true,
  webhookEvent: "issue.new",
  says: "new",
  badge: "New",
  isCommon: true,
  isOnce: true,
  detect: (change, _, key) => detectNew(change, key),
});

export const cspViolation = defineIssueTrigger({
  kind: "csp-violation",
  label: "A new kind of CSP violation",
  params: {},
  title: () => "New CSP violation",
  sentence: () => "This is the first violation of its kind.",
  isSentenceOptional: true,
  webhookEvent: "issue.csp_violation",
  says: "new",
  isCommon: true,
  detect: (change, _, key) => (change.after.kind === "csp" ? detectNew(change, key) : []),
});

/**
 * The level at which the issue is new: its first occurrence, or the first one of a higher level.
 * With filters on reports, the first occurrence that meets them.
 */
function detectNew(change: JudgedChange, key: string): readonly DetectedAlert[] {
  const { before, after, isKnown, reportFilters } = change;
  if (after.count === 0 || isKnown) return [];
  const level = getHighest(listCounted(change));
  if (level === undefined || isBelow(level, change)) return [];
  const found = [{ figures: {}, level }];
  if (before === null || before.count === 0 || change.isEmerging === true) return found;
  const isRise = !isAtLeast(before.trust, level);
  if (reportFilters.length === 0) return isRise ? found : [];
  if (getLastAlertMs(getLevelHistory(change.getAlertHistory(), level), key) > 0) return [];
  // The history has every alert about an issue that is younger than the rule.
  const hasHistory = before.firstSeenMs >= change.ruleSinceMs;
  return isRise || hasHistory || !hadMatchingValues(reportFilters, before) ? found : [];
}
