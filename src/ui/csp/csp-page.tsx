/** CSP violations and other browser reports, and a dry run of a policy against the violations. */
import { use } from "react";
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import { limits } from "../../core/limits.ts";
import { Boundary } from "../failure/boundary.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralizeTotal } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import type { IngestAddress } from "../setup/integration.ts";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { DryRunResult, type PolicyDryRun } from "./dry-run-result.tsx";
import { type LoadedViolations, ViolationTable } from "./violation-table.tsx";

interface CspPageProps {
  /** The entered policy; absent if there is no dry run. */
  readonly text?: string | undefined;
  /** The policy used if the text is empty. */
  readonly placeholder: string;
  /** A description of the expected text. */
  readonly error?: string | undefined;
  readonly currentPolicy?: Promise<CurrentPolicyInfo | undefined> | undefined;
  readonly violations: Promise<LoadedViolations>;
  /** Absent if there is no dry run. */
  readonly dryRun?: Promise<PolicyDryRun> | undefined;
  readonly noise: Promise<IssueListPage>;
  readonly browserReports: Promise<IssueListPage>;
  readonly networkReports: Promise<IssueListPage>;
  /** Where the project receives reports. */
  readonly address: Promise<IngestAddress>;
  readonly nowMs: number;
}

export function CspPage(props: CspPageProps) {
  const { text, placeholder, error, currentPolicy, violations, dryRun, nowMs } = props;
  return (
    <div className="csp-page">
      <header className="page-header">
        <h1>Policies</h1>
        <p>Content-Security-Policy violations and other reports that browsers send.</p>
      </header>
      <section id="dry-run" aria-labelledby="dry-run-heading">
        <h2 id="dry-run-heading">Test a policy</h2>
        <PolicyForm text={text} placeholder={placeholder} error={error} />
        {currentPolicy !== undefined && (
          <Boundary name="current-policy" loading={null}>
            <CurrentPolicy currentPolicy={currentPolicy} />
          </Boundary>
        )}
        {dryRun !== undefined && (
          <Boundary name="dry-run" loading={<Skeleton shape="text" label="the result" />}>
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
          <ViolationTable
            violations={violations}
            dryRun={dryRun}
            address={props.address}
            nowMs={nowMs}
          />
        </Boundary>
        <Boundary name="noise" loading={null}>
          <NoiseNote noise={props.noise} />
        </Boundary>
      </section>
      <section aria-labelledby="browser">
        <h2 id="browser">Other browser reports</h2>
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

/** The link; nothing if there are none. */
function NoiseNote({ noise }: { noise: Promise<IssueListPage> }) {
  const page = use(noise);
  if (page.total === 0) return null;
  return (
    <p className="muted spaced">
      <DeskLink href={toSearchUrl("is:noise kind:csp")}>
        {pluralizeTotal(page, "violation")} hidden as noise
      </DeskLink>
      : extensions, injected scripts, translated pages. Policies are not tested against them.
    </p>
  );
}

/** A policy and the URL of its dry run. */
interface CurrentPolicyInfo {
  readonly policy: string;
  readonly url: string;
}

const POLICY_CHARS = 600;

/** The policy with its link; nothing if no report names a policy. */
function CurrentPolicy({
  currentPolicy,
}: {
  currentPolicy: Promise<CurrentPolicyInfo | undefined>;
}) {
  const info = use(currentPolicy);
  if (info === undefined) return null;
  return (
    <div className="current-policy">
      <p>
        Policy of the newest violation: <DeskLink href={info.url}>Start from this policy</DeskLink>
      </p>
      <p>
        <code dir="ltr">{abbreviate(info.policy, POLICY_CHARS)}</code>
      </p>
    </div>
  );
}

// Browser reports other than CSP violations, and failed connections, as a list of issues.

interface BrowserReportsProps {
  readonly browserReports: Promise<IssueListPage>;
  readonly networkReports: Promise<IssueListPage>;
  readonly nowMs: number;
}

/** The list, most frequent first, or an empty state. */
function BrowserReports({ browserReports, networkReports, nowMs }: BrowserReportsProps) {
  const pages = [use(browserReports), use(networkReports)];
  const issues = pages.flatMap((page) => page.issues).sort((a, b) => b.count - a.count);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  const isTotalCapped = pages.some((page) => page.isTotalCapped);
  if (issues.length === 0) {
    return (
      <p className="muted">
        No reports yet. Browsers send deprecations, interventions, crashes, isolation policy
        violations and failed connections to the same endpoint.
      </p>
    );
  }
  return (
    <>
      <p className="heading-note">
        {pluralizeTotal({ total, ...(isTotalCapped && { isTotalCapped }) }, "issue")}
      </p>
      <IssueListTable
        issues={issues}
        nowMs={nowMs}
        caption="Other browser reports, most frequent first"
      />
      {(total > issues.length || isTotalCapped) && (
        <p className="muted spaced">
          Only the most frequent are shown. See all{" "}
          <DeskLink href={toSearchUrl("kind:browser")}>browser reports</DeskLink> and{" "}
          <DeskLink href={toSearchUrl("kind:network")}>failed connections</DeskLink>.
        </p>
      )}
    </>
  );
}

// The form for a dry run of a policy. It changes nothing and works without scripts.

interface PolicyFormProps {
  readonly text?: string | undefined;
  readonly placeholder: string;
  readonly error?: string | undefined;
}

/** The form. `error` describes what was expected instead of `text`. */
function PolicyForm({ text, placeholder, error }: PolicyFormProps) {
  return (
    <DeskForm className="policy-form" action="/csp" method="post">
      <label htmlFor="policy">Paste a policy or response headers</label>
      <textarea
        id="policy"
        name="policy"
        rows={4}
        maxLength={limits.maxPolicyChars}
        defaultValue={text}
        placeholder={placeholder}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        aria-describedby={error === undefined ? "policy-hint" : "policy-mistake policy-hint"}
        aria-invalid={error === undefined ? undefined : true}
      />
      {error !== undefined && (
        <p className="field-error" id="policy-mistake" role="alert">
          Not tested. Enter {error}.
        </p>
      )}
      <p className="form-row">
        <button type="submit">Test policy</button>
        <span className="muted" id="policy-hint">
          Checks all stored violations against this policy. Changes nothing.
        </span>
      </p>
    </DeskForm>
  );
}
