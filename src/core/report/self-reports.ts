/**
 * Errata's reports about itself. A tag identifies them, because release and environment are also
 * used by other reports.
 */

/** The tag of every such report. */
export const SELF_REPORT_TAG = ["from", "errata"] as const;

/** The issue query that finds them. */
export const SELF_REPORT_QUERY = `${SELF_REPORT_TAG[0]}:"${SELF_REPORT_TAG[1]}"`;
