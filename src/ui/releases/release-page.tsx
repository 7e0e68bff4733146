/** One release: what got worse since it, and what got better. */
import { use } from "react";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import {
  RELEASE_SECTION_TEXTS,
  type ReleaseSection,
  ReleaseSectionIssues,
} from "./issue-section.tsx";
import { ReleaseStats } from "./release-stats.tsx";

/** A release with those before and after it; without itself where it is too old to be listed. */
export interface ReleaseWithNeighbors {
  readonly release?: ReleaseSummary | undefined;
  readonly previous?: ReleaseSummary | undefined;
  readonly next?: ReleaseSummary | undefined;
}

/** What the page is made of. */
export interface ReleasePageProps {
  readonly name: string;
  readonly neighbors: Promise<ReleaseWithNeighbors>;
  readonly sections: readonly ReleaseSection[];
  readonly nowMs: number;
}

const NAME_CHARS = 200;
const NEIGHBOR_CHARS = 32;

/** The page at `/releases/<name>`. */
export function ReleasePage({ name, neighbors, sections, nowMs }: ReleasePageProps) {
  return (
    <div className="release-page">
      <header className="release-head">
        <h1>
          <span className="visually-hidden">Release </span>
          <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
        </h1>
        <Boundary name="neighbours" loading={null}>
          <NeighborLinks neighbors={neighbors} />
        </Boundary>
      </header>
      <Boundary name="facts" loading={<Skeleton shape="text" label="the release" />}>
        <LoadedStats neighbors={neighbors} nowMs={nowMs} />
      </Boundary>
      <p className="muted apart">
        The lists count each issue over all releases in which it was seen.
      </p>
      {sections.map((chapter) => (
        <section key={chapter.name} aria-labelledby={chapter.name}>
          <h2 id={chapter.name}>{RELEASE_SECTION_TEXTS[chapter.name][0]}</h2>
          <Boundary name={chapter.name} loading={<Skeleton shape="rows" label="the issues" />}>
            <ReleaseSectionIssues section={chapter} nowMs={nowMs} />
          </Boundary>
        </section>
      ))}
    </div>
  );
}

/** The page of a name that no report has. */
export function UnknownReleasePage() {
  return (
    <div className="prose">
      <h1>No release of this name</h1>
      <p>
        No report that is kept and no session has named it.{" "}
        <DeskLink href="/releases">All releases</DeskLink>
      </p>
    </div>
  );
}

function LoadedStats({ neighbors, nowMs }: Pick<ReleasePageProps, "neighbors" | "nowMs">) {
  const { release, previous } = use(neighbors);
  if (release === undefined) return <p className="muted">It is too old to be counted here.</p>;
  return <ReleaseStats release={release} previous={previous} nowMs={nowMs} />;
}

function NeighborLinks({ neighbors }: Pick<ReleasePageProps, "neighbors">) {
  const { previous, next } = use(neighbors);
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className="neighbours" aria-label="Releases before and after">
      {previous && (
        <DeskLink href={toReleaseUrl(previous.name)} rel="prev">
          <ArrowIcon direction="left" /> <span className="visually-hidden">Before: </span>
          <bdi>{abbreviate(previous.name, NEIGHBOR_CHARS)}</bdi>
        </DeskLink>
      )}
      {next && (
        <DeskLink href={toReleaseUrl(next.name)} rel="next">
          <span className="visually-hidden">After: </span>
          <bdi>{abbreviate(next.name, NEIGHBOR_CHARS)}</bdi> <ArrowIcon direction="right" />
        </DeskLink>
      )}
    </nav>
  );
}
