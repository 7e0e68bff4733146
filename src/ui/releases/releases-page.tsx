/** All releases, newest first, with their issue counts and sessions. */
import { use } from "react";
import { limits } from "../../core/limits.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { formatNumber } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";
import { ReleasesWithoutReports } from "./release-facts.tsx";
import { ReleaseListTable } from "./releases-table.tsx";

interface ReleasesPageProps {
  readonly releases: Promise<readonly ReleaseSummary[]>;
  /** Facts that build tools sent; empty if they are unavailable. */
  readonly facts: Promise<readonly ReleaseFacts[]>;
  readonly nowMs: number;
}

export function ReleasesPage(props: ReleasesPageProps) {
  return (
    <div className="releases-page">
      <header className="page-header">
        <h1>Releases</h1>
        <p>
          New, regressed and resolved issues by release. See also{" "}
          <DeskLink href={SOURCE_MAPS_URL}>source maps</DeskLink>.
        </p>
      </header>
      <Boundary name="releases" loading={<Skeleton shape="rows" label="the releases" />}>
        <LoadedReleases {...props} />
      </Boundary>
    </div>
  );
}

function LoadedReleases({ releases, facts, nowMs }: ReleasesPageProps) {
  const all = use(releases);
  const known = use(facts);
  const seen = new Set(all.map(({ name }) => name));
  const unseen = known.filter(({ version }) => !seen.has(version));
  if (all.length === 0 && unseen.length === 0) return <NoReleasesYet />;
  return (
    <>
      {all.length > 0 && <ReleaseListTable releases={all} facts={known} nowMs={nowMs} />}
      <ReleasesWithoutReports releases={unseen} nowMs={nowMs} />
      {all.length >= limits.maxListedReleases && (
        <p className="muted spaced">The newest {formatNumber(limits.maxListedReleases)}.</p>
      )}
    </>
  );
}

/** The empty state of the releases: how to set a release in reports. */
const EXAMPLES: readonly (readonly [sender: string, code: string])[] = [
  ["Any Sentry SDK", 'Sentry.init({ release: "1.4.0" })'],
  ["Errata’s browser reporter", '<meta name="errata" content="/monitoring" data-release="1.4.0">'],
  ["OpenTelemetry", "OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0"],
];

/** The explanation with an example per kind of sender. */
function NoReleasesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No releases yet.</p>
      <p>
        A release is a name that your build chooses, such as a version or a commit. Set it in
        reports to see which issues are new, regressed or resolved in each release.
      </p>
      <dl className="ways">
        {EXAMPLES.map(([sender, code]) => (
          <div key={sender}>
            <dt>{sender}</dt>
            <dd className="snippet">
              <pre>{code}</pre>
              <CopyButton text={code} label={`the example for ${sender}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
