/** How Errata's own failures are told apart: by a tag, as no other report's release or environment does it. */

/** The tag that every one of them has. */
export const OWN_TAG = ["from", "errata"] as const;

/** The query that lists them. */
export const OWN_FAILURES = `${OWN_TAG[0]}:"${OWN_TAG[1]}"`;
