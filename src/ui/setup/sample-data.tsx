/** The sample data: a made-up shop's reports to look around with, loaded and removed by one button each. */
import { use } from "react";
import { SAMPLE_ENVIRONMENT } from "../../core/sample/sentry-events.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { LoadSampleForm } from "../parts/load-sample-form.tsx";
import { pluralize } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

/** How the sample stands: how many issues of it there are, and whether they are just being erased. */
export interface SampleStatus {
  readonly issueCount: number;
  readonly isBeingRemoved: boolean;
}

/** How it stands; null while nobody knows. */
export interface SampleSectionProps {
  readonly sample: Promise<SampleStatus | null>;
  /** While it is going: how it stands when it is gone, or has been waited for. Without it nobody waits. */
  readonly sampleAfterRemoval?: Promise<SampleStatus | null> | undefined;
  /** Where a browser without scripts looks again by itself while it is going. */
  readonly refreshUrl?: string | undefined;
}

const REFRESH_SECONDS = 2;

/** The section of the page that connects. */
export function SampleSection(props: SampleSectionProps) {
  return (
    <section id="sample" aria-labelledby="sample-title">
      <h2 id="sample-title">Sample data</h2>
      <p>
        Two weeks in the life of a made-up tea shop: about 250 reports of a dozen faults, through
        three releases, with a storm, a fault that came back, and messages from visitors. They come
        in like any other report. Their environment is <code>{SAMPLE_ENVIRONMENT}</code>, so that
        you can tell them from your own.
      </p>
      <Boundary name="sample" loading={null}>
        <SampleState {...props} />
      </Boundary>
    </section>
  );
}

function SampleState({ sample, ...props }: SampleSectionProps) {
  const standing = use(sample);
  if (standing === null) {
    return (
      <p className="muted">The index cannot be reached at the moment, so nothing is loaded.</p>
    );
  }
  if (standing.isBeingRemoved)
    return <RemovalInProgress issueCount={standing.issueCount} {...props} />;
  return standing.issueCount === 0 ? (
    <LoadSampleForm />
  ) : (
    <LoadedSample issueCount={standing.issueCount} />
  );
}

/** It is being removed, until it is gone. */
function RemovalInProgress({
  issueCount,
  sampleAfterRemoval,
  refreshUrl,
}: Omit<SampleSectionProps, "sample"> & Pick<SampleStatus, "issueCount">) {
  const going = <RemovalNote issueCount={issueCount} />;
  return (
    <div role="status">
      {sampleAfterRemoval === undefined ? (
        going
      ) : (
        <Boundary name="sample-after" loading={going}>
          <RemovalResult sample={sampleAfterRemoval} />
        </Boundary>
      )}
      {refreshUrl !== undefined && (
        <meta httpEquiv="refresh" content={`${REFRESH_SECONDS};url=${refreshUrl}`} />
      )}
    </div>
  );
}

function RemovalNote({ issueCount }: Pick<SampleStatus, "issueCount">) {
  return (
    <p className="sample">
      <span>
        <b>Sample data is being removed:</b> {pluralize(issueCount, "issue")} to go.{" "}
        {/* By the browser itself: then the page waits for it. */}
        <DeskLink href="/connect" target="_self">
          Look again
        </DeskLink>
      </span>
    </p>
  );
}

function RemovalResult({ sample }: Pick<SampleSectionProps, "sample">) {
  if (use(sample)?.issueCount !== 0) return <SampleState sample={sample} />;
  return (
    <>
      <p className="sample">
        <b>Sample data is removed.</b>
      </p>
      <LoadSampleForm />
    </>
  );
}

function LoadedSample({ issueCount }: Pick<SampleStatus, "issueCount">) {
  return (
    <DeskForm requiredRole="owner" className="sample" method="post" action="/sample/remove">
      <p>
        <b>Sample data is loaded.</b>{" "}
        <DeskLink href={toSearchUrl(`env:"${SAMPLE_ENVIRONMENT}"`)}>
          {pluralize(issueCount, "issue")}
        </DeskLink>{" "}
        here are the made-up shop’s.
      </p>
      <button type="submit">Remove it</button>
    </DeskForm>
  );
}
