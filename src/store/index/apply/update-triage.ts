/** The decision and the assignee of an issue after a report, which may regress or reopen it. */
import { reopenForTrust, toDecisionFields } from "../../../core/issue/decision.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import { applyRegression } from "../../../core/issue/regression.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { ReportBatch } from "./report-batch.ts";

/** An issue that expired and returns gets its decision and assignee back. */
export function updateTriage(
  tables: IndexTables,
  batch: ReportBatch,
  before: Issue | undefined,
  report: ReportSummary,
  issue: Issue,
): Partial<Issue> {
  const { digest } = issue;
  const decision = before === undefined ? tables.decisions.get(digest) : before.decision;
  // A report in a release with the fix regresses the issue, also if it is of a higher level.
  const current =
    decision && regress(tables, batch, decision, report, before?.trust ?? issue.trust);
  const next = current && reopen(tables, batch, current, before, issue);
  const { assignee } = before ?? tables.annotations.getOrEmpty(digest);
  return { ...toDecisionFields(issue, next, batch.nowMs), assignee };
}

function reopen(
  { decisions, annotations }: IndexTables,
  batch: ReportBatch,
  decision: Decision,
  before: Issue | undefined,
  issue: Issue,
): Decision {
  const { digest } = issue;
  const next = reopenForTrust(decision, before?.trust ?? "public", issue, batch.nowMs);
  if (next === decision) return decision;
  decisions.save(digest, next);
  batch.decisions.add(digest);
  annotations.addActivity(digest, { atMs: batch.nowMs, action: "trusted" });
  return next;
}

function regress(
  { decisions, annotations, releases }: IndexTables,
  batch: ReportBatch,
  decision: Decision,
  report: ReportSummary,
  trust: Trust,
): Decision {
  const getFirstSeenMs = (release: string) => releases.getFirstSeenMs(release, report.trust);
  const next = applyRegression(decision, report, trust, getFirstSeenMs);
  if (next === decision) return decision;
  decisions.save(report.digest, next);
  batch.decisions.add(report.digest);
  // It only counts one network more.
  if (next.state === decision.state) return next;
  const { regressedAtMs: atMs = batch.nowMs, regressedInRelease: release } = next;
  const activity = { atMs, action: "regressed", release } as const;
  annotations.addActivity(report.digest, activity);
  return next;
}
