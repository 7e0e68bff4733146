/**
 * Tests candidate policies against reported violations: the verdict for each violation, and
 * policies extended to allow them. A violation is a CSP issue, weighted by its number of reports.
 */

import type { CspPolicy } from "./directives.ts";
import {
  type CspViolation,
  evaluatePolicies,
  isOwnResource,
  type PolicyVerdict,
} from "./evaluate-policies.ts";
import { type ExtendedPolicies, extendPolicies } from "./extend-policy.ts";

/** A violation with its issue's digest and number of reports. */
export interface CountedViolation extends CspViolation {
  readonly digest: string;
  readonly reportCount: number;
  /** True if only public reports have it: anyone may have invented it. */
  readonly isPublic?: boolean;
}

/** The number of violations with a verdict, and of their reports. */
interface VerdictTotals {
  readonly violationCount: number;
  readonly reportCount: number;
}

export interface DryRun {
  /** The verdict for each issue, by its digest. */
  readonly verdicts: ReadonlyMap<string, PolicyVerdict>;
  readonly counts: Readonly<Record<PolicyVerdict["verdict"], VerdictTotals>>;
  readonly extended: ExtendedPolicies<CountedViolation>;
  /**
   * The violations whose resource is the site's own (`isOwnResource`), and which the policies
   * block. If there are trusted violations, only those.
   */
  readonly blockedOwn: readonly CountedViolation[];
}

/**
 * The verdict for each violation, the totals by verdict, and policies extended by the missing
 * sources. If there are trusted violations, public ones extend no policy and count as none of the
 * site's own, so that strangers cannot add sources or fail a build.
 */
export function dryRunPolicies(
  policies: readonly CspPolicy[],
  violations: readonly CountedViolation[],
): DryRun {
  const verdicts = new Map(
    violations.map((one) => [one.digest, evaluatePolicies(policies, one)] as const),
  );
  const countVerdicts = (wanted: PolicyVerdict["verdict"]): VerdictTotals => {
    const matching = violations.filter(({ digest }) => verdicts.get(digest)?.verdict === wanted);
    return {
      violationCount: matching.length,
      reportCount: matching.reduce((sum, { reportCount }) => sum + reportCount, 0),
    };
  };
  const trusted = violations.filter(({ isPublic }) => isPublic !== true);
  const counted = trusted.length > 0 ? trusted : violations;
  return {
    verdicts,
    counts: {
      blocked: countVerdicts("blocked"),
      allowed: countVerdicts("allowed"),
      undecided: countVerdicts("undecided"),
    },
    extended: extendPolicies(policies, counted),
    blockedOwn: counted.filter(
      (one) => verdicts.get(one.digest)?.verdict === "blocked" && isOwnResource(one),
    ),
  };
}
