/** What came of a policy that was tried: how many violations it would still block, and the header that would be clean. */
import { use } from "react";
import type { Left, Need } from "../../core/policy/extend.ts";
import type { Verdict } from "../../core/policy/judge.ts";
import type { Remark } from "../../core/policy/read-policies.ts";
import type { CountedViolation, Trial } from "../../core/policy/trial.ts";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { CleanHeader } from "./clean-header.tsx";
import { FAULT_WORDS, NEED_WORDS, VERDICT_WORDS } from "./policy-words.ts";
import type { Violations } from "./violation-list.tsx";

/** A trial with what has to be known beside it. */
export interface TriedOut extends Trial {
  readonly remarks: readonly Remark[];
  /** How many remarks there are beside these. */
  readonly unsaid: number;
  /** The origins that `'self'` was taken for, the most frequent first. */
  readonly origins: readonly string[];
}

interface TrialResultProps {
  readonly trial: Promise<TriedOut>;
  readonly violations: Promise<Violations>;
  /** Nothing was pasted. */
  readonly isStart: boolean;
}

/** The result, above the violations that it is about. */
export function TrialResult({ trial, violations, isStart }: TrialResultProps) {
  const { counts, extended, remarks, unsaid, origins } = use(trial);
  const { issues } = use(violations);
  return (
    <div className="trial-result">
      {remarks.length > 0 && <Remarks remarks={remarks} unsaid={unsaid} />}
      {issues.length === 0 ? (
        <p>No violation is stored that it could be held against.</p>
      ) : (
        <>
          <dl className="verdicts">
            {VERDICTS.map((verdict) => (
              <div
                key={verdict}
                data-verdict={verdict}
                data-zero={counts[verdict].violations === 0 ? "" : undefined}
              >
                <dt>{VERDICT_WORDS[verdict]}</dt>
                <dd>
                  <b>{figure(counts[verdict].violations)}</b>{" "}
                  <span>
                    {counts[verdict].violations === 1 ? "violation" : "violations"},{" "}
                    {counted(counts[verdict].reports, "report")}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          <CleanHeader extended={extended} isStart={isStart} />
          <NeedList left={extended.left} />
          <p className="aside">
            Held against each address as the report gives it, before redirects.
            {origins.length > 0 && (
              <>
                {" "}
                <code>'self'</code> is the origin of the page: <Origins origins={origins} />.
              </>
            )}
          </p>
        </>
      )}
    </div>
  );
}

const VERDICTS: readonly Verdict["verdict"][] = ["blocked", "undecided", "allowed"];
const WORD_CHARS = 80;

function Remarks({ remarks, unsaid }: Pick<TriedOut, "remarks" | "unsaid">) {
  return (
    <ul className="remarks" aria-label="What browsers will not understand">
      {remarks.map(({ fault, word }, index) => (
        <li key={index}>
          <code dir="ltr">{headOf(word, WORD_CHARS)}</code> {FAULT_WORDS[fault]}
        </li>
      ))}
      {unsaid > 0 && <li>{counted(unsaid, "more word")} like these.</li>}
    </ul>
  );
}

function NeedList({ left }: { readonly left: readonly Left<CountedViolation>[] }) {
  if (left.length === 0) return null;
  const byNeed = new Map<Need, number>();
  for (const { need } of left) byNeed.set(need, (byNeed.get(need) ?? 0) + 1);
  return (
    <section aria-labelledby="needs">
      <h3 id="needs">What no address lets in</h3>
      <ul className="needs">
        {[...byNeed].map(([need, violations]) => (
          <li key={need}>
            <b>{counted(violations, "violation")}.</b> {NEED_WORDS[need]}
          </li>
        ))}
      </ul>
    </section>
  );
}

const SHOWN_ORIGINS = 3;

function Origins({ origins }: { readonly origins: readonly string[] }) {
  const others = origins.length - SHOWN_ORIGINS;
  return (
    <>
      {origins.slice(0, SHOWN_ORIGINS).map((origin, index) => (
        <span key={origin}>
          {index > 0 && ", "}
          <bdi>{headOf(origin, WORD_CHARS)}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${counted(others, "other")}`}
    </>
  );
}
