/**
 * A row of the live page, and the template for later rows. The template has every part; the script
 * fills in those of an event and removes the others.
 */
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { type ClockFormat, formatAbsoluteTime } from "../parts/time.tsx";
import { toReportUrl } from "../urls/issue-urls.ts";
import { type LiveRowPart, toLiveRowText } from "./live-row-text.ts";

/** The row of an event, or the template if there is none. */
export function LiveRow({ event }: { event?: LiveEvent | undefined }) {
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
