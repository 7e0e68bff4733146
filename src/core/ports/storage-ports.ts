/** The port of the log, which ingest writes to, and what reads of a project return. */

import type { AgentDestination } from "../alerts/hand-off.ts";
import type { WithSentAlerts } from "../alerts/sent-alert.ts";
import type { Difference, UsualShare } from "../differences/find-differences.ts";
import type { Annotations } from "../issue/annotations.ts";
import type { FixProof } from "../issue/fix-proof.ts";
import type { FixStatus } from "../issue/fix-status.ts";
import type { Issue, IssueSummary } from "../issue/issue.ts";
import type { LogPosition } from "../report/report-summary.ts";
import type { Digest, Report, ReportId } from "../report.ts";
import type { CodeSettings } from "../repositories/repository.ts";
import type { CounterDelta } from "../stats/counters.ts";

/** The result of appending a report. It is durable. */
export interface AppendResult {
  readonly id: ReportId;
  /** Its position; absent while the report is in the spool. */
  readonly position?: LogPosition;
  /** A retry of a stored report: nothing was written or counted. */
  readonly isDuplicate: boolean;
  /** The id of the stored report, if it differs: a retry across the border of an interval. */
  readonly storedId?: ReportId;
  /** The report is counted without its body, because its issue is busy. */
  readonly isRolledUp?: boolean;
  /** Its shard did not accept it. It is stored in KV, and counts once it is in the log. */
  readonly isSpooled?: boolean;
}

/** The write-ahead log. */
export interface ReportWriter {
  /**
   * Resolves when every report and counter is durable, with one result per report, in order.
   * Rejects if they may not be. The sender can then resend them, because an id counts once.
   */
  append(
    reports: readonly Report[],
    counters?: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]>;
}

/** The current state of an issue. */
export interface CurrentIssue {
  /** Null if unknown. */
  readonly issue: Issue | null;
  /** Empty if the issue is unknown. */
  readonly annotations: Annotations & WithSentAlerts;
  /**
   * Those that were split from it by stack, then at most `limits.similarIssues`, the most similar
   * first.
   */
  readonly similar: readonly SimilarIssue[];
  /** What is different about its reports. Absent from an index of the release before. */
  readonly differences?: readonly Difference[];
  /** What is usual about them. Absent from an index of the release before. */
  readonly usual?: readonly UsualShare[];
  /** Absent unless the issue is resolved in a release that has sessions. */
  readonly proof?: FixProof;
  /** The repositories and the owners of the project. Absent from an index of the release before. */
  readonly code?: CodeSettings;
  /**
   * The state of its fix. Absent if the issue is unknown, and from an index of the release before.
   */
  readonly fix?: FixStatus;
  /** The agents that a member can hand it to. Absent from an index of the release before. */
  readonly agents?: readonly Pick<AgentDestination, "id" | "name">[];
}

/** An issue with similar text, or of the same type and place, with the parts of its key. */
export interface SimilarIssue extends IssueSummary, Pick<Issue, "grouping"> {}

/** Where a report is stored, and the issue that counts it. */
export interface ReportLocation {
  readonly digest: Digest;
  readonly position: LogPosition;
  /** Absent if the report was counted without its body. */
  readonly id?: ReportId;
}

/** A line of an export to be stored. */
export interface ImportLine {
  /** A report, a rollup or counters, as the log stores them. */
  readonly line: string;
  /** The ids that deduplicate it: the report's, those in the rollup, or one for the counters. */
  readonly ids: readonly ReportId[];
}

/** The reports of an export: all, or those that arrived on one UTC day (`2026-11-21`). */
export interface ExportOptions {
  readonly day?: string;
  /** The end of an earlier export of the same reports. */
  readonly cursor?: string;
  /** Names the installation and the project in the header line. */
  readonly source?: string;
  readonly limits?: ExportLimits;
}

/** How much of an export one part has. */
export interface ExportLimits {
  /** The most calls to shards, and the most chunks that each reads. */
  readonly calls: number;
  readonly chunksPerCall: number;
  /** A part with at least these bytes makes no further call. */
  readonly bytes: number;
}
