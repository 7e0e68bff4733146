/** An issue's state and assignee, and the forms that change them or erase the issue. */
import type { Issue } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import { RequireRole } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { IssueActions } from "./actions.tsx";
import { AssignForm, MergeForm } from "./activity/assign-and-merge.tsx";
import { DecisionText } from "./activity/decision-text.tsx";
import { EraseIssueForm } from "./report/erase-forms.tsx";

/** The state and assignee, with the buttons below. */
export function IssueStatus({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const { assignee, digest } = issue;
  return (
    <div className="issue-status">
      <div className="status-text">
        <DecisionText issue={issue} nowMs={nowMs} />
        {assignee !== undefined && (
          <p className="assignee">
            Assigned to <bdi>{abbreviate(assignee, limits.maxAssigneeChars)}</bdi>
          </p>
        )}
      </div>
      <div className="actions">
        <RequireRole requiredRole="member">
          <IssueActions issue={issue} nowMs={nowMs} />
          <AssignForm digest={digest} assignee={assignee} />
          <MergeForm digest={digest} />
        </RequireRole>
        <EraseIssueForm digest={digest} />
      </div>
    </div>
  );
}
