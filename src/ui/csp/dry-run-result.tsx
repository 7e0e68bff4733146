/** The result of a dry run: violations by verdict, and a policy that allows them. */
import { use } from "react";
import type { CspPolicy } from "../../core/csp/directives.ts";
import type { CountedViolation, DryRun } from "../../core/csp/dry-run.ts";
import type { PolicyVerdict } from "../../core/csp/evaluate-policies.ts";
import type { AddedSource, Requirement, StillBlocked } from "../../core/csp/extend-policy.ts";
import { type PolicyWarning, serializePolicy } from "../../core/csp/parse-policies.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { PROBLEM_TEXTS, REQUIREMENT_TEXTS, VERDICT_TEXTS } from "./verdict-text.ts";
import type { LoadedViolations } from "./violation-table.tsx";

/** A dry run with its context. */
export interface PolicyDryRun extends DryRun {
  readonly warnings: readonly PolicyWarning[];
  /** The number of further warnings. */
  readonly hiddenWarningCount: number;
  /** The origins that `'self'` matched, most frequent first. */
  readonly origins: readonly string[];
}

interface DryRunResultProps {
  readonly dryRun: Promise<PolicyDryRun>;
  readonly violations: Promise<LoadedViolations>;
  /** True if no policy was entered. */
  readonly isPlaceholder: boolean;
}

export function DryRunResult({ dryRun, violations, isPlaceholder }: DryRunResultProps) {
  const { counts, extended, warnings, hiddenWarningCount, origins } = use(dryRun);
  const { issues } = use(violations);
  return (
    <div className="dry-run-result">
      {warnings.length > 0 && (
        <Warnings warnings={warnings} hiddenWarningCount={hiddenWarningCount} />
      )}
      {issues.length === 0 ? (
        <p>There are no stored violations to test against.</p>
      ) : (
        <>
          <dl className="verdicts">
            {VERDICTS.map((verdict) => (
              <div
                key={verdict}
                data-verdict={verdict}
                data-zero={counts[verdict].violationCount === 0 ? "" : undefined}
              >
                <dt>{VERDICT_TEXTS[verdict]}</dt>
                <dd>
                  <b>{formatNumber(counts[verdict].violationCount)}</b>{" "}
                  <span>
                    {counts[verdict].violationCount === 1 ? "violation" : "violations"},{" "}
                    {pluralize(counts[verdict].reportCount, "report")}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          <SuggestedPolicy extended={extended} isPlaceholder={isPlaceholder} />
          <Requirements stillBlocked={extended.stillBlocked} />
          <p className="muted">
            Tested against URLs as reported, before redirects.
            {origins.length > 0 && (
              <>
                {" "}
                <code>'self'</code> matches the origin of the page: <OriginList origins={origins} />
                .
              </>
            )}
          </p>
        </>
      )}
    </div>
  );
}

const VERDICTS: readonly PolicyVerdict["verdict"][] = ["blocked", "undecided", "allowed"];
const WORD_CHARS = 80;

function Warnings({
  warnings,
  hiddenWarningCount,
}: Pick<PolicyDryRun, "warnings" | "hiddenWarningCount">) {
  return (
    <ul className="policy-warnings" aria-label="Policy warnings">
      {warnings.map(({ problem, word }, index) => (
        <li key={index}>
          <code dir="ltr">{abbreviate(word, WORD_CHARS)}</code> {PROBLEM_TEXTS[problem]}
        </li>
      ))}
      {hiddenWarningCount > 0 && <li>{pluralize(hiddenWarningCount, "more warning")}</li>}
    </ul>
  );
}

function Requirements({
  stillBlocked,
}: {
  stillBlocked: readonly StillBlocked<CountedViolation>[];
}) {
  if (stillBlocked.length === 0) return null;
  const countByRequirement = new Map<Requirement, number>();
  for (const { requirement } of stillBlocked)
    countByRequirement.set(requirement, (countByRequirement.get(requirement) ?? 0) + 1);
  return (
    <section aria-labelledby="requirements">
      <h3 id="requirements">Violations that no source can allow</h3>
      <ul className="requirements">
        {[...countByRequirement].map(([requirement, violations]) => (
          <li key={requirement}>
            <b>{pluralize(violations, "violation")}.</b> {REQUIREMENT_TEXTS[requirement]}
          </li>
        ))}
      </ul>
    </section>
  );
}

const MAX_SHOWN_ORIGINS = 3;

function OriginList({ origins }: { origins: readonly string[] }) {
  const others = origins.length - MAX_SHOWN_ORIGINS;
  return (
    <>
      {origins.slice(0, MAX_SHOWN_ORIGINS).map((origin, index) => (
        <span key={origin}>
          {index > 0 && ", "}
          <bdi>{abbreviate(origin, WORD_CHARS)}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${pluralize(others, "other")}`}
    </>
  );
}

// A policy that allows the violations: one directive per line, copied as one header line, with the
// sources that were added.

/** Per directive; the header has all of them. */
const MAX_SHOWN_ADDITIONS = 8;
const HEADER_NAME = "Content-Security-Policy:";

/** The header, the added sources by directive, and advice. */
function SuggestedPolicy({
  extended: { policies, additions },
  isPlaceholder,
}: {
  extended: DryRun["extended"];
  isPlaceholder: boolean;
}) {
  const header = policies.map(serializePolicy).join(", ");
  return (
    <section className="suggested-policy" aria-labelledby="clean">
      <h3 id="clean">Suggested header</h3>
      <div className="snippet">
        <pre dir="ltr">
          {`${HEADER_NAME}\n`}
          {formatLines(policies).map((line, index) => (
            <span className="header-line" key={index}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
        <CopyButton text={`${HEADER_NAME} ${header}`} label="this header as one line" />
      </div>
      {additions.length > 0 ? (
        <AddedSources additions={additions} />
      ) : (
        <p>No sources need to be added.</p>
      )}
      <p className="muted">
        {isPlaceholder && "No policy was entered, so this starts from a strict default policy. "}
        It may be incomplete, because browsers report only blocked resources. Send it as{" "}
        <code>Content-Security-Policy-Report-Only</code> first.
      </p>
    </section>
  );
}

/** One directive per line, ending in a semicolon, or in a comma between two policies. */
function formatLines(policies: readonly CspPolicy[]): readonly string[] {
  return policies.flatMap((policy, policyIndex) =>
    policy.map((directive, index) => {
      const isLast = index === policy.length - 1;
      const end = !isLast ? ";" : policyIndex < policies.length - 1 ? "," : "";
      return serializePolicy([directive]) + end;
    }),
  );
}

/** The added sources by directive, each with the violations that it allows. */
function AddedSources({ additions }: { additions: readonly AddedSource[] }) {
  return (
    <dl className="additions">
      {[...Map.groupBy(additions, ({ directive }) => directive)].map(([directive, sources]) => (
        <div key={directive}>
          <dt>
            <code>{abbreviate(directive, WORD_CHARS)}</code>:{" "}
            <ins>+{formatNumber(sources.length)}</ins>
          </dt>
          <dd>
            <ul>
              {sources.slice(0, MAX_SHOWN_ADDITIONS).map(({ source, violationCount }) => (
                <li key={source}>
                  <code dir="ltr">{abbreviate(source, WORD_CHARS)}</code>{" "}
                  <span className="muted">{pluralize(violationCount, "violation")}</span>
                </li>
              ))}
              {sources.length > MAX_SHOWN_ADDITIONS && (
                <li className="muted">
                  and {formatNumber(sources.length - MAX_SHOWN_ADDITIONS)} more
                </li>
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
