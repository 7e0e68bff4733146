/**
 * The issues read or written last, with their rows: a few issues receive most reports and views.
 * About 25 MB of memory: two bytes for each character of their JSON. An issue with many reports has
 * 12,000 to 16,000 characters, so 500 of these fit.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import type { IssueColumns } from "./issue-columns.ts";

const MAX_ISSUES = 1_000;
/** The limit for the JSON of all bodies. */
const MAX_CHARS = 12_000_000;
/** Larger bodies are not cached. */
const MAX_BODY_CHARS = 60_000;

/** A row of `issue`, without the body. */
export interface IssueRow extends IssueColumns {
  readonly id: number;
}

interface CachedIssue {
  readonly stored: Issue;
  readonly row: IssueRow;
  /** The length of its JSON. */
  readonly bodyChars: number;
}

export class IssueCache {
  readonly #issues = new Map<Digest, CachedIssue>();
  #chars = 0;

  get(digest: Digest): CachedIssue | undefined {
    return this.#issues.get(digest);
  }

  add(issue: CachedIssue): void {
    const { digest } = issue.stored;
    this.remove(digest);
    if (issue.bodyChars > MAX_BODY_CHARS) return;
    this.#issues.set(digest, issue);
    this.#chars += issue.bodyChars;
    for (const oldest of this.#issues.keys()) {
      if (this.#issues.size <= MAX_ISSUES && this.#chars <= MAX_CHARS) return;
      this.remove(oldest);
    }
  }

  remove(digest: Digest): void {
    this.#chars -= this.#issues.get(digest)?.bodyChars ?? 0;
    this.#issues.delete(digest);
  }

  clear(): void {
    this.#issues.clear();
    this.#chars = 0;
  }
}
