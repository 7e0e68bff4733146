/** The policy that would be clean: a directive a line, copied as one header line; and what was added to the one that was tried. */
import type { Policy } from "../../core/policy/directives.ts";
import type { Addition } from "../../core/policy/extend.ts";
import { writePolicy } from "../../core/policy/read-policies.ts";
import type { Trial } from "../../core/policy/trial.ts";
import { CopyButton } from "../copy-button.tsx";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";

const WORD_CHARS = 80;
/** Of each directive; the header has them all. */
const SHOWN_ADDITIONS = 8;
const HEADER = "Content-Security-Policy:";

/** The header, the additions by directive, and how it is sent first. `isStart` says that nothing was pasted. */
export function CleanHeader({
  extended: { policies, additions },
  isStart,
}: {
  readonly extended: Trial["extended"];
  readonly isStart: boolean;
}) {
  const header = policies.map(writePolicy).join(", ");
  return (
    <section className="clean" aria-labelledby="clean">
      <h3 id="clean">The header that would be clean</h3>
      <div className="snippet">
        <pre dir="ltr">
          {`${HEADER}\n`}
          {linesOf(policies).map((line, index) => (
            <span className="header-line" key={index}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
        <CopyButton text={`${HEADER} ${header}`} what="this header, in one line" />
      </div>
      {additions.length > 0 ? (
        <Additions additions={additions} />
      ) : (
        <p>It is the policy itself: no address has to be added.</p>
      )}
      <p className="aside">
        {isStart && "Nothing was pasted, so it begins with the strictest policy that is usual. "}
        What a policy has allowed is never reported: send it as{" "}
        <code>Content-Security-Policy-Report-Only</code> first.
      </p>
    </section>
  );
}

/** A directive a line, with what parts it from the next: within a policy a semicolon, between two a comma. */
function linesOf(policies: readonly Policy[]): readonly string[] {
  return policies.flatMap((policy, nth) =>
    policy.map((directive, index) => {
      const isLast = index === policy.length - 1;
      const end = !isLast ? ";" : nth < policies.length - 1 ? "," : "";
      return writePolicy([directive]) + end;
    }),
  );
}

/** What was added, by directive, with how many violations each source lets in. */
function Additions({ additions }: { readonly additions: readonly Addition[] }) {
  return (
    <dl className="additions">
      {[...Map.groupBy(additions, ({ directive }) => directive)].map(([directive, those]) => (
        <div key={directive}>
          <dt>
            <code>{headOf(directive, WORD_CHARS)}</code>: <ins>+{figure(those.length)}</ins>
          </dt>
          <dd>
            <ul>
              {those.slice(0, SHOWN_ADDITIONS).map(({ source, violations }) => (
                <li key={source}>
                  <code dir="ltr">{headOf(source, WORD_CHARS)}</code>{" "}
                  <span className="aside">{counted(violations, "violation")}</span>
                </li>
              ))}
              {those.length > SHOWN_ADDITIONS && (
                <li className="aside">and {figure(those.length - SHOWN_ADDITIONS)} more</li>
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
