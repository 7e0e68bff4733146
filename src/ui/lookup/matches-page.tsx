/** The result of a lookup with several issues. Foreign codes can belong to more than one error. */

import { hasRole } from "../../core/accounts/actors.ts";
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { ISSUE_STATES, type IssueState, STATE_NAMES } from "../../core/issue/issue-states.ts";
import { limits } from "../../core/limits.ts";
import { namePastedText } from "../../core/lookup/pasted-words.ts";
import { Boundary } from "../failure/boundary.tsx";
import { BulkForm } from "../issues/bulk/bulk-form.tsx";
import { IssueListTable, type IssueListTableProps } from "../issues/issues-table.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toLookupUrl } from "../urls/lookup-urls.ts";
import { LookupForm } from "./lookup-form.tsx";
import { AwaitedOtherProjects, type ProjectMatches } from "./other-projects.tsx";

/** Why there can be more issues: only the best text matches, or the newest per code, are shown. */
export interface MatchLimit {
  readonly reason: "text" | "code";
  /** The list of all issues with the text. */
  readonly listPath?: string;
}

interface MatchesPageProps {
  readonly query: string;
  /** In the order of their codes in the query; two or more, except for a person. */
  readonly matches: readonly IssueSummary[];
  /** Absent if all issues are shown. */
  readonly limit?: MatchLimit | undefined;
  /** The matches of the same text in other projects. */
  readonly otherProjects?: Promise<{ readonly found: readonly ProjectMatches[] }> | undefined;
  readonly nowMs: number;
  /** The person whose reports the matches have, and the number of these reports. */
  readonly person?: { readonly name: string; readonly reports: number } | undefined;
  /** Shows only the matches in this state. */
  readonly state?: IssueState | undefined;
}

/** The query can be a whole message. */
const QUERY_CHARS = 120;

export function MatchesPage(props: MatchesPageProps) {
  const { query, matches, limit, otherProjects, person, nowMs } = props;
  return (
    <div className="issues-page wide-page">
      <header className="page-header">
        {person === undefined ? (
          <h1>
            <bdi className="query-text">{abbreviate(namePastedText(query), QUERY_CHARS)}</bdi>{" "}
            matches {pluralize(matches.length, "issue")}
          </h1>
        ) : (
          <PersonHeading {...person} issues={matches.length} />
        )}
        {limit !== undefined && <MatchLimitNote limit={limit} />}
      </header>
      <MatchList {...props} />
      {otherProjects !== undefined && (
        <Boundary name="other-projects" loading={null}>
          <AwaitedOtherProjects pending={otherProjects} nowMs={nowMs} />
        </Boundary>
      )}
      <section className="lookup-again">
        <h2>Not what you were looking for?</h2>
        <LookupForm query={query} />
      </section>
    </div>
  );
}

/** "6 reports of grace@example.org in 4 issues". */
function PersonHeading(props: { name: string; reports: number; issues: number }) {
  const { name, reports, issues } = props;
  const isCut = reports >= limits.maxReportsPerCode;
  return (
    <>
      <h1>
        {isCut ? `The ${reports} newest reports` : pluralize(reports, "report")} of{" "}
        <bdi className="query-text">{abbreviate(name, QUERY_CHARS)}</bdi> in{" "}
        {pluralize(issues, "issue")}
      </h1>
      <p>Newest first. Reports whose contents were erased are not among them.</p>
    </>
  );
}

/** The list of issues, with the query marked. */
function MatchList({ query, matches, nowMs, state }: MatchesPageProps) {
  const canDecide = hasRole(useDesk().role, REQUIRED_ROLES.triage);
  const shown = matches.filter(
    (match) => state === undefined || getCurrentState(match, nowMs) === state,
  );
  const table: IssueListTableProps = {
    issues: shown,
    nowMs,
    caption: "Matching issues, best match first",
    words: query.slice(0, QUERY_CHARS),
  };
  return (
    <>
      <MatchTabs query={query} matches={matches} nowMs={nowMs} state={state} />
      {canDecide ? (
        <BulkForm returnTo={toLookupUrl(query, state)}>
          <IssueListTable {...table} isSelectable />
        </BulkForm>
      ) : (
        <IssueListTable {...table} />
      )}
    </>
  );
}

/** The states of the matches, as links; nothing if all have the same. */
function MatchTabs({ query, matches, nowMs, state }: MatchesPageProps) {
  const states = matches.map((match) => getCurrentState(match, nowMs));
  const counts = STATE_NAMES.map(
    (one) => [one, states.filter((other) => other === one).length] as const,
  );
  const present = counts.filter(([one, count]) => count > 0 || one === state);
  if (present.length < 2) return null;
  return (
    <nav className="tabs" aria-label="State">
      <ul>
        {[[undefined, matches.length] as const, ...present].map(([one, count]) => (
          <li key={one ?? "all"}>
            <DeskLink
              href={toLookupUrl(query, one)}
              aria-current={one === state ? "page" : undefined}
            >
              {one === undefined ? "All" : ISSUE_STATES[one].label} {formatNumber(count)}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function MatchLimitNote({ limit: { reason, listPath } }: { limit: MatchLimit }) {
  if (reason === "code")
    return <p>The {formatNumber(limits.maxIssuesPerAlias)} newest issues per code.</p>;
  return (
    <p>
      The {formatNumber(limits.maxSearchResults)} best matches.
      {listPath !== undefined && (
        <>
          {" "}
          <DeskLink href={listPath}>All issues with this text</DeskLink>
        </>
      )}
    </p>
  );
}
