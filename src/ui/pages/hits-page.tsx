/** Several issues for one code: a foreign code may name more than one error. What they share is said once. */
import type { IssueSummary } from "../../core/issue.ts";
import { counted } from "../figure.tsx";
import { HitTable } from "../hit-table.tsx";
import { headOf } from "../long-text.tsx";
import { LookupForm } from "../lookup-form.tsx";

/** What the page is made of. */
export interface HitsPageProps {
  readonly query: string;
  /** Two or more, in the order of the codes that lead to them. */
  readonly hits: readonly IssueSummary[];
  readonly nowMs: number;
}

/** A whole message may have been pasted. */
const QUERY_CHARS = 120;

/** The page of a lookup with several answers. */
export function HitsPage({ query, hits, nowMs }: HitsPageProps) {
  return (
    <div>
      <header className="page-head">
        <h1>
          <bdi className="asked">{headOf(query, QUERY_CHARS)}</bdi> leads to{" "}
          {counted(hits.length, "issue")}
        </h1>
      </header>
      <HitTable hits={hits} nowMs={nowMs} />
      <section className="ask-again">
        <h2>Not among them?</h2>
        <LookupForm query={query} />
      </section>
    </div>
  );
}
