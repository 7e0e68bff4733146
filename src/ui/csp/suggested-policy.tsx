/**
 * A policy that allows the violations: one directive per line, copied as one header line, with the
 * sources that were added.
 */
import type { CspPolicy } from "../../core/csp/directives.ts";
import type { DryRun } from "../../core/csp/dry-run.ts";
import type { AddedSource } from "../../core/csp/extend-policy.ts";
import { serializePolicy } from "../../core/csp/parse-policies.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";

const WORD_CHARS = 80;
/** Per directive; the header has all of them. */
const MAX_SHOWN_ADDITIONS = 8;
const HEADER_NAME = "Content-Security-Policy:";

/** The header, the added sources by directive, and advice. */
export function SuggestedPolicy({
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
