/**
 * How an issue or one of its reports is erased: a plain form each, behind a button that says what will happen before it does.
 * `POST /d/<digest>/erase` takes both.
 */
import type { Digest, ReportId } from "../../../core/report.ts";
import { DeskForm, RequireRole } from "../../parts/desk-context.tsx";
import { TypedConfirmation } from "../../parts/typed-confirmation.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

/** The last of an issue's buttons; its popover asks for the digest to be typed. */
export function EraseIssueForm({ digest }: { readonly digest: Digest }) {
  return (
    <RequireRole requiredRole="owner">
      <div className="erase">
        <button type="button" className="menu-button borderless danger" popoverTarget="erase-issue">
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
            <b>For good:</b> all reports of this issue with their files, its counts, and what was
            decided about it. If it happens again, it is a new issue. See{" "}
            <a href="/docs/erasure-and-privacy#what-remains">what remains</a>.
          </p>
          <TypedConfirmation name="confirm" text={digest} buttonLabel="Erase issue" />
        </DeskForm>
      </div>
    </RequireRole>
  );
}

/** Stands under a report. */
export function EraseReportForm({
  digest,
  id,
}: {
  readonly digest: Digest;
  readonly id: ReportId;
}) {
  return (
    <RequireRole requiredRole="owner">
      <details className="erase-report">
        <summary className="danger">Erase this report…</summary>
        <DeskForm method="post" action={toIssueActionUrl(digest, "erase")}>
          <input type="hidden" name="report" value={id} />
          <p>
            What this report says is gone for good, its files too. That it happened still counts:
            when, in which release and in which browser.
          </p>
          <button type="submit" className="danger filled">
            Erase report
          </button>
        </DeskForm>
      </details>
    </RequireRole>
  );
}
