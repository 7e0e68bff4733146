/** How an issue stands, what may be decided about it, and its end. */
import type { Issue } from "../../core/issue.ts";
import { Actions } from "./actions.tsx";
import { DecisionSentence } from "./decision-sentence.tsx";
import { EraseIssue } from "./erase.tsx";

/** The sentence and the buttons, in one row where there is room. */
export function IssueStanding({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  return (
    <div className="standing">
      <DecisionSentence issue={issue} nowMs={nowMs} />
      <Actions issue={issue} nowMs={nowMs} />
      <EraseIssue digest={issue.digest} />
    </div>
  );
}
