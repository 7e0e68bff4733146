/** The policy that was in force when the newest violation was reported: the one that people want to change. */
import { use } from "react";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";

/** A policy, and the address that tries it. */
export interface CurrentPolicyInfo {
  readonly policy: string;
  readonly url: string;
}

const POLICY_CHARS = 600;

/** The policy with its link; nothing where no report names one. */
export function CurrentPolicy({
  currentPolicy,
}: {
  readonly currentPolicy: Promise<CurrentPolicyInfo | undefined>;
}) {
  const found = use(currentPolicy);
  if (found === undefined) return null;
  return (
    <div className="start-from">
      <p>
        The newest violation was reported under this policy.{" "}
        <DeskLink href={found.url}>Start from it</DeskLink>
      </p>
      <p>
        <code dir="ltr">{abbreviate(found.policy, POLICY_CHARS)}</code>
      </p>
    </div>
  );
}
