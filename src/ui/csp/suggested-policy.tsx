/** The policy that would be clean: a directive a line, copied as one header line; and what was added to the one that was tried. */
import type { CspPolicy } from "../../core/csp/directives.ts";
import type { DryRun } from "../../core/csp/dry-run.ts";
import type { AddedSource } from "../../core/csp/extend-policy.ts";
import { serializePolicy } from "../../core/csp/parse-policies.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";

const WORD_CHARS = 80;
/** Of each directive; the header has them all. */
const MAX_SHOWN_ADDITIONS = 8;
const HEADER_NAME = "Content-Security-Policy:";

/** The header, the additions by directive, and how it is sent first. `isStart` says that nothing was pasted. */
export function SuggestedPolicy({
  extended: { policies, additions },
  isPlaceholder,
}: {
  readonly extended: DryRun["extended"];
  readonly isPlaceholder: boolean;
}) {
  const header = policies.map(serializePolicy).join(", ");
  return (
    <section className="clean" aria-labelledby="clean">
      <h3 id="clean">The header that would be clean</h3>
      <div className="snippet">
        <pre dir="ltr">
          {`${HEADER_NAME}\n`}
          {formatLines(policies).map((line, index) => (
            <span className="header-line" key={index}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
        <CopyButton text={`${HEADER_NAME} ${header}`} label="this header, in one line" />
      </div>
      {additions.length > 0 ? (
        <AddedSources additions={additions} />
      ) : (
        <p>It is the policy itself: no address has to be added.</p>
      )}
      <p className="muted">
        {isPlaceholder &&
          "Nothing was pasted, so it begins with the strictest policy that is usual. "}
        What a policy has allowed is never reported: send it as{" "}
        <code>Content-Security-Policy-Report-Only</code> first.
      </p>
    </section>
  );
}

/** A directive a line, with what parts it from the next: within a policy a semicolon, between two a comma. */
function formatLines(policies: readonly CspPolicy[]): readonly string[] {
  return policies.flatMap((policy, nth) =>
    policy.map((directive, index) => {
      const isLast = index === policy.length - 1;
      const end = !isLast ? ";" : nth < policies.length - 1 ? "," : "";
      return serializePolicy([directive]) + end;
    }),
  );
}

/** What was added, by directive, with how many violations each source lets in. */
function AddedSources({ additions }: { readonly additions: readonly AddedSource[] }) {
  return (
    <dl className="additions">
      {[...Map.groupBy(additions, ({ directive }) => directive)].map(([directive, those]) => (
        <div key={directive}>
          <dt>
            <code>{abbreviate(directive, WORD_CHARS)}</code>:{" "}
            <ins>+{formatNumber(those.length)}</ins>
          </dt>
          <dd>
            <ul>
              {those.slice(0, MAX_SHOWN_ADDITIONS).map(({ source, violationCount }) => (
                <li key={source}>
                  <code dir="ltr">{abbreviate(source, WORD_CHARS)}</code>{" "}
                  <span className="muted">{pluralize(violationCount, "violation")}</span>
                </li>
              ))}
              {those.length > MAX_SHOWN_ADDITIONS && (
                <li className="muted">
                  and {formatNumber(those.length - MAX_SHOWN_ADDITIONS)} more
                </li>
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
