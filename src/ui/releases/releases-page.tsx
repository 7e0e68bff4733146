/** All releases, newest first, with their issue counts and sessions. */
import { use } from "react";
import { limits } from "../../core/limits.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { Boundary } from "../failure/boundary.tsx";
import { formatNumber } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { NoReleasesYet } from "./no-releases.tsx";
import { ReleaseListTable } from "./releases-table.tsx";

/** The data of the page. */
interface ReleasesPageProps {
  readonly releases: Promise<readonly ReleaseSummary[]>;
  readonly nowMs: number;
}

/** The page at `/releases`. */
export function ReleasesPage({ releases, nowMs }: ReleasesPageProps) {
  return (
    <div className="releases-page">
      <header className="page-header">
        <h1>Releases</h1>
        <p>New, regressed and resolved issues by release.</p>
      </header>
      <Boundary name="releases" loading={<Skeleton shape="rows" label="the releases" />}>
        <LoadedReleases releases={releases} nowMs={nowMs} />
      </Boundary>
    </div>
  );
}

function LoadedReleases({ releases, nowMs }: ReleasesPageProps) {
  const all = use(releases);
  if (all.length === 0) return <NoReleasesYet />;
  return (
    <>
      <ReleaseListTable releases={all} nowMs={nowMs} />
      {all.length >= limits.maxListedReleases && (
        <p className="muted spaced">The newest {formatNumber(limits.maxListedReleases)}.</p>
      )}
    </>
  );
}
