/** Violations by the directive that was violated, each with what it blocked, how often and where; and what a trial says of it. */
import { use } from "react";
import { stateOf } from "../../core/decision.ts";
import type { IssueSummary } from "../../core/issue.ts";
import type { Verdict } from "../../core/policy/judge.ts";
import type { Trial } from "../../core/policy/trial.ts";
import { CopyButton } from "../copy-button.tsx";
import { counted, Figure, figure } from "../figure.tsx";
import { issueUrl } from "../issue/issue-url.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { StateMark } from "../state-mark.tsx";
import { Time } from "../time.tsx";
import { UNKNOWN_WORDS, VERDICT_WORDS } from "./policy-words.ts";

/** The violations that are kept, the most frequent first, and how many there are. */
export interface Violations {
  readonly issues: readonly IssueSummary[];
  readonly total: number;
}

interface ViolationListProps {
  readonly violations: Promise<Violations>;
  readonly trial?: Promise<Trial> | undefined;
  readonly nowMs: number;
}

/** The table; a sentence where there is nothing. */
export function ViolationList({ violations, trial, nowMs }: ViolationListProps) {
  const { issues, total } = use(violations);
  const verdicts = trial && use(trial).verdicts;
  if (issues.length === 0) return <NoViolations />;
  return (
    <>
      <p className="beside-heading">
        {total > issues.length
          ? `the ${figure(issues.length)} most frequent of ${counted(total, "violation")}`
          : counted(total, "violation")}
      </p>
      <table className="violations" data-tried={verdicts && ""}>
        <caption className="unseen">Violations by directive, the most frequent first</caption>
        <thead>
          <tr>
            <th scope="col">Blocked</th>
            {verdicts && <th scope="col">With this policy</th>}
            <th scope="col">On</th>
            <th scope="col" className="number">
              Seen
            </th>
            <th scope="col" className="number">
              People
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        {byDirective(issues).map(([directive, those]) => (
          <tbody key={directive}>
            <tr className="directive">
              <th scope="rowgroup" colSpan={verdicts ? 6 : 5}>
                <bdi className="type">{headOf(directive, DIRECTIVE_CHARS)}</bdi>{" "}
                <span className="aside">{counted(sumOf(those), "report")}</span>
              </th>
            </tr>
            {those.map((issue) => (
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
  readonly issue: IssueSummary;
  readonly verdict: Verdict | undefined;
  readonly nowMs: number;
}) {
  const state = stateOf(issue, nowMs);
  const isReportOnly = issue.message.startsWith("would block");
  return (
    <tr className="violation">
      <th scope="row" className="what">
        {state !== "open" && <StateMark state={state} bare />}{" "}
        <A href={issueUrl(issue.digest)}>
          <bdi>{headOf(blockedName(issue), BLOCKED_CHARS)}</bdi>
        </A>
        {isReportOnly && <span className="aside"> report only</span>}
      </th>
      {verdict && (
        <td className="verdict" data-verdict={verdict.verdict}>
          {VERDICT_WORDS[verdict.verdict]}
          {verdict.verdict === "undecided" && (
            <span className="why"> {UNKNOWN_WORDS[verdict.why]}</span>
          )}
        </td>
      )}
      <td className="page">{issue.route && <bdi>{headOf(issue.route, BLOCKED_CHARS)}</bdi>}</td>
      <td className="number">
        <Figure count={issue.count} one="time" />
      </td>
      <td className="number">
        {issue.people !== undefined && <Figure count={issue.people} one="person" many="people" />}
      </td>
      <td className="last">
        <Time atMs={issue.lastSeenMs} nowMs={nowMs} />
      </td>
    </tr>
  );
}

/** What was blocked, without the sentence around it. */
function blockedName({ message, type }: IssueSummary): string {
  return message.replace(/^(?:blocked|would block) /, "") || type;
}

function byDirective(
  issues: readonly IssueSummary[],
): readonly (readonly [string, readonly IssueSummary[]])[] {
  return [...Map.groupBy(issues, ({ type }) => type)].sort(([, a], [, b]) => sumOf(b) - sumOf(a));
}

function sumOf(issues: readonly IssueSummary[]): number {
  return issues.reduce((sum, { count }) => sum + count, 0);
}

const HEADERS = `Reporting-Endpoints: errata="/monitoring"
Content-Security-Policy-Report-Only: default-src 'self'; report-to errata; report-uri /monitoring`;

function NoViolations() {
  return (
    <div className="empty">
      <p className="empty-say">No violation has been reported.</p>
      <p>
        Browsers report to this desk when a page’s headers name it. With a policy that blocks
        nothing yet:
      </p>
      <div className="snippet">
        <pre>{HEADERS}</pre>
        <CopyButton text={HEADERS} what="these headers" />
      </div>
      <p className="aside">
        <A href="/connect">Connect</A> has the lines for this desk’s own address.
      </p>
    </div>
  );
}
