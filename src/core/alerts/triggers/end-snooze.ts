/**
 * Ends a snooze by a report: the issue escalates, more users have it, or it occurs in a later
 * release. Escalation is judged as alerts judge it. Pure.
 */
import { getCurrentState } from "../../issue/decision.ts";
import type { Decision, Issue } from "../../issue/issue.ts";
import { compareReleases, type FirstSeenLookup } from "../../release/compare-releases.ts";
import type { ReportSummary } from "../../report/report-summary.ts";
import { isAtLeast, maxTrust } from "../../trust/trust.ts";
import { findEscalationSince } from "./escalating.ts";
import { countAt, countUsersAt } from "./judged-counts.ts";

/** The issue around a report. */
interface CountedReport {
  /** Undefined for a new issue. */
  readonly before: Issue | undefined;
  /** With the report, and without a new decision. */
  readonly after: Issue;
  readonly report: Pick<ReportSummary, "release" | "isLinked" | "trust">;
  readonly nowMs: number;
  readonly getFirstSeenMs: FirstSeenLookup;
}

/**
 * The decision after a report; the same object if the snooze continues, or if there is none. Only
 * reports of the issue's level, and of its level at the time of the decision, end it.
 */
export function endSnooze(decision: Decision, counted: CountedReport): Decision {
  const { after, report, nowMs } = counted;
  if (decision.state !== "snoozed" || report.isLinked) return decision;
  if (getCurrentState({ ...after, decision }, nowMs) !== "snoozed") return decision;
  if (!isAtLeast(report.trust, maxTrust(after.trust, decision.trust ?? "public"))) return decision;
  const end = findEnd(decision, counted);
  return end === undefined ? decision : { ...decision, endedAtMs: nowMs, ...end };
}

function findEnd(
  decision: Decision,
  { before, after, report: { release }, nowMs, getFirstSeenMs }: CountedReport,
): Partial<Decision> | undefined {
  const { trust = "public", untilUsers = Infinity, fromCount = 0, escalation } = decision;
  if (decision.untilNextRelease && isNextRelease(release, decision, getFirstSeenMs))
    return { endedBy: "release", endedInRelease: release };
  const users = untilUsers === Infinity ? 0 : countUsersAt(after, trust);
  if (users >= untilUsers) return { endedBy: "users", endedValue: users };
  if (!decision.untilEscalation) return undefined;
  const since = { count: fromCount, escalation };
  const found = findEscalationSince(after, since, countAt(before, after.trust), nowMs);
  return found === null
    ? undefined
    : { endedBy: "escalation", endedValue: found.value, endedUsual: found.usual };
}

/** First seen after the decision, so that no old client ends it, and later than the present one. */
function isNextRelease(
  release: string | undefined,
  { atMs, afterRelease }: Decision,
  getFirstSeenMs: FirstSeenLookup,
): boolean {
  if (release === undefined) return false;
  if ((getFirstSeenMs(release) ?? Number.POSITIVE_INFINITY) <= atMs) return false;
  return afterRelease === undefined || compareReleases(release, afterRelease, getFirstSeenMs) > 0;
}
