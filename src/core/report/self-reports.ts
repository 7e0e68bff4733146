/**
 * Reports about Errata itself: its failed renders, and what browsers report about its pages. They
 * are noise of the rule `errata`, so that the lists of an application's issues exclude them, and
 * have tags that filters find.
 */
import type { ParsedReport } from "../report.ts";
import type { Trust } from "../trust/trust.ts";

type Tag = readonly [name: string, value: string];

/** The tag of every such report. */
const SELF_REPORT_TAG: Tag = ["from", "errata"];

/** The tag of those that a self-test caused. */
const SELF_TEST_TAG: Tag = ["self-test", "true"];

/** The issue query that finds all of them. */
export const SELF_REPORT_QUERY = `is:noise ${toFilter(SELF_REPORT_TAG)}`;

/** The issue query that finds those of self-tests. */
export const SELF_TEST_QUERY = `${SELF_REPORT_QUERY} ${toFilter(SELF_TEST_TAG)}`;

function toFilter([name, value]: Tag): string {
  return `${name}:"${value}"`;
}

/**
 * True for a report of Errata's own render, and for one about a page of Errata itself, which a page
 * token proves. Ingest accepts no report of the format `render`, and a token covers only the
 * reports sent with it, so no sender can hide another sender's issue.
 */
export function isSelfReport(
  { format }: ParsedReport,
  { trust, isOnOwnPage = false }: { trust: Trust; isOnOwnPage?: boolean },
): boolean {
  return isOnOwnPage || (format === "render" && trust === "server");
}

/** The report with the tags that identify it. */
export function tagSelfReport(report: ParsedReport): ParsedReport {
  const tags = isOfSelfTest(report) ? [SELF_REPORT_TAG, SELF_TEST_TAG] : [SELF_REPORT_TAG];
  return { ...report, tags: [...tags, ...(report.tags ?? [])] };
}

/** The path of one kind of failure, of any project. */
const SELF_TEST_PATH = /^(?:\/p\/[^/]+)?\/self-test\/./;

/** True for a report about a page that fails on purpose. */
export function isOfSelfTest({ request }: ParsedReport): boolean {
  const path = request?.route ?? URL.parse(request?.url ?? "")?.pathname;
  return path !== undefined && SELF_TEST_PATH.test(path);
}
