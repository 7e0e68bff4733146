/** The home page: the lookup form, the last days in figures, and the newest issues. */
import { use } from "react";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueList } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { NoIssuesYet } from "../issues/empty-states.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { LookupForm } from "./lookup-form.tsx";
import { Overview, type OverviewData } from "./overview.tsx";

interface HomePageProps {
  /** Streams in below the form. */
  readonly list: Promise<IssueList>;
  /** Null while the index is unavailable. */
  readonly overview: Promise<OverviewData | null>;
  readonly nowMs: number;
}

/** The list page shows further issues. */
const MAX_SHOWN = 8;

export function HomePage({ list, overview, nowMs }: HomePageProps) {
  return (
    <div className="issues-page">
      <section className="lookup-hero">
        <h1>What broke?</h1>
        <LookupForm hasAutoFocus />
      </section>
      <div data-live="">
        {/* One boundary around both, so that the arriving overview does not move the issues. */}
        <Boundary name="overview" loading={<Skeleton shape="rows" label="the overview" />}>
          <Overview data={overview} nowMs={nowMs} />
          <section aria-labelledby="newest">
            <h2 id="newest">Newest issues</h2>
            <Boundary name="newest" loading={<Skeleton shape="rows" label="the newest issues" />}>
              <NewestIssues list={list} nowMs={nowMs} />
            </Boundary>
          </section>
        </Boundary>
      </div>
    </div>
  );
}

function NewestIssues({ list, nowMs }: Omit<HomePageProps, "overview">) {
  const { issues, total, noiseTotal = 0 } = use(list);
  const openIssues = issues
    .filter((issue) => getCurrentState(issue, nowMs) === "open")
    .slice(0, MAX_SHOWN);
  if (total + noiseTotal === 0) return <NoIssuesYet />;
  return (
    <>
      <p className="heading-note">
        <DeskLink href="/issues">All issues</DeskLink>
      </p>
      {openIssues.length > 0 ? (
        <IssueListTable issues={openIssues} nowMs={nowMs} caption="Newest open issues" />
      ) : (
        <p className="muted">
          None of the newest issues is open.{" "}
          {total > 0 && (
            <DeskLink href={toSearchUrl("")}>{pluralize(total, "issue")} in other states</DeskLink>
          )}
        </p>
      )}
      <NoiseLink issueCount={noiseTotal} />
    </>
  );
}

/** A link to the issues hidden as noise. */
function NoiseLink({ issueCount }: { issueCount: number }) {
  if (issueCount === 0) return null;
  return (
    <p className="muted spaced">
      <DeskLink href={toSearchUrl("is:noise")}>
        {pluralize(issueCount, "issue")} hidden as noise
      </DeskLink>
      : extensions, injected scripts, translated pages.
    </p>
  );
}
