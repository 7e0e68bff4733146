/** What policies blocked and what browsers reported by themselves; and a policy that is tried against it before it is sent. */
import type { IssuePage } from "../../core/issue-query.ts";
import { Boundary } from "../boundary.tsx";
import { BrowserReports } from "../policies/browser-reports.tsx";
import { PolicyForm } from "../policies/policy-form.tsx";
import { PolicyNoise } from "../policies/policy-noise.tsx";
import { type InForce, StartFrom } from "../policies/start-from.tsx";
import { TrialResult, type TriedOut } from "../policies/trial-result.tsx";
import { ViolationList, type Violations } from "../policies/violation-list.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface PoliciesPageProps {
  /** The policy as it was pasted; absent where none is tried. */
  readonly text?: string | undefined;
  /** The policy that an empty text stands for. */
  readonly start: string;
  /** What was expected in place of the text. */
  readonly mistake?: string | undefined;
  readonly inForce?: Promise<InForce | undefined> | undefined;
  readonly violations: Promise<Violations>;
  /** Absent where nothing is tried. */
  readonly trial?: Promise<TriedOut> | undefined;
  readonly noise: Promise<IssuePage>;
  readonly browser: Promise<IssuePage>;
  readonly network: Promise<IssuePage>;
  readonly nowMs: number;
}

/** The page at `/policies`. */
export function PoliciesPage(props: PoliciesPageProps) {
  const { text, start, mistake, inForce, violations, trial, nowMs } = props;
  return (
    <div className="policies-page">
      <header className="page-head">
        <h1>Policies</h1>
        <p>
          What a Content-Security-Policy blocked, or would have blocked, on somebody’s screen, and
          what browsers report by themselves.
        </p>
      </header>
      <section id="try" aria-labelledby="try-heading">
        <h2 id="try-heading">Try a policy</h2>
        <PolicyForm text={text} start={start} mistake={mistake} />
        {inForce !== undefined && (
          <Boundary name="in-force" loading={null}>
            <StartFrom inForce={inForce} />
          </Boundary>
        )}
        {trial !== undefined && (
          <Boundary name="trial" loading={<Skeleton shape="receipt" label="the trial" />}>
            <TrialResult trial={trial} violations={violations} isStart={text?.trim() === ""} />
          </Boundary>
        )}
      </section>
      <section aria-labelledby="violations">
        <h2 id="violations">Violations</h2>
        <Boundary name="violations" loading={<Skeleton shape="rows" label="the violations" />}>
          <ViolationList violations={violations} trial={trial} nowMs={nowMs} />
        </Boundary>
        <Boundary name="noise" loading={null}>
          <PolicyNoise noise={props.noise} />
        </Boundary>
      </section>
      <section aria-labelledby="browser">
        <h2 id="browser">Other reports of browsers</h2>
        <Boundary name="browser" loading={<Skeleton shape="rows" label="the reports" />}>
          <BrowserReports browser={props.browser} network={props.network} nowMs={nowMs} />
        </Boundary>
      </section>
    </div>
  );
}
