/**
 * Violations by directive: the blocked resource, its page, counts, and the verdict of a dry run.
 */
import { use } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import type { DryRun } from "../../core/csp/dry-run.ts";
import type { PolicyVerdict } from "../../core/csp/evaluate-policies.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { describePeriod } from "../../core/scope.ts";
import { COUNT_COLUMNS, IssueCountCells } from "../issues/issue-count-cells.tsx";
import { toHourNumber } from "../issues/sparkline.tsx";
import { StateBadge } from "../issues/state-badge.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize, pluralizeTotal } from "../parts/number.tsx";
import { useScope } from "../parts/scope-switch.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { type IngestAddress, toMonitoringUrl } from "../setup/integration.ts";
import { createPolicyHeaders } from "../setup/policy-headers.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { UNDECIDED_TEXTS, VERDICT_TEXTS } from "./verdict-text.ts";

/** The most frequent violations, and the number of all. */
export interface LoadedViolations {
  readonly issues: readonly IssueSummary[];
  readonly total: number;
  readonly isTotalCapped?: true;
}

interface ViolationTableProps {
  readonly violations: Promise<LoadedViolations>;
  readonly dryRun?: Promise<DryRun> | undefined;
  /** Where the project receives reports. */
  readonly address: Promise<IngestAddress>;
  readonly nowMs: number;
}

/** The table, or an empty state. */
export function ViolationTable({ violations, dryRun, address, nowMs }: ViolationTableProps) {
  const { period } = useScope();
  const loaded = use(violations);
  const { issues, total } = loaded;
  const verdicts = dryRun && use(dryRun).verdicts;
  if (issues.length === 0) return <NoViolations address={address} />;
  return (
    <>
      <p className="heading-note">
        {total > issues.length
          ? `${formatNumber(issues.length)} most frequent of ${pluralizeTotal(loaded, "violation")}`
          : pluralizeTotal(loaded, "violation")}
      </p>
      <table className="list-table violations">
        <caption className="visually-hidden">Violations by directive, most frequent first</caption>
        <thead>
          <tr>
            <th scope="col">Blocked</th>
            {verdicts && (
              <th scope="col" className="verdict">
                Verdict
              </th>
            )}
            <th scope="col" className="sparkline-cell">
              {describePeriod(period).label}
            </th>
            {COUNT_COLUMNS.map(({ sort, label, className }) => (
              <th key={sort} scope="col" className={`number ${className}`}>
                {label}
              </th>
            ))}
            <th scope="col" className="seen">
              Last seen
            </th>
          </tr>
        </thead>
        {groupByDirective(issues).map(([directive, groupIssues]) => (
          <tbody key={directive}>
            <tr className="directive">
              <th scope="rowgroup" colSpan={COUNT_COLUMNS.length + (verdicts ? 4 : 3)}>
                <bdi className="type">{abbreviate(directive, DIRECTIVE_CHARS)}</bdi>{" "}
                <span className="muted">{pluralize(sumCounts(groupIssues), "report")}</span>
              </th>
            </tr>
            {groupIssues.map((issue) => (
              <ViolationRow
                key={issue.digest}
                issue={issue}
                verdict={verdicts?.get(issue.digest)}
                nowMs={nowMs}
              />
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

const DIRECTIVE_CHARS = 64;
const BLOCKED_CHARS = 200;

function ViolationRow({
  issue,
  verdict,
  nowMs,
}: {
  issue: IssueSummary;
  verdict: PolicyVerdict | undefined;
  nowMs: number;
}) {
  const { base } = useDesk();
  const { period } = useScope();
  const state = getCurrentState(issue, nowMs);
  const isReportOnly = issue.message.startsWith("would block");
  return (
    <tr className="list-row violation" data-state={state}>
      <th scope="row" className="main-cell">
        <StateBadge state={state} isIconOnly />{" "}
        <a
          href={toProjectPath(base, toIssueUrl(issue.digest))}
          id={`issue-${issue.digest}`}
          title={formatBlocked(issue)}
          data-row-link=""
        >
          <bdi>{abbreviate(formatBlocked(issue), BLOCKED_CHARS)}</bdi>
        </a>
        <span className="row-context">
          <code>{issue.digest}</code>{" "}
          {isReportOnly && (
            <>
              <bdi>report only</bdi>{" "}
            </>
          )}
          {issue.route && <bdi>{abbreviate(issue.route, BLOCKED_CHARS)}</bdi>}
        </span>
      </th>
      {verdict && <VerdictCell verdict={verdict} />}
      <IssueCountCells issue={issue} period={period} hourNumber={toHourNumber(nowMs, period)} />
      <td className="seen">
        <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
      </td>
    </tr>
  );
}

function VerdictCell({ verdict }: { verdict: PolicyVerdict }) {
  return (
    <td className="verdict" data-verdict={verdict.verdict}>
      {VERDICT_TEXTS[verdict.verdict]}
      {verdict.verdict === "undecided" && (
        <span className="why"> {UNDECIDED_TEXTS[verdict.reason]}</span>
      )}
    </td>
  );
}

/** The blocked resource, without the rest of the message. */
function formatBlocked({ message, type }: IssueSummary): string {
  return message.replace(/^(?:blocked|would block) /, "") || type;
}

function groupByDirective(
  issues: readonly IssueSummary[],
): readonly (readonly [string, readonly IssueSummary[]])[] {
  return [...Map.groupBy(issues, ({ type }) => type)].sort(
    ([, a], [, b]) => sumCounts(b) - sumCounts(a),
  );
}

function sumCounts(issues: readonly IssueSummary[]): number {
  return issues.reduce((sum, { count }) => sum + count, 0);
}

function NoViolations({ address }: Pick<ViolationTableProps, "address">) {
  const headers = createPolicyHeaders(toMonitoringUrl(use(address)));
  return (
    <div className="empty-state">
      <p className="empty-heading">No violations yet.</p>
      <p>
        Browsers send violations if the headers of a page name an endpoint. This policy reports
        violations without blocking anything:
      </p>
      <div className="snippet">
        <pre>{headers}</pre>
        <CopyButton text={headers} label="these headers" />
      </div>
    </div>
  );
}
