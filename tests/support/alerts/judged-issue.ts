/** An issue whose reports are judged by rules, with the histories that an index would store. */
import type { DueAlert } from "#src/core/alerts/due-alert.ts";
import { judgeIssue, parseRule } from "#src/core/alerts/judging/judge-issue.ts";
import { matchesQuery } from "#src/core/alerts/judging/match-query.ts";
import {
  NO_PUBLIC_ALERTS,
  type PublicAlerts,
  takePublicAlert,
} from "#src/core/alerts/judging/public-alerts.ts";
import { type AlertRule, DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { AlertHistory } from "#src/core/alerts/triggers/alert-history.ts";
import type { MatchedCounts } from "#src/core/alerts/triggers/judged-counts.ts";
import type { IssueChange } from "#src/core/alerts/triggers/trigger.ts";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import {
  createDecision,
  type DecisionInput,
  reopenForTrust,
  toDecisionFields,
} from "#src/core/issue/decision.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { applyRegression } from "#src/core/issue/regression.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import { toFacetValues } from "#src/store/index/tables/facet-values.ts";
import { createReport } from "#support/reports/reports.ts";

export const START_MS = Date.UTC(2026, 10, 21, 12, 30);

/** A report of a batch; `times` repeats it, each time by another user. */
export type Batched = Partial<ReportSummary> & { readonly times?: number };

export class JudgedIssue {
  issue: Issue | null = null;
  nowMs = START_MS;
  publicAlerts: PublicAlerts = NO_PUBLIC_ALERTS;
  readonly #rules: readonly AlertRule[];
  readonly #histories = new Map<string, AlertHistory>();
  readonly #matched = new Map<string, MatchedCounts>();
  #reports = 0;

  /** Each rule has the members of the default rule that it does not state. */
  constructor(...rules: readonly Partial<AlertRule>[]) {
    this.#rules = rules.map((rule, n) => ({ ...DEFAULT_RULE, id: `r${n}`, ...rule }));
  }

  decide(input: DecisionInput): void {
    if (this.issue === null) throw new Error("no issue");
    const decision = createDecision(input, this.issue, this.nowMs);
    this.issue = {
      ...this.issue,
      ...toDecisionFields(this.issue, decision, this.nowMs),
      asOfMs: this.nowMs,
    };
  }

  /** The alerts that a batch makes due: `new-issue+users server`. Held ones begin with `held`. */
  report(...batch: readonly Batched[]): readonly string[] {
    return this.judge(batch).map(({ held, trust, triggers }) =>
      [held === undefined ? "" : `held ${held} `, triggers.map(({ kind }) => kind).join("+")]
        .concat(` ${trust}`)
        .join(""),
    );
  }

  judge(batch: readonly Batched[], flags: Partial<IssueChange> = {}): readonly DueAlert[] {
    const reports = batch.flatMap(({ times = 1, ...over }) =>
      Array.from({ length: times }, () => this.#createReport(over)),
    );
    const before = this.issue;
    const after = reports.reduce((issue, one) => this.#apply(issue, one), before);
    if (after === null) return [];
    this.issue = after;
    const change: IssueChange = { before, after, isKnown: false, reports, ...flags };
    const { nowMs } = this;
    const rules = this.#rules.map((rule) => parseRule(rule, 0));
    const judged = judgeIssue(change, rules, {
      nowMs,
      getAlertHistory: (rule) => this.#histories.get(rule),
      getMatchedCounts: (rule) => this.#matched.get(rule),
      matches: (query, issue) => matchesQuery(query, issue, toFacetValues(issue), nowMs),
      takePublicAlert: (limit) => {
        const taken = takePublicAlert(this.publicAlerts, limit, nowMs);
        this.publicAlerts = taken ?? this.publicAlerts;
        return taken !== null;
      },
    });
    for (const [rule, history] of judged.histories) this.#histories.set(rule, history);
    for (const [rule, counts] of judged.matchedCounts) this.#matched.set(rule, counts);
    return judged.alerts;
  }

  #createReport(over: Partial<ReportSummary>): ReportSummary {
    this.#reports += 1;
    const user = (this.#reports % 256).toString(16).padStart(2, "0");
    const report = createReport(this.#reports, { occurredAtMs: this.nowMs });
    return { ...summarizeReport(report, ""), userSketch: `${user}1`, ...over };
  }

  #apply(before: Issue | null, report: ReportSummary): Issue {
    const issue = aggregateReport(before ?? undefined, report, this.nowMs);
    if (before?.decision === undefined) return issue;
    const regressed = applyRegression(before.decision, report, before.trust, () => undefined);
    const decision = reopenForTrust(regressed, before.trust, issue, this.nowMs);
    return { ...issue, ...toDecisionFields(issue, decision, this.nowMs) };
  }
}
