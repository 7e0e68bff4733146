/** A report that has just arrived, as one row of the live page. */

import { formatCulprit, type IssuePlace } from "../place/issue-place.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { withOtherErrors } from "../report/title.ts";
import type { Digest, ReportId, ReportKind, Side } from "../report.ts";
import type { Trust } from "../trust/trust.ts";

/** One report, or (`occurrences`) several rolled up. */
export interface LiveEvent {
  readonly id: ReportId;
  /** The issue that it counts in. */
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly side: Side;
  readonly trust: Trust;
  readonly atMs: number;
  readonly type: string;
  readonly message: string;
  readonly culprit?: string;
  readonly route?: string;
  readonly release?: string;
  readonly environment?: string;
  readonly browser?: string;
  /** The author of feedback. */
  readonly author?: string;
  readonly occurrences?: number;
  /** The first report of its issue. */
  readonly isNew?: true;
}

/**
 * The live event of a report summary, with the members that the live list shows. The place of the
 * report in the original source, if it is known, is its culprit.
 */
export function toLiveEvent(
  summary: ReportSummary,
  isNew: boolean,
  place: IssuePlace | undefined,
): LiveEvent {
  const { id, digest, kind, side, trust, atMs, type } = summary;
  const message = withOtherErrors(summary.message, summary.otherErrors);
  const { route, release, environment, browser, author, occurrences } = summary;
  const culprit = formatCulprit({ ...summary, place });
  return {
    id,
    digest,
    kind,
    side,
    trust,
    atMs,
    type,
    message,
    culprit,
    route,
    release,
    environment,
    browser,
    author,
    occurrences,
    ...(isNew && { isNew: true as const }),
  };
}
