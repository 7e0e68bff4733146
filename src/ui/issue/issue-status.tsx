/** An issue's state and assignee, and the forms that change them or erase the issue. */
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { Issue, IssueState } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import type { Digest } from "../../core/report.ts";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import { type DeskInfo, DeskProvider, RequireRole, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { IssueActions } from "./actions.tsx";
import { AssignForm, MergeForm } from "./activity/assign-and-merge.tsx";
import { DecisionText } from "./activity/decision-text.tsx";
import { EraseIssueForm } from "./report/erase-forms.tsx";

/** The state and assignee, with the buttons below. */
export function IssueStatus({ issue, nowMs }: { issue: Issue; nowMs: number }) {
  const { assignee, digest, release } = issue;
  const { unreadAlerts: _, hasFailingAlerts: _failing, projects: _projects, ...desk } = useDesk();
  const forms = { desk, digest, assignee, release, state: getCurrentState(issue, nowMs) };
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
      <CachedParts
        tag="div"
        attributes={{ className: "actions" }}
        part={IssueForms}
        items={[forms]}
      />
    </div>
  );
}

interface IssueFormsProps {
  readonly desk: Omit<DeskInfo, "projects">;
  readonly digest: Digest;
  readonly state: IssueState;
  readonly release: string | undefined;
  readonly assignee: string | undefined;
}

function IssueForms({ desk, digest, state, release, assignee }: IssueFormsProps) {
  return (
    <DeskProvider desk={{ ...desk, projects: [] }}>
      <RequireRole requiredRole={REQUIRED_ROLES.triage}>
        <IssueActions digest={digest} state={state} release={release} />
        <AssignForm digest={digest} assignee={assignee} />
        <MergeForm digest={digest} />
      </RequireRole>
      <EraseIssueForm digest={digest} />
    </DeskProvider>
  );
}
