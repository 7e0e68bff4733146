/** Where the reports of an issue fail in the original source. */
import { canSplitByStack } from "../../../core/grouping/stack-identity.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { hasSeveralPlaces, toPlaceKey } from "../../../core/place/issue-place.ts";
import { countUnplaced, listPlaces } from "../../../core/place/stack-counts.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { toPlaceUrl } from "../../urls/issue-urls.ts";
import { GROUPING_ID } from "./grouping-text.tsx";
import { MERGED_ID } from "./merged-issues.tsx";

const NAME_CHARS = 120;
const RELEASE_CHARS = 40;

/** The places with their reports; nothing if no stack is resolved. */
export function IssuePlaces({
  issue,
  placeKey,
}: {
  readonly issue: Issue;
  /** The key of the place to which the page is limited. */
  readonly placeKey: string | undefined;
}) {
  const places = listPlaces(issue.stacks);
  if (places.length === 0) return null;
  const unplaced = countUnplaced(issue.stacks);
  return (
    <section id="places" className="places" aria-labelledby="places-heading">
      <h2 id="places-heading">Places</h2>
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
              <DeskLink
                href={toPlaceUrl(issue.digest, toPlaceKey(place))}
                aria-current={toPlaceKey(place) === placeKey ? "true" : undefined}
              >
                {pluralize(place.count, "report")}
              </DeskLink>
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
      {unplaced > 0 && (
        <p className="muted">{pluralize(unplaced, "report")} with other or unmapped stacks.</p>
      )}
      {hasSeveralPlaces(places) && <SeveralPlacesNote issue={issue} />}
    </section>
  );
}

function SeveralPlacesNote({ issue }: { issue: Issue }) {
  return (
    <p className="muted">
      Reports of one release fail in different places. They may be different errors with the same
      message. Select a count to see only the reports of its place. The digest does not depend on
      the place, because users may already have the digest. To count them as separate issues, give
      them different messages or fingerprints
      {canSplitByStack(issue) && (
        <>
          , or <a href={`#${GROUPING_ID}`}>split by stack</a>
        </>
      )}
      .
      {issue.mergedDigests !== undefined && (
        <>
          {" "}
          <a href={`#${MERGED_ID}`}>Split off a merged issue</a>
        </>
      )}
    </p>
  );
}
