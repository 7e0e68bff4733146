/** The policy of the newest violation, to start from. */
import { use } from "react";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";

/** A policy and the URL of its dry run. */
export interface CurrentPolicyInfo {
  readonly policy: string;
  readonly url: string;
}

const POLICY_CHARS = 600;

/** The policy with its link; nothing if no report names a policy. */
export function CurrentPolicy({
  currentPolicy,
}: {
  readonly currentPolicy: Promise<CurrentPolicyInfo | undefined>;
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
