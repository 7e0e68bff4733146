/** The sample data: reports of a fictional shop, loaded and removed with one button each. */
import { use } from "react";
import { SAMPLE_ENVIRONMENT } from "../../core/report/sample-environment.ts";
import { Boundary } from "../failure/boundary.tsx";
import { LoadSampleForm } from "../issues/load-sample-form.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

/** The number of sample issues, and whether they are being erased. */
export interface SampleStatus {
  readonly issueCount: number;
  readonly isBeingRemoved: boolean;
}

/** Props of the section. `sample` is null while the index is unavailable. */
export interface SampleSectionProps {
  readonly sample: Promise<SampleStatus | null>;
  /** The status after the removal or a timeout, if the page waits for it. */
  readonly sampleAfterRemoval?: Promise<SampleStatus | null> | undefined;
  /** Where a browser without scripts reloads during the removal. */
  readonly refreshUrl?: string | undefined;
}

const REFRESH_SECONDS = 2;

/** The section of `/connect`. */
export function SampleSection(props: SampleSectionProps) {
  return (
    <section id="sample" aria-labelledby="sample-title">
      <h2 id="sample-title">Sample data</h2>
      <p>
        Two weeks of data from a fictional tea shop: about 250 reports of a dozen errors across
        three releases, with a burst of errors, a regression, sessions and user feedback. You can
        distinguish them from your own reports by the environment <code>{SAMPLE_ENVIRONMENT}</code>.
      </p>
      <Boundary name="sample" loading={null}>
        <SampleState {...props} />
      </Boundary>
    </section>
  );
}

function SampleState({ sample, ...props }: SampleSectionProps) {
  const status = use(sample);
  if (status === null) return <p className="muted">Sample data is temporarily unavailable.</p>;
  if (status.isBeingRemoved) return <RemovalInProgress issueCount={status.issueCount} {...props} />;
  return status.issueCount === 0 ? (
    <LoadSampleForm />
  ) : (
    <LoadedSample issueCount={status.issueCount} />
  );
}

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
        <Boundary name="sample-removal" loading={going}>
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
        <b>Removing sample data:</b> {pluralize(issueCount, "issue")} left.{" "}
        {/* A full page load, so that the page waits for the removal. */}
        <DeskLink href="/connect" target="_self">
          Refresh
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
        <b>Sample data removed.</b>
      </p>
      <LoadSampleForm />
    </>
  );
}

function LoadedSample({ issueCount }: Pick<SampleStatus, "issueCount">) {
  return (
    <DeskForm requiredRole="owner" className="sample" method="post" action="/sample/remove">
      <p>
        <b>Sample data loaded:</b>{" "}
        <DeskLink href={toSearchUrl(`env:"${SAMPLE_ENVIRONMENT}"`)}>
          {pluralize(issueCount, "issue")}
        </DeskLink>
        .
      </p>
      <button type="submit">Remove sample data</button>
    </DeskForm>
  );
}
