/** How an issue stands and who looks after it, what may be decided about it, and its end. */
import type { Issue } from "../../core/issue.ts";
import { limits } from "../../core/limits.ts";
import { headOf } from "../long-text.tsx";
import { For } from "../place.tsx";
import { Actions } from "./actions.tsx";
import { DecisionSentence } from "./decision-sentence.tsx";
import { EraseIssue } from "./erase.tsx";
import { Assign, Merge } from "./notes-form.tsx";

/** The sentences and, below them, the buttons. */
export function IssueStanding({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const { assignee, digest } = issue;
  return (
    <div className="standing">
      <div className="stands">
        <DecisionSentence issue={issue} nowMs={nowMs} />
        {assignee !== undefined && (
          <p className="assignee">
            Assigned to <bdi>{headOf(assignee, limits.maxAssigneeChars)}</bdi>
          </p>
        )}
      </div>
      <div className="actions">
        <For needs="member">
          <Actions issue={issue} nowMs={nowMs} />
          <Assign digest={digest} assignee={assignee} />
          <Merge digest={digest} />
        </For>
        <EraseIssue digest={digest} />
      </div>
    </div>
  );
}
