/**
 * Errata's reports about its own renders. They are noise of the rule `errata`, so that the lists of
 * an application's issues exclude them, and have a tag that filters find.
 */
import type { ParsedReport } from "../report.ts";
import type { Trust } from "../trust/trust.ts";

/** The tag of every such report. */
const SELF_REPORT_TAG = ["from", "errata"] as const;

/** The issue query that finds them. */
export const SELF_REPORT_QUERY = `is:noise ${SELF_REPORT_TAG[0]}:"${SELF_REPORT_TAG[1]}"`;

/**
 * True for a report of Errata's own render. No format that ingest accepts is `render`, so no sender
 * can hide an issue.
 */
export function isSelfReport({ format }: ParsedReport, trust: Trust): boolean {
  return format === "render" && trust === "server";
}

/** The report with the tag that identifies it. */
export function tagSelfReport(report: ParsedReport): ParsedReport {
  return { ...report, tags: [SELF_REPORT_TAG, ...(report.tags ?? [])] };
}
