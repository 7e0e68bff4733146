/**
 * The page that a link of a message opens. It asks before it changes the issue. Its forms are those
 * of the issue's page.
 */
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { SignedAction } from "../../core/ports/alerts-port.ts";
import { formatTitle } from "../../core/report/title.ts";
import type { Digest } from "../../core/report.ts";
import { SnoozeOptions, TimeZoneField } from "../issues/bulk/snooze-menu.tsx";
import { DeskForm, DeskLink, useDesk } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { toIssueActionUrl, toIssueUrl } from "../urls/issue-urls.ts";

/** The issue, and the confirmation of the action. */
export function ActionPage({
  action,
  issue,
}: {
  action: SignedAction["action"];
  issue: IssueSummary;
}) {
  const { digest, count, state } = issue;
  return (
    <article className="prose">
      <h1>{HEADINGS[action]}</h1>
      <p>
        <code>{digest}</code> <bdi>{formatTitle(issue)}</bdi>
      </p>
      <p className="muted">
        {pluralize(count, "time")}, {state}.{" "}
        <DeskLink href={toIssueUrl(digest)}>Open the issue</DeskLink>
      </p>
      <ActionForm action={action} digest={digest} />
    </article>
  );
}

const HEADINGS: Readonly<Record<SignedAction["action"], string>> = {
  resolve: "Resolve this issue?",
  snooze: "Snooze this issue?",
  ignore: "Snooze this issue?",
  assign: "Assign this issue to you?",
};

function ActionForm({ action, digest }: { action: SignedAction["action"]; digest: Digest }) {
  const { name = "Local user" } = useDesk();
  if (action === "snooze" || action === "ignore") return <SnoozeForm digest={digest} />;
  const [path, field, value, label] =
    action === "resolve"
      ? (["state", "state", "resolved", "Resolve"] as const)
      : (["annotations", "assign", name, `Assign to ${name}`] as const);
  return (
    <DeskForm
      requiredRole={REQUIRED_ROLES.triage}
      method="post"
      action={toIssueActionUrl(digest, path)}
      className="form-row-inline"
    >
      <input type="hidden" name={field} value={value} />
      <button type="submit">{label}</button>
      <DeskLink href={toIssueUrl(digest)}>Cancel</DeskLink>
    </DeskForm>
  );
}

/** The entries of the menu *Snooze*, as on the page of the issue. */
function SnoozeForm({ digest }: { digest: Digest }) {
  return (
    <DeskForm
      requiredRole={REQUIRED_ROLES.triage}
      method="post"
      action={toIssueActionUrl(digest, "state")}
      className="snooze-menu snooze-page"
    >
      <TimeZoneField />
      <SnoozeOptions name="do" />
      <DeskLink href={toIssueUrl(digest)}>Cancel</DeskLink>
    </DeskForm>
  );
}

/** The page for a link that was changed, has expired, or names an unknown issue. */
export function InvalidActionPage({ digest }: { digest: Digest | undefined }) {
  return (
    <article className="prose">
      <h1>This link no longer works</h1>
      <p>Links in messages expire after a week and cannot be edited. Nothing was changed.</p>
      <p>
        {digest === undefined ? (
          <DeskLink href="/issues">All issues</DeskLink>
        ) : (
          <DeskLink href={toIssueUrl(digest)}>Open the issue</DeskLink>
        )}
      </p>
    </article>
  );
}
