/**
 * What arrives now, newest first. What had arrived before is in the page; what comes later a script puts above it (`client/arrivals.ts`),
 * in rows made from the template.
 */
import { use } from "react";
import type { Arrival } from "../../core/arrival.ts";
import { Boundary } from "../boundary.tsx";
import { ArrivalFilterForm } from "../live/arrival-filter-form.tsx";
import { ArrivalRow } from "../live/arrival-row.tsx";
import { type ArrivalFilter, passes } from "../live/passes.ts";
import { A } from "../place.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface LivePageProps {
  /** What arrived last, newest first. */
  readonly arrivals: Promise<readonly Arrival[]>;
  readonly filter: ArrivalFilter;
  /** The page's own address: what looks again. */
  readonly here: string;
}

/** The page at `/live`. */
export function LivePage({ arrivals, filter, here }: LivePageProps) {
  return (
    <div className="live-page">
      <header className="page-head">
        <h1>Live</h1>
        <p>What arrives, as it is counted. Times are in UTC.</p>
      </header>
      <div className="live-bar">
        <ArrivalFilterForm filter={filter} />
        <p className="live-state">
          <button type="button" data-key="p" hidden>
            Pause
          </button>{" "}
          <A href={here}>Look again</A> <output aria-live="polite" />
        </p>
      </div>
      <template>
        <ArrivalRow />
      </template>
      <ol
        className="arrivals"
        data-arrivals={JSON.stringify(filter)}
        aria-label="Arrived since this page was opened"
      />
      <Boundary name="arrivals" loading={<Skeleton shape="rows" label="what has arrived" />}>
        <Arrived arrivals={arrivals} filter={filter} />
      </Boundary>
    </div>
  );
}

function Arrived({ arrivals, filter }: Pick<LivePageProps, "arrivals" | "filter">) {
  const all = use(arrivals);
  const shown = all.filter((arrival) => passes(arrival, filter));
  if (shown.length === 0) return <Nothing isFiltered={all.length > 0} />;
  return (
    <ol className="arrivals" aria-label="Arrived before">
      {shown.map((arrival) => (
        <ArrivalRow key={`${arrival.id} ${arrival.atMs}`} arrival={arrival} />
      ))}
    </ol>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <p className="empty-say nothing-arrived">
      {isFiltered
        ? "Nothing that this filter lets through is among what arrived last."
        : "Nothing has arrived yet. What comes now appears here."}
    </p>
  );
}
