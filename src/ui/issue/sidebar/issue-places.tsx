/** Where the newest reports of an issue fail in the original source, if the visitor asks for it. */
import { use } from "react";
import type { Issue } from "../../../core/issue/issue.ts";
import {
  type CountedPlace,
  hasSeveralPlaces,
} from "../../../core/symbolication/report/count-places.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { MERGED_ID } from "./merged-issues.tsx";

const NAME_CHARS = 120;
const RELEASE_CHARS = 40;

/** The places; nothing if `places` is absent: they cost a read for each report. */
export function IssuePlaces({
  issue,
  places,
}: {
  readonly issue: Issue;
  readonly places: Promise<readonly CountedPlace[]> | undefined;
}) {
  if (issue.kind !== "error" || issue.latestReports.length < 2) return null;
  return (
    <section id="places" className="places" aria-labelledby="places-heading">
      <h2 id="places-heading">Places</h2>
      {places === undefined ? (
        <p>
          <DeskLink href="?places=1#places">Where the newest reports fail</DeskLink>
        </p>
      ) : (
        <LoadedPlaces places={places} issue={issue} />
      )}
    </section>
  );
}

function LoadedPlaces({
  places: promise,
  issue,
}: {
  places: Promise<readonly CountedPlace[]>;
  issue: Issue;
}) {
  const places = use(promise);
  if (places.length === 0)
    return <p className="muted">No stack of the newest reports has a source map.</p>;
  return (
    <>
      <ul>
        {places.map((place, n) => (
          <li key={n}>
            <bdi className="function">
              {abbreviate(place.function ?? "(anonymous)", NAME_CHARS)}
            </bdi>{" "}
            <span className="location">
              <bdi>{abbreviate(place.file, NAME_CHARS)}</bdi>:{place.line}
            </span>{" "}
            <span className="muted">
              {pluralize(place.count, "report")}
              {place.release !== undefined && (
                <>
                  {" "}
                  in <bdi>{abbreviate(place.release, RELEASE_CHARS)}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {hasSeveralPlaces(places) && <SeveralPlacesNote issue={issue} />}
    </>
  );
}

function SeveralPlacesNote({ issue }: { issue: Issue }) {
  return (
    <p className="muted">
      Reports of one release fail in different places: these may be different errors with the same
      message.
      {issue.mergedDigests !== undefined && (
        <>
          {" "}
          <a href={`#${MERGED_ID}`}>Split off a merged issue</a>
        </>
      )}
    </p>
  );
}
