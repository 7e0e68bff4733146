/** The entries of an inbox: what concerns the person, and the alerts of projects. */
import type { ReactNode } from "react";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import type { AlertedIssue, AlertMessage } from "../../core/alerts/alert-message.ts";
import type { PersonalNotice } from "../../core/ports/alerts-port.ts";
import { formatTitle } from "../../core/report/title.ts";
import { formatPeople } from "../../core/stats/people-count.ts";
import { Avatar } from "../parts/avatar.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { MarkIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

const NAME_CHARS = 60;

/** The project of an entry in a list of several projects. */
export interface EntryProject {
  readonly id: string;
  readonly name: string;
}

/** What concerns a person. The client script marks an entry as read when it is opened. */
export function NoticeList({
  notices,
  nowMs,
}: {
  notices: readonly (PersonalNotice & { readonly project?: EntryProject })[];
  nowMs: number;
}) {
  return (
    <ul className="notices" data-notices="">
      {notices.map((notice) => (
        <NoticeEntry key={`${notice.project?.id} ${notice.id}`} notice={notice} nowMs={nowMs} />
      ))}
    </ul>
  );
}

function NoticeEntry({
  notice: { id, kind, by, release, comment, atMs, isUnread, issue, project },
  nowMs,
}: {
  notice: PersonalNotice & { readonly project?: EntryProject };
  nowMs: number;
}) {
  return (
    <li className="notice-entry" data-unread-entry={isUnread ? "" : undefined}>
      {by === undefined ? <MarkIcon mark="open" /> : <Avatar name={by} isDecorative />}
      <div>
        <p className="notice-what">
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {kind === "regressed" ? (
            <>
              <b>Came back</b>
              {release !== undefined && (
                <>
                  {" in "}
                  <bdi>{abbreviate(release, NAME_CHARS)}</bdi>
                </>
              )}
            </>
          ) : (
            <>
              <b>
                <bdi>{by ?? "Errata"}</bdi>
              </b>{" "}
              {DEEDS[kind]}
            </>
          )}
          {kind === "assigned" && <Assignee issue={issue} />}
        </p>
        <p>
          <IssueLink issue={issue} project={project?.id} notice={id} />
        </p>
        {comment !== undefined && (
          <p className="notice-comment" dir="auto">
            {comment}
          </p>
        )}
        <p className="notice-facts">
          {project !== undefined && <bdi>{project.name}</bdi>}
          <code>{issue.digest}</code>
          {issue.place !== undefined && <bdi>{abbreviate(issue.place, NAME_CHARS)}</bdi>}
        </p>
      </div>
      <RelativeTime atMs={atMs} nowMs={nowMs} />
    </li>
  );
}

const DEEDS = {
  assigned: "assigned this to you",
  mentioned: "mentioned you",
  commented: "commented",
} as const;

/** Says that the issue has no assignee any more: an assignment may have been undone. */
function Assignee({ issue: { assignee } }: { issue: AlertedIssue }) {
  return assignee === undefined ? <span className="muted">, no longer assigned</span> : null;
}

/** `project` is the id of another project than that of the page. */
function IssueLink({
  issue,
  project,
  notice,
}: {
  issue: AlertedIssue;
  project?: string | undefined;
  notice?: string;
}) {
  const title = <bdi>{formatTitle(issue)}</bdi>;
  const url = toIssueUrl(issue.digest);
  if (project === undefined)
    return (
      <DeskLink href={url} data-notice-id={notice}>
        {title}
      </DeskLink>
    );
  return (
    <a href={getProjectBasePath(project) + url} target="_self" data-notice-id={notice}>
      {title}
    </a>
  );
}

/** An alert. */
export function MessageEntry({
  message: { atMs, title, issues, reasons, summary },
  project,
  isUnread,
  nowMs,
}: {
  message: AlertMessage;
  /** Set in a list of several projects. */
  project?: EntryProject;
  isUnread: boolean;
  nowMs: number;
}) {
  const [first, ...others] = issues;
  const texts = reasons.map(({ text }) => text).filter((text) => text !== "");
  return (
    <SettingsEntry
      heading="h2"
      name={
        <>
          {title}
          {first !== undefined && (
            <>
              {": "}
              <IssueLink issue={first} project={project?.id} />
            </>
          )}
        </>
      }
      badge={isUnread && <span className="badge">unread</span>}
      facts={[
        project && <bdi key="project">{project.name}</bdi>,
        <RelativeTime key="at" atMs={atMs} nowMs={nowMs} />,
        ...(first === undefined ? [] : listFacts(first)),
        summary !== undefined && pluralize(summary.issues, "issue"),
        texts.length > 0 && <bdi key="why">{texts.join(" ")}</bdi>,
      ]}
    >
      {others.length > 0 && (
        <ul>
          {others.map((issue) => (
            <li key={issue.digest}>
              <IssueLink issue={issue} project={project?.id} />
            </li>
          ))}
        </ul>
      )}
    </SettingsEntry>
  );
}

function listFacts({
  digest,
  count,
  userCount = 0,
  place,
  release,
  environment,
}: AlertedIssue): readonly ReactNode[] {
  return [
    <code key="digest">{digest}</code>,
    `${pluralize(count, "time")}${userCount > 0 ? `, ${formatPeople(userCount)}` : ""}`,
    ...[place, release, environment].map(
      (value, n) => value !== undefined && <bdi key={n}>{abbreviate(value, NAME_CHARS)}</bdi>,
    ),
  ];
}
