/**
 * Reports as they arrive, newest first. The page has the recent ones; the script adds later ones
 * above them (`client/live-feed.ts`), in rows that it creates from the template.
 */
import { Fragment, use } from "react";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type ClockFormat, formatAbsoluteTime, ZoneSwitch } from "../parts/time.tsx";
import { toReportUrl } from "../urls/issue-urls.ts";
import { type LiveFilter, matchesLiveFilter } from "./live-filter.ts";
import { LiveFilterForm } from "./live-filter-form.tsx";
import { formatLiveDay, type LiveRowPart, toLiveRowText } from "./live-row-text.ts";

interface LivePageProps {
  /** Recent events, newest first. */
  readonly events: Promise<readonly LiveEvent[]>;
  readonly filter: LiveFilter;
  /** That of the scope; undefined for all. */
  readonly environment: string | undefined;
  /** The URL of this page, to refresh it. */
  readonly url: string;
}

export function LivePage({ events, filter: asked, environment, url }: LivePageProps) {
  const filter = { ...asked, environment };
  return (
    <div className="live-page wide-page">
      <header className="page-header">
        <h1>Live</h1>
        <p>
          Reports as they arrive. <ZoneSwitch />
        </p>
      </header>
      <div className="live-bar">
        <LiveFilterForm filter={asked} />
        <p className="live-state">
          <button type="button" data-shortcut="p" hidden>
            Pause
          </button>{" "}
          <DeskLink href={url}>Refresh</DeskLink> <output aria-live="polite" />
        </p>
      </div>
      <template>
        <LiveRow />
      </template>
      <ol
        className="live-rows"
        data-live-filter={JSON.stringify(filter)}
        aria-label="New reports"
      />
      <Boundary name="live-events" loading={<Skeleton shape="rows" label="recent reports" />}>
        <RecentEvents events={events} filter={filter} />
      </Boundary>
    </div>
  );
}

function RecentEvents({ events, filter }: Pick<LivePageProps, "events" | "filter">) {
  const all = use(events);
  const shown = all.filter((event) => matchesLiveFilter(event, filter));
  if (shown.length === 0) return <NoEvents isFiltered={all.length > 0} />;
  return (
    <ol className="live-rows" aria-label="Earlier reports">
      {shown.map((event, index) => {
        const [day, dayAbove] = [event, shown[index - 1]].map((one) => one && formatLiveDay(one));
        return (
          <Fragment key={`${event.id} ${event.atMs}`}>
            {day !== dayAbove && <li className="live-day">{day}</li>}
            <LiveRow event={event} />
          </Fragment>
        );
      })}
    </ol>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  return (
    <p className="empty-heading no-live-events">
      {isFiltered
        ? "No recent reports match this filter."
        : "No reports yet. New reports appear here."}
    </p>
  );
}

// A row of the live page, and the template for later rows. The template has every part; the script
// fills in those of an event and removes the others.

/** The row of an event, or the template if there is none. */
function LiveRow({ event }: { event?: LiveEvent | undefined }) {
  const row = event && toLiveRowText(event);
  return (
    <li className="live-row" data-trust={event?.trust}>
      <LiveTime event={event} />{" "}
      <span className="main-cell">
        <RowPart row={row} name="isNew" />{" "}
        <DeskLink href={event && toReportUrl(event.digest, event.id)}>
          <RowPart row={row} name="type" /> <RowPart row={row} name="message" />
        </DeskLink>{" "}
        <RowPart row={row} name="occurrences" />
      </span>{" "}
      <span className="facts">
        {DETAIL_PARTS.map((name) => (
          <RowPart key={name} row={row} name={name} />
        ))}
      </span>
    </li>
  );
}

/** The time of day, with the whole time as its title, in UTC or the zone of the browser. */
function LiveTime({ event }: { event: LiveEvent | undefined }) {
  // A sender's time can be outside the range of dates, whose JSON is null.
  const dateTime: string | null | undefined = event && new Date(event.atMs).toJSON();
  return (
    <time
      data-part="atMs"
      data-clock={dateTime === null ? undefined : ("time" satisfies ClockFormat)}
      dateTime={dateTime ?? undefined}
      title={event && formatAbsoluteTime(event.atMs)}
    >
      {event && toLiveRowText(event).atMs}
    </time>
  );
}

const DETAIL_PARTS = ["author", "side", "culprit", "route", "release", "browser"] as const;

/** Classes shared with other pages. */
const PART_CLASSES: Readonly<Partial<Record<LiveRowPart, string>>> = { type: "type", isNew: "new" };

function RowPart({
  row,
  name,
}: {
  row: ReturnType<typeof toLiveRowText> | undefined;
  name: LiveRowPart;
}) {
  if (row && !row[name]) return null;
  return (
    <bdi data-part={name} className={PART_CLASSES[name]}>
      {row?.[name]}
    </bdi>
  );
}
