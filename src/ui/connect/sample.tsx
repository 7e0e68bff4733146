/** The sample data: a made-up shop's reports to look around with, loaded and removed by one button each. */
import { use } from "react";
import { SAMPLE_ENVIRONMENT } from "../../core/sample/events.ts";
import { Boundary } from "../boundary.tsx";
import { counted } from "../figure.tsx";
import { searchUrl } from "../issues/list-url.ts";

/** How the sample stands: how many issues of it there are, and whether they are just being erased. */
export interface SampleStanding {
  readonly issues: number;
  readonly isGoing: boolean;
}

/** Null while nobody knows. */
export interface SampleProps {
  readonly sample: Promise<SampleStanding | null>;
}

/** The section of the page that connects. */
export function SampleSection({ sample }: SampleProps) {
  return (
    <section id="sample" aria-labelledby="sample-title">
      <h2 id="sample-title">Sample data</h2>
      <p>
        Two weeks of a made-up tea shop: some 250 reports of a dozen faults, three releases, a
        storm, a fault that came back, and what visitors wrote. They take the way that all reports
        take, and say the environment <code>{SAMPLE_ENVIRONMENT}</code>.
      </p>
      <Boundary name="sample" loading={null}>
        <Standing sample={sample} />
      </Boundary>
    </section>
  );
}

/** The button that loads it, also for pages that have nothing to show. */
export function LoadSample() {
  return (
    <form className="sample" method="post" action="/sample">
      <button type="submit">Load sample data</button>
    </form>
  );
}

function Standing({ sample }: SampleProps) {
  const standing = use(sample);
  if (standing === null) {
    return (
      <p className="aside">The index cannot be reached at the moment, so nothing is loaded.</p>
    );
  }
  return standing.issues === 0 ? <LoadSample /> : <Loaded standing={standing} />;
}

function Loaded({ standing: { issues, isGoing } }: { readonly standing: SampleStanding }) {
  if (isGoing) {
    return (
      <p className="sample">
        <span>
          <b>Sample data is being removed:</b> {counted(issues, "issue")} to go.{" "}
          <a href="/connect">Look again</a>
        </span>
      </p>
    );
  }
  return (
    <form className="sample" method="post" action="/sample/remove">
      <p>
        <b>Sample data is loaded.</b>{" "}
        <a href={searchUrl(`env:"${SAMPLE_ENVIRONMENT}"`)}>{counted(issues, "issue")}</a> here are
        of the made-up shop.
      </p>
      <button type="submit">Remove it</button>
    </form>
  );
}
