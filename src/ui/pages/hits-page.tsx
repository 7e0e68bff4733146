/** Several issues for one code: a foreign code may name more than one error. What they share is said once. */
import type { IssueSummary } from "../../core/issue.ts";
import { limits } from "../../core/limits.ts";
import { counted, figure } from "../figure.tsx";
import { HitTable } from "../hit-table.tsx";
import { headOf } from "../long-text.tsx";
import { LookupForm } from "../lookup-form.tsx";
import { A } from "../place.tsx";

/** Issues that stand for more: the likeliest of those that have some words, and where all of them are; the newest of each code. */
export interface HitsCut {
  readonly by: "words" | "code";
  readonly list?: string;
}

/** What the page is made of. */
export interface HitsPageProps {
  readonly query: string;
  /** Two or more, in the order of the codes that lead to them. */
  readonly hits: readonly IssueSummary[];
  /** Absent where these are all. */
  readonly cut?: HitsCut | undefined;
  readonly nowMs: number;
}

/** A whole message may have been pasted. */
const QUERY_CHARS = 120;

/** The page of a lookup with several answers. */
export function HitsPage({ query, hits, cut, nowMs }: HitsPageProps) {
  return (
    <div>
      <header className="page-head">
        <h1>
          <bdi className="asked">{headOf(query, QUERY_CHARS)}</bdi> leads to{" "}
          {counted(hits.length, "issue")}
        </h1>
        {cut !== undefined && <Cut cut={cut} />}
      </header>
      <HitTable hits={hits} nowMs={nowMs} />
      <section className="ask-again">
        <h2>Not among them?</h2>
        <LookupForm query={query} />
      </section>
    </div>
  );
}

function Cut({ cut: { by, list } }: { readonly cut: HitsCut }) {
  if (by === "code") return <p>Of each code the {figure(limits.maxIssuesPerAlias)} newest.</p>;
  return (
    <p>
      The {figure(limits.maxFoundIssues)} likeliest.
      {list !== undefined && (
        <>
          {" "}
          <A href={list}>The list of issues with these words</A>
        </>
      )}
    </p>
  );
}
