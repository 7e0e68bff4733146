/**
 * Compares an issue with the other issues that were seen last. They are read at most once a minute,
 * and only for an issue with enough reports. Synchronous.
 */
import {
  type ComparedIssue,
  type Comparison,
  compareIssue,
  isComparable,
  toComparedIssue,
} from "../../../core/differences/find-differences.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { MINUTE_MS } from "../../../core/utc-time.ts";

/** Reading the values of an issue takes about 0.1 ms. */
const MAX_OTHERS = 100;

export class IssueComparer {
  readonly #listNewest: (count: number) => readonly Issue[];
  #others: readonly ComparedIssue[] = [];
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(listNewest: (count: number) => readonly Issue[]) {
    this.#listNewest = listNewest;
  }

  compare(issue: Issue, nowMs: number): Comparison {
    const compared = toComparedIssue(issue);
    if (!isComparable(compared)) return { differences: [], usual: [] };
    if (Math.abs(nowMs - this.#readMs) >= MINUTE_MS) {
      this.#others = this.#listNewest(MAX_OTHERS).map(toComparedIssue);
      this.#readMs = nowMs;
    }
    return compareIssue(compared, this.#others);
  }
}
