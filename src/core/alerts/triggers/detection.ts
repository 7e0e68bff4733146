/** What the detection of several triggers shares. Pure. */
import type { ReportSummary } from "../../report/report-summary.ts";
import { isAtLeast, maxTrust, TRUST_LEVELS, type Trust } from "../../trust/trust.ts";
import { getLevelHistory, type LevelHistory } from "./alert-history.ts";
import type { DetectedAlert, JudgedChange } from "./trigger.ts";

/** An issue that is this many times worse than its last alert stated alerts again at any time. */
export const WORSE_FACTOR = 10;

/** The highest trust level of reports; undefined for no report. */
export function getHighest(reports: readonly ReportSummary[]): Trust | undefined {
  const levels = reports.map(({ trust }) => trust);
  return levels.length === 0 ? undefined : levels.reduce(maxTrust);
}

/** The reports that count: feedback and notices belong to another report. */
export function listCounted({ reports }: JudgedChange): readonly ReportSummary[] {
  return reports.filter(({ isLinked }) => !isLinked);
}

/** True if reports of this level do not fire the rule. */
export function isBelow(level: Trust, { minTrust }: Pick<JudgedChange, "minTrust">): boolean {
  return !isAtLeast(level, minTrust);
}

/** Judges the counts of each level, the highest first: lower ones are easier to send. */
export function detectGrowth(
  change: JudgedChange,
  detectAt: (level: Trust, history: LevelHistory) => Omit<DetectedAlert, "level"> | null,
): readonly DetectedAlert[] {
  const { reports, counts } = change;
  const highest = getHighest(reports);
  for (const level of TRUST_LEVELS) {
    const hasReports = highest !== undefined && isAtLeast(highest, level);
    if (!hasReports || isBelow(level, change) || !isAtLeast(counts.after.trust, level)) continue;
    const found = detectAt(level, getLevelHistory(change.getAlertHistory(), level));
    if (found !== null) return [{ ...found, level }];
  }
  return [];
}

/** True if a count is far above the one that the last alert stated; false without one. */
export function isFarWorse(value: number, stated: number): boolean {
  return stated > 0 && value >= WORSE_FACTOR * stated;
}
