/** The sample data: a made-up shop's reports to look around with, loaded and removed by one button each. */
import { use } from "react";
import { SAMPLE_ENVIRONMENT } from "../../core/sample/events.ts";
import { Boundary } from "../boundary.tsx";
import { counted } from "../figure.tsx";
import { searchUrl } from "../issues/list-url.ts";
import { A, Form } from "../place.tsx";

/** How the sample stands: how many issues of it there are, and whether they are just being erased. */
export interface SampleStanding {
  readonly issues: number;
  readonly isGoing: boolean;
}

/** How it stands; null while nobody knows. */
export interface SampleProps {
  readonly sample: Promise<SampleStanding | null>;
  /** While it is going: how it stands when it is gone, or has been waited for. Without it nobody waits. */
  readonly sampleAfter?: Promise<SampleStanding | null> | undefined;
  /** Where a browser without scripts looks again by itself while it is going. */
  readonly lookAgainAt?: string | undefined;
}

const REFRESH_SECONDS = 2;

/** The section of the page that connects. */
export function SampleSection(props: SampleProps) {
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
        <Standing {...props} />
      </Boundary>
    </section>
  );
}

/** The button that loads it, also for pages that have nothing to show. */
export function LoadSample() {
  return (
    <Form needs="owner" className="sample" method="post" action="/sample">
      <button type="submit">Load sample data</button>
    </Form>
  );
}

function Standing({ sample, ...props }: SampleProps) {
  const standing = use(sample);
  if (standing === null) {
    return (
      <p className="aside">The index cannot be reached at the moment, so nothing is loaded.</p>
    );
  }
  if (standing.isGoing) return <Leaving issues={standing.issues} {...props} />;
  return standing.issues === 0 ? <LoadSample /> : <Loaded issues={standing.issues} />;
}

/** It is being removed, until it is gone. */
function Leaving({
  issues,
  sampleAfter,
  lookAgainAt,
}: Omit<SampleProps, "sample"> & Pick<SampleStanding, "issues">) {
  const going = <Going issues={issues} />;
  return (
    <div role="status">
      {sampleAfter === undefined ? (
        going
      ) : (
        <Boundary name="sample-after" loading={going}>
          <Left sample={sampleAfter} />
        </Boundary>
      )}
      {lookAgainAt !== undefined && (
        <meta httpEquiv="refresh" content={`${REFRESH_SECONDS};url=${lookAgainAt}`} />
      )}
    </div>
  );
}

function Going({ issues }: Pick<SampleStanding, "issues">) {
  return (
    <p className="sample">
      <span>
        <b>Sample data is being removed:</b> {counted(issues, "issue")} to go.{" "}
        {/* By the browser itself: then the page waits for it. */}
        <A href="/connect" target="_self">
          Look again
        </A>
      </span>
    </p>
  );
}

function Left({ sample }: Pick<SampleProps, "sample">) {
  if (use(sample)?.issues !== 0) return <Standing sample={sample} />;
  return (
    <>
      <p className="sample">
        <b>Sample data is removed.</b>
      </p>
      <LoadSample />
    </>
  );
}

function Loaded({ issues }: Pick<SampleStanding, "issues">) {
  return (
    <Form needs="owner" className="sample" method="post" action="/sample/remove">
      <p>
        <b>Sample data is loaded.</b>{" "}
        <A href={searchUrl(`env:"${SAMPLE_ENVIRONMENT}"`)}>{counted(issues, "issue")}</A> here are
        the made-up shop’s.
      </p>
      <button type="submit">Remove it</button>
    </Form>
  );
}
