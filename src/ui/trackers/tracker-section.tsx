/** The issue of a tracker on the page of an issue and in lists. */
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import type { Issue } from "../../core/issue/issue.ts";
import type { IssueTracker } from "../../core/trackers/tracker-link.ts";
import { DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { safeHref } from "../parts/safe-href.ts";
import { toIssueTrackerUrl } from "../urls/tracker-urls.ts";

const LABEL_CHARS = 60;

/** The link, or the link to the page that creates one; nothing for viewers without a link. */
export function TrackerSection({ issue: { digest, tracker } }: { issue: Issue }) {
  if (tracker !== undefined) {
    return (
      <section aria-labelledby="tracker-heading">
        <h2 id="tracker-heading">Tracker</h2>
        <p>
          <TrackerLinkText tracker={tracker} />{" "}
          <RequireRole requiredRole={REQUIRED_ROLES.triage}>
            <DeskLink className="muted" href={toIssueTrackerUrl(digest)}>
              Change
            </DeskLink>
          </RequireRole>
        </p>
      </section>
    );
  }
  return (
    <RequireRole requiredRole={REQUIRED_ROLES.triage}>
      <section aria-labelledby="tracker-heading">
        <h2 id="tracker-heading">Tracker</h2>
        <DeskLink className="button" href={toIssueTrackerUrl(digest)}>
          Create or link an issue
        </DeskLink>
      </section>
    </RequireRole>
  );
}

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
