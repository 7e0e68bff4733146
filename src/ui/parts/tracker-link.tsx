/** The issue of a tracker as a link, and its mark in lists. */
import type { IssueTracker } from "../../core/issue/tracker-link.ts";
import { abbreviate } from "./long-text.tsx";
import { safeHref } from "./safe-href.ts";

const LABEL_CHARS = 60;

/** `acme/shop#12`, as a link that leaves Errata. */
export function TrackerLinkText({ tracker: { url, label } }: { tracker: IssueTracker }) {
  return (
    <a href={safeHref(url)} rel="noreferrer">
      <bdi>{abbreviate(label, LABEL_CHARS)}</bdi>
    </a>
  );
}

/** The mark of a linked issue in a list. */
export function TrackerMark({ tracker }: { tracker: IssueTracker | undefined }) {
  if (tracker === undefined) return null;
  return (
    <>
      {" "}
      <bdi className="tracker-mark">{abbreviate(tracker.label, LABEL_CHARS)}</bdi>
    </>
  );
}
