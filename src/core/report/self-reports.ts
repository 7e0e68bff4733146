/** How Errata's own failures are told apart: by a tag, as no other report's release or environment does it. */

/** The tag that every one of them has. */
export const SELF_REPORT_TAG = ["from", "errata"] as const;

/** The query that lists them. */
export const SELF_REPORT_QUERY = `${SELF_REPORT_TAG[0]}:"${SELF_REPORT_TAG[1]}"`;
