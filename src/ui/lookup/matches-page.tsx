/** The result of a lookup with several issues. Foreign codes can belong to more than one error. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { MatchTable } from "./match-table.tsx";
import { AwaitedOtherProjects, type ProjectMatches } from "./other-projects.tsx";

/** Why there can be more issues: only the best text matches, or the newest per code, are shown. */
export interface MatchLimit {
  readonly reason: "text" | "code";
  /** The list of all issues with the text. */
  readonly listPath?: string;
}

/** The data of the page. */
interface MatchesPageProps {
  readonly query: string;
  /** Two or more, in the order of their codes in the query. */
  readonly matches: readonly IssueSummary[];
  /** Absent if all issues are shown. */
  readonly limit?: MatchLimit | undefined;
  /** The matches of the same text in other projects. */
  readonly otherProjects?: Promise<{ readonly found: readonly ProjectMatches[] }> | undefined;
  readonly nowMs: number;
}

/** The query can be a whole message. */
const QUERY_CHARS = 120;

/** The page. */
export function MatchesPage({ query, matches, limit, otherProjects, nowMs }: MatchesPageProps) {
  return (
    <div>
      <header className="page-header">
        <h1>
          <bdi className="query-text">{abbreviate(query, QUERY_CHARS)}</bdi> matches{" "}
          {pluralize(matches.length, "issue")}
        </h1>
        {limit !== undefined && <MatchLimitNote limit={limit} />}
      </header>
      <MatchTable matches={matches} nowMs={nowMs} />
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

function MatchLimitNote({ limit: { reason, listPath } }: { readonly limit: MatchLimit }) {
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
