/**
 * Forms that erase an issue or one of its reports. Each explains the effect before its button. Both
 * post to `/d/<digest>/erase`.
 */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { DeskForm, RequireRole } from "../../parts/desk-context.tsx";
import { TypedConfirmation } from "../../parts/typed-confirmation.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

/** A button whose popover asks the user to type the digest. */
export function EraseIssueForm({ digest }: { digest: Digest }) {
  return (
    <RequireRole requiredRole={REQUIRED_ROLES.erasure}>
      <div className="erase">
        <button type="button" className="menu-item danger" popoverTarget="erase-issue">
          Erase…
        </button>
        <DeskForm
          id="erase-issue"
          className="menu form-stack"
          popover="auto"
          method="post"
          action={toIssueActionUrl(digest, "erase")}
          aria-label="Erase this issue"
        >
          <p>
            Permanently deletes the issue, its reports and attachments, its counts and its history.
            If the error happens again, it creates a new issue. See{" "}
            <a href="/docs/erasure-and-privacy#what-remains">which data remains</a>.
          </p>
          <TypedConfirmation name="confirm" text={digest} buttonLabel="Erase issue" />
        </DeskForm>
      </div>
    </RequireRole>
  );
}

/** A collapsed form below a report. */
export function EraseReportForm({ digest, id }: { digest: Digest; id: ReportId }) {
  return (
    <RequireRole requiredRole={REQUIRED_ROLES.erasure}>
      <details className="erase-report">
        <summary className="danger">Erase this report…</summary>
        <DeskForm method="post" action={toIssueActionUrl(digest, "erase")}>
          <input type="hidden" name="report" value={id} />
          <p>
            Permanently deletes the contents and attachments of this report. The issue still counts
            it, with its time, release and browser.
          </p>
          <button type="submit" className="danger filled">
            Erase report
          </button>
        </DeskForm>
      </details>
    </RequireRole>
  );
}
