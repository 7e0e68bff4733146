/** The policy that was in force when the newest violation was reported: the one that people want to change. */
import { use } from "react";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";

/** A policy, and the address that tries it. */
export interface InForce {
  readonly policy: string;
  readonly url: string;
}

const POLICY_CHARS = 600;

/** The policy with its link; nothing where no report names one. */
export function StartFrom({ inForce }: { readonly inForce: Promise<InForce | undefined> }) {
  const found = use(inForce);
  if (found === undefined) return null;
  return (
    <div className="start-from">
      <p>
        The newest violation was reported under this policy. <A href={found.url}>Start from it</A>
      </p>
      <p>
        <code dir="ltr">{headOf(found.policy, POLICY_CHARS)}</code>
      </p>
    </div>
  );
}
