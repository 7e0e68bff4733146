/**
 * Changes by reports that are only in memory. Under load the index stores an issue once for many
 * reports, which saves rows and compression. The logs keep these reports until their changes are
 * stored, and resend them after a restart of the index. A value is immutable: a rollback restores
 * an earlier one. Pure.
 */
import type { MatchedCounts } from "../../../core/alerts/triggers/judged-counts.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { CountedError } from "../../../core/overview/recent-errors.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { CounterBatch, type DailyCounters } from "../../../core/stats/counters.ts";

/** The most reports that are sent again after a restart. */
const MAX_REPORTS = 5_000;
/** Storing this many takes about 100 ms. */
const MAX_ISSUES = 600;
/** The JSON of the staged issues, approximately. `IssueCache` must hold the issues of a batch. */
const MAX_CHARS = 12_000_000;
/** More counters than this are added up. */
const MAX_COUNTERS = 200;
/** The size of a summary without its texts. */
const CHARS_PER_SUMMARY = 400;
/** The same of what a rule counts of an issue. */
const CHARS_PER_MATCH = 2_000;

/** An issue that is not stored yet. */
export interface StagedIssue {
  readonly issue: Issue;
  /** The issue in the table; null if it is not there. */
  readonly stored: Issue | null;
  /** True if only public reports changed it. */
  readonly isPublic: boolean;
}

/** The applied part of a shard's log. */
export interface ShardProgress {
  readonly seq: number;
  /** The offset of the last report (`keys.ts`, `toOffset`). */
  readonly watermark: number;
  /** The errors of this part. */
  readonly errors: readonly CountedError[];
}

/** The counts of rules, by `toMatchKey`. */
export type StagedMatches = ReadonlyMap<string, StagedMatch>;

interface StagedMatch {
  readonly digest: Digest;
  readonly rule: string;
  readonly counts: MatchedCounts;
}

export interface StagedChanges {
  readonly issues: ReadonlyMap<Digest, StagedIssue>;
  readonly counters: readonly DailyCounters[];
  readonly progress: ReadonlyMap<string, ShardProgress>;
  readonly matches: StagedMatches;
  readonly reportCount: number;
  readonly chars: number;
  /** When the last changes were applied, ms. */
  readonly appliedMs: number;
  /** True if public reports, or unknown senders, caused all changes. */
  readonly isPublic: boolean;
}

export const NOTHING_STAGED: StagedChanges = {
  issues: new Map(),
  counters: [],
  progress: new Map(),
  matches: new Map(),
  reportCount: 0,
  chars: 0,
  appliedMs: 0,
  isPublic: true,
};

/** The changes of a batch of reports. */
export interface BatchChanges {
  /** The issues after the batch, and before it (null: did not exist). */
  readonly issues: ReadonlyMap<Digest, Issue>;
  readonly before: ReadonlyMap<Digest, Issue | null>;
  readonly counters: readonly DailyCounters[];
  readonly summaries: readonly ReportSummary[];
  /** The issues that only public reports changed. */
  readonly publicIssues: ReadonlySet<Digest>;
  /** True if all rows are of public reports or of unknown senders. */
  readonly isPublic: boolean;
  readonly nowMs: number;
  /** The size of the JSON of those issues that were not staged. */
  readonly issueChars: number;
}

/** Adds the changes of a batch. */
export function stageBatch(staged: StagedChanges, batch: BatchChanges): StagedChanges {
  const issues = new Map(staged.issues);
  for (const [digest, issue] of batch.issues) {
    const { stored, isPublic } = issues.get(digest) ?? {
      stored: batch.before.get(digest) ?? null,
      isPublic: true,
    };
    const isStillPublic = isPublic && batch.publicIssues.has(digest);
    issues.set(digest, { issue, stored, isPublic: isStillPublic });
  }
  const chars = batch.summaries.reduce((sum, one) => sum + estimateChars(one), batch.issueChars);
  const counters = [...staged.counters, ...batch.counters];
  return {
    ...staged,
    issues,
    counters: counters.length > MAX_COUNTERS ? sumCounters({ counters }) : counters,
    reportCount: staged.reportCount + batch.summaries.length,
    chars: staged.chars + chars,
    appliedMs: batch.nowMs,
    isPublic: staged.isPublic && batch.isPublic,
  };
}

/** Adds what rules counted of an issue. */
export function stageMatches(
  staged: StagedChanges,
  digest: Digest,
  counted: readonly (readonly [rule: string, counts: MatchedCounts])[],
): StagedChanges {
  const matches = new Map(staged.matches);
  for (const [rule, counts] of counted)
    matches.set(toMatchKey(digest, rule), { digest, rule, counts });
  return { ...staged, matches, chars: staged.chars + counted.length * CHARS_PER_MATCH };
}

/** The key of an issue and a rule. Digests have the same length. */
export function toMatchKey(digest: Digest, rule: string): string {
  return `${digest} ${rule}`;
}

/** Adds the progress of a shard by rows that were applied at `appliedMs`. */
export function stageProgress(
  staged: StagedChanges,
  shard: string,
  { seq, watermark, errors }: ShardProgress,
  rows: Pick<StagedChanges, "appliedMs" | "isPublic">,
): StagedChanges {
  const before = staged.progress.get(shard);
  const progress = {
    seq,
    watermark: Math.max(before?.watermark ?? 0, watermark),
    errors: [...(before?.errors ?? []), ...errors],
  };
  return {
    ...staged,
    progress: new Map(staged.progress).set(shard, progress),
    appliedMs: rows.appliedMs,
    isPublic: staged.isPublic && rows.isPublic,
  };
}

/** True if the changes should be stored before others are staged. */
export function isFull({ reportCount, issues, chars }: StagedChanges): boolean {
  return reportCount >= MAX_REPORTS || issues.size >= MAX_ISSUES || chars >= MAX_CHARS;
}

/** True if more issues would use too much memory. */
export function isLarge({ chars }: StagedChanges): boolean {
  return chars >= MAX_CHARS;
}

/** The counters, added up by day. */
export function sumCounters({
  counters,
}: Pick<StagedChanges, "counters">): readonly DailyCounters[] {
  const batches = new Map<string, CounterBatch>();
  for (const { day, counters: added } of counters) {
    const batch = batches.get(day) ?? new CounterBatch();
    batch.addAll(added);
    batches.set(day, batch);
  }
  return Array.from(batches, ([day, batch]) => ({ day, counters: batch.drain() }));
}

function estimateChars({ message, url = "", tags = [] }: ReportSummary): number {
  const tagChars = tags.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return CHARS_PER_SUMMARY + message.length + url.length + tagChars;
}
