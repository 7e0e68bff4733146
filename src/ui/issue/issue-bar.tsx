/**
 * The bar of an issue, which stays at the top: its place in the list, its state, its title once the
 * heading has left the page, and the actions. On a phone the actions are at the bottom edge.
 */
import type { ReactNode } from "react";
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { Issue } from "../../core/issue/issue.ts";
import type { IssueState } from "../../core/issue/issue-states.ts";
import type { Digest } from "../../core/report.ts";
import { StateBadge, toIssueMark } from "../issues/state-badge.tsx";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import {
  type DeskInfo,
  DeskLink,
  DeskProvider,
  RequireRole,
  useDesk,
} from "../parts/desk-context.tsx";
import { MoreIcon } from "../parts/icons.tsx";
import { toIssueUrl, toMarkdownUrl } from "../urls/issue-urls.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { IssueActions } from "./actions.tsx";
import { AssignForm, MergeForm } from "./activity/assign-and-merge.tsx";
import { IssueTitle } from "./heading/issue-heading.tsx";
import { EraseIssueForm } from "./report/erase-forms.tsx";

/** The state and the title, with the actions. `handOff` is in the menu of rare actions. */
export function IssueStatus({
  issue,
  handOff,
  nowMs,
}: {
  issue: Issue;
  handOff?: ReactNode;
  nowMs: number;
}) {
  const { assignee, digest, release } = issue;
  const { unreadAlerts: _, hasFailingAlerts: _failing, projects: _projects, ...desk } = useDesk();
  const state = getCurrentState(issue, nowMs);
  const forms = { desk, digest, assignee, release, state };
  return (
    <>
      <div className="bar-state">
        <StateBadge state={toIssueMark(issue, state, nowMs)} />
      </div>
      <p className="bar-title" aria-hidden="true">
        <IssueTitle issue={issue} />
      </p>
      <div className="actions">
        <CachedParts
          tag="div"
          attributes={{ className: "daily-actions" }}
          part={DailyForms}
          items={[forms]}
        />
        <button
          type="button"
          className="menu-button more-button"
          popoverTarget="more-menu"
          aria-label="More actions"
        >
          <MoreIcon />
        </button>
        <div id="more-menu" className="menu" popover="auto">
          {handOff}
          <CachedParts tag="div" part={RareForms} items={[{ desk, digest }]} />
        </div>
      </div>
    </>
  );
}

interface DailyFormsProps {
  readonly desk: Omit<DeskInfo, "projects">;
  readonly digest: Digest;
  readonly state: IssueState;
  readonly release: string | undefined;
  readonly assignee: string | undefined;
}

function DailyForms({ desk, digest, state, release, assignee }: DailyFormsProps) {
  return (
    <DeskProvider desk={{ ...desk, projects: [] }}>
      <RequireRole requiredRole={REQUIRED_ROLES.triage}>
        <IssueActions digest={digest} state={state} release={release} />
        <AssignForm digest={digest} assignee={assignee} />
      </RequireRole>
    </DeskProvider>
  );
}

function RareForms({ desk, digest }: Pick<DailyFormsProps, "desk" | "digest">) {
  return (
    <DeskProvider desk={{ ...desk, projects: [] }}>
      <ul>
        <li>
          <DeskLink href="#activity">Activity</DeskLink>
        </li>
        <li>
          <DeskLink href={toReceiptUrl(digest)}>Receipt</DeskLink>
        </li>
        <li>
          <DeskLink href={toMarkdownUrl(digest)}>Markdown</DeskLink>
        </li>
        <li>
          <DeskLink href={`${toIssueUrl(digest)}.json`}>JSON</DeskLink>
        </li>
      </ul>
      <RequireRole requiredRole={REQUIRED_ROLES.triage}>
        <MergeForm digest={digest} />
      </RequireRole>
      <EraseIssueForm digest={digest} />
    </DeskProvider>
  );
}
