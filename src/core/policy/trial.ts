/**
 * A candidate policy tried against what was reported: of each violation what would become of it, and the header that would be
 * clean. Violations are issues, each as often as it was counted.
 */

import type { Policy } from "./directives.ts";
import { type Extended, extend } from "./extend.ts";
import { judge, type Verdict, type Violation } from "./judge.ts";

/** A violation with what it is counted by. */
export interface CountedViolation extends Violation {
  readonly digest: string;
  readonly count: number;
}

/** How many violations have a verdict, and how many reports they stand for. */
export interface VerdictCount {
  readonly violations: number;
  readonly reports: number;
}

/** What came of it. */
export interface Trial {
  /** By the digest of the issue. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly counts: Readonly<Record<Verdict["verdict"], VerdictCount>>;
  readonly extended: Extended<CountedViolation>;
}

/** Tries policies against violations. */
export function tryPolicies(
  policies: readonly Policy[],
  violations: readonly CountedViolation[],
): Trial {
  const verdicts = new Map(violations.map((one) => [one.digest, judge(policies, one)] as const));
  const countOf = (wanted: Verdict["verdict"]): VerdictCount => {
    const those = violations.filter(({ digest }) => verdicts.get(digest)?.verdict === wanted);
    return {
      violations: those.length,
      reports: those.reduce((sum, { count }) => sum + count, 0),
    };
  };
  return {
    verdicts,
    counts: {
      blocked: countOf("blocked"),
      allowed: countOf("allowed"),
      undecided: countOf("undecided"),
    },
    extended: extend(policies, violations),
  };
}
