/** What policies blocked and what browsers reported by themselves; and a policy that is tried against it before it is sent. */
import type { IssueListPage } from "../../core/issue/issue-query.ts";
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { BrowserReports } from "./browser-reports.tsx";
import { CurrentPolicy, type CurrentPolicyInfo } from "./current-policy.tsx";
import { DryRunResult, type PolicyDryRun } from "./dry-run-result.tsx";
import { NoiseNote } from "./noise-note.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { type LoadedViolations, ViolationTable } from "./violation-table.tsx";

/** What the page is made of. */
export interface CspPageProps {
  /** The policy as it was pasted; absent where none is tried. */
  readonly text?: string | undefined;
  /** The policy that an empty text stands for. */
  readonly placeholder: string;
  /** What was expected in place of the text. */
  readonly error?: string | undefined;
  readonly currentPolicy?: Promise<CurrentPolicyInfo | undefined> | undefined;
  readonly violations: Promise<LoadedViolations>;
  /** Absent where nothing is tried. */
  readonly dryRun?: Promise<PolicyDryRun> | undefined;
  readonly noise: Promise<IssueListPage>;
  readonly browserReports: Promise<IssueListPage>;
  readonly networkReports: Promise<IssueListPage>;
  readonly nowMs: number;
}

/** The page at `/csp`. */
export function CspPage(props: CspPageProps) {
  const { text, placeholder, error, currentPolicy, violations, dryRun, nowMs } = props;
  return (
    <div className="csp-page">
      <header className="page-header">
        <h1>Policies</h1>
        <p>
          What a Content-Security-Policy blocked, or would have blocked, on somebody’s screen, and
          what browsers report by themselves.
        </p>
      </header>
      <section id="try" aria-labelledby="try-heading">
        <h2 id="try-heading">Try a policy</h2>
        <PolicyForm text={text} placeholder={placeholder} error={error} />
        {currentPolicy !== undefined && (
          <Boundary name="in-force" loading={null}>
            <CurrentPolicy currentPolicy={currentPolicy} />
          </Boundary>
        )}
        {dryRun !== undefined && (
          <Boundary name="trial" loading={<Skeleton shape="text" label="the trial" />}>
            <DryRunResult
              dryRun={dryRun}
              violations={violations}
              isPlaceholder={text?.trim() === ""}
            />
          </Boundary>
        )}
      </section>
      <section aria-labelledby="violations">
        <h2 id="violations">Violations</h2>
        <Boundary name="violations" loading={<Skeleton shape="rows" label="the violations" />}>
          <ViolationTable violations={violations} dryRun={dryRun} nowMs={nowMs} />
        </Boundary>
        <Boundary name="noise" loading={null}>
          <NoiseNote noise={props.noise} />
        </Boundary>
      </section>
      <section aria-labelledby="browser">
        <h2 id="browser">Other reports of browsers</h2>
        <Boundary name="browser" loading={<Skeleton shape="rows" label="the reports" />}>
          <BrowserReports
            browserReports={props.browserReports}
            networkReports={props.networkReports}
            nowMs={nowMs}
          />
        </Boundary>
      </section>
    </div>
  );
}
