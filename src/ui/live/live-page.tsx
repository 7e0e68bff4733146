/**
 * What arrives now, newest first. What had arrived before is in the page; what comes later a script puts above it (`client/arrivals.ts`),
 * in rows made from the template.
 */
import { use } from "react";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type LiveFilter, matchesLiveFilter } from "./live-filter.ts";
import { LiveFilterForm } from "./live-filter-form.tsx";
import { LiveRow } from "./live-row.tsx";

/** What the page is made of. */
export interface LivePageProps {
  /** What arrived last, newest first. */
  readonly events: Promise<readonly LiveEvent[]>;
  readonly filter: LiveFilter;
  /** The page's own address: what looks again. */
  readonly url: string;
}

/** The page at `/live`. */
export function LivePage({ events, filter, url }: LivePageProps) {
  return (
    <div className="live-page">
      <header className="page-header">
        <h1>Live</h1>
        <p>What arrives, as it is counted. Times are in UTC.</p>
      </header>
      <div className="live-bar">
        <LiveFilterForm filter={filter} />
        <p className="live-state">
          <button type="button" data-shortcut="p" hidden>
            Pause
          </button>{" "}
          <DeskLink href={url}>Look again</DeskLink> <output aria-live="polite" />
        </p>
      </div>
      <template>
        <LiveRow />
      </template>
      <ol
        className="arrivals"
        data-live-filter={JSON.stringify(filter)}
        aria-label="Arrived since this page was opened"
      />
      <Boundary name="arrivals" loading={<Skeleton shape="rows" label="what has arrived" />}>
        <RecentEvents events={events} filter={filter} />
      </Boundary>
    </div>
  );
}

function RecentEvents({ events, filter }: Pick<LivePageProps, "events" | "filter">) {
  const all = use(events);
  const shown = all.filter((arrival) => matchesLiveFilter(arrival, filter));
  if (shown.length === 0) return <NoEvents isFiltered={all.length > 0} />;
  return (
    <ol className="arrivals" aria-label="Arrived before">
      {shown.map((arrival) => (
        <LiveRow key={`${arrival.id} ${arrival.atMs}`} event={arrival} />
      ))}
    </ol>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <p className="empty-heading nothing-arrived">
      {isFiltered
        ? "Nothing that this filter lets through is among what arrived last."
        : "Nothing has arrived yet. What comes now appears here."}
    </p>
  );
}
