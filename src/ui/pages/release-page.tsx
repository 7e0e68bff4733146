/** One release: what got worse since it, and what got better. */
import { use } from "react";
import type { ReleaseSummary } from "../../core/release-summary.ts";
import { Boundary } from "../boundary.tsx";
import { headOf } from "../long-text.tsx";
import { Arrow } from "../marks.tsx";
import { A } from "../place.tsx";
import { CHAPTER_WORDS, type Chapter, ChapterIssues } from "../releases/chapter.tsx";
import { ReleaseFacts } from "../releases/release-facts.tsx";
import { releaseUrl } from "../releases/release-url.ts";
import { Skeleton } from "../skeleton.tsx";

/** A release with those before and after it; without itself where it is too old to be listed. */
export interface ReleasePlace {
  readonly release?: ReleaseSummary | undefined;
  readonly previous?: ReleaseSummary | undefined;
  readonly next?: ReleaseSummary | undefined;
}

/** What the page is made of. */
export interface ReleasePageProps {
  readonly name: string;
  readonly place: Promise<ReleasePlace>;
  readonly chapters: readonly Chapter[];
  readonly nowMs: number;
}

const NAME_CHARS = 200;
const NEIGHBOUR_CHARS = 32;

/** The page at `/releases/<name>`. */
export function ReleasePage({ name, place, chapters, nowMs }: ReleasePageProps) {
  return (
    <div className="release-page">
      <header className="release-head">
        <h1>
          <span className="unseen">Release </span>
          <bdi>{headOf(name, NAME_CHARS)}</bdi>
        </h1>
        <Boundary name="neighbours" loading={null}>
          <Neighbours place={place} />
        </Boundary>
      </header>
      <Boundary name="facts" loading={<Skeleton shape="receipt" label="the release" />}>
        <Facts place={place} nowMs={nowMs} />
      </Boundary>
      <p className="aside apart">
        The lists count each issue over all releases in which it was seen.
      </p>
      {chapters.map((chapter) => (
        <section key={chapter.name} aria-labelledby={chapter.name}>
          <h2 id={chapter.name}>{CHAPTER_WORDS[chapter.name][0]}</h2>
          <Boundary name={chapter.name} loading={<Skeleton shape="rows" label="the issues" />}>
            <ChapterIssues chapter={chapter} nowMs={nowMs} />
          </Boundary>
        </section>
      ))}
    </div>
  );
}

/** The page of a name that no report has. */
export function MissingReleasePage() {
  return (
    <div className="prose">
      <h1>No release of this name</h1>
      <p>
        No report that is kept and no session has named it. <A href="/releases">All releases</A>
      </p>
    </div>
  );
}

function Facts({ place, nowMs }: Pick<ReleasePageProps, "place" | "nowMs">) {
  const { release, previous } = use(place);
  if (release === undefined) return <p className="aside">It is too old to be counted here.</p>;
  return <ReleaseFacts release={release} previous={previous} nowMs={nowMs} />;
}

function Neighbours({ place }: Pick<ReleasePageProps, "place">) {
  const { previous, next } = use(place);
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className="neighbours" aria-label="Releases before and after">
      {previous && (
        <A href={releaseUrl(previous.name)} rel="prev">
          <Arrow to="left" /> <span className="unseen">Before: </span>
          <bdi>{headOf(previous.name, NEIGHBOUR_CHARS)}</bdi>
        </A>
      )}
      {next && (
        <A href={releaseUrl(next.name)} rel="next">
          <span className="unseen">After: </span>
          <bdi>{headOf(next.name, NEIGHBOUR_CHARS)}</bdi> <Arrow to="right" />
        </A>
      )}
    </nav>
  );
}
