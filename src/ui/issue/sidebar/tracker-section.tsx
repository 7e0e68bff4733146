/** The issue of a tracker on the page of an issue. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskLink, RequireRole } from "../../parts/desk-context.tsx";
import { TrackerLinkText } from "../../parts/tracker-link.tsx";
import { toIssueTrackerUrl } from "../../urls/tracker-urls.ts";

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
