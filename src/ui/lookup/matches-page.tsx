/** Several issues for one code: a foreign code may name more than one error. What they share is said once. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { MatchTable } from "./match-table.tsx";

/** Issues that stand for more: the likeliest of those that have some words, and where all of them are; the newest of each code. */
export interface MatchLimit {
  readonly reason: "text" | "code";
  readonly listPath?: string;
}

/** What the page is made of. */
export interface MatchesPageProps {
  readonly query: string;
  /** Two or more, in the order of the codes that lead to them. */
  readonly matches: readonly IssueSummary[];
  /** Absent where these are all. */
  readonly limit?: MatchLimit | undefined;
  readonly nowMs: number;
}

/** A whole message may have been pasted. */
const QUERY_CHARS = 120;

/** The page of a lookup with several answers. */
export function MatchesPage({ query, matches, limit, nowMs }: MatchesPageProps) {
  return (
    <div>
      <header className="page-header">
        <h1>
          <bdi className="asked">{abbreviate(query, QUERY_CHARS)}</bdi> leads to{" "}
          {pluralize(matches.length, "issue")}
        </h1>
        {limit !== undefined && <MatchLimitNote limit={limit} />}
      </header>
      <MatchTable matches={matches} nowMs={nowMs} />
      <section className="ask-again">
        <h2>Not among them?</h2>
        <LookupForm query={query} />
      </section>
    </div>
  );
}

function MatchLimitNote({ limit: { reason, listPath } }: { readonly limit: MatchLimit }) {
  if (reason === "code")
    return <p>Of each code the {formatNumber(limits.maxIssuesPerAlias)} newest.</p>;
  return (
    <p>
      The {formatNumber(limits.maxSearchResults)} likeliest.
      {listPath !== undefined && (
        <>
          {" "}
          <DeskLink href={listPath}>The list of issues with these words</DeskLink>
        </>
      )}
    </p>
  );
}
