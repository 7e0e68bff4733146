/** The reports of an issue that fail at one place: the page with `?place=`. */
import type { Issue } from "../../core/issue/issue.ts";
import { formatPlace } from "../../core/place/issue-place.ts";
import { findPlaceByKey } from "../../core/place/stack-counts.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl, toPlaceUrl } from "../urls/issue-urls.ts";

const PLACE_CHARS = 120;

/** The counts of the place, its newest stored reports, and the link to all reports. */
export function PlaceFilter({
  issue,
  placeKey,
  currentId,
  nowMs,
}: {
  issue: Issue;
  placeKey: string;
  currentId: string | undefined;
  nowMs: number;
}) {
  const place = findPlaceByKey(issue.stacks, placeKey);
  const all = <DeskLink href={`${toIssueUrl(issue.digest)}#places`}>All places</DeskLink>;
  if (place === undefined) {
    return (
      <p id="place" className="place-filter">
        No known report of this issue fails at <bdi>{abbreviate(placeKey, PLACE_CHARS)}</bdi>. {all}
      </p>
    );
  }
  const { count, firstMs, lastMs, reports } = place;
  return (
    <section id="place" className="place-filter" aria-label="Reports of one place">
      <p>
        Only <bdi className="location">{abbreviate(formatPlace(place), PLACE_CHARS)}</bdi>:{" "}
        {formatNumber(count)} of {pluralize(issue.count, "report")}, first{" "}
        <RelativeTime atMs={firstMs} nowMs={nowMs} />, last{" "}
        <RelativeTime atMs={lastMs} nowMs={nowMs} />. {all}
      </p>
      {reports.length > 0 && (
        <p className="muted">
          Stored:{" "}
          {reports.map(([id, atMs]) => (
            <span key={id}>
              <DeskLink
                href={toPlaceUrl(issue.digest, placeKey, id)}
                aria-current={id === currentId ? "true" : undefined}
              >
                <RelativeTime atMs={atMs} nowMs={nowMs} />
              </DeskLink>{" "}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
