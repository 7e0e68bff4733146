/** The inbox at `/alerts`: the newest messages of a project. Unread ones are marked. */
import { use } from "react";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import type { AlertedIssue, AlertMessage } from "../../core/alerts/alert-message.ts";
import type { AlertInbox } from "../../core/ports/alerts-port.ts";
import { formatTitle } from "../../core/report/title.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { ALERT_PREFERENCES_URL, ALERT_SETTINGS_URL, INBOX_URL } from "../urls/alert-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";

const NAME_CHARS = 60;

interface InboxPageProps {
  /** Null while the object of alerts is unavailable. */
  readonly inbox: Promise<AlertInbox | null>;
  /** False if no message leaves Errata; null while the object of alerts is unavailable. */
  readonly hasDestinations: Promise<boolean | null>;
  readonly nowMs: number;
}

/** The path of the inbox of all projects, within a project. */
export const ALL_ALERTS_PATH = "/all-alerts";

/** The messages of all projects, and what each project has. */
interface AllAlerts {
  readonly messages: readonly {
    readonly message: AlertMessage;
    readonly project: { readonly id: string; readonly name: string };
    readonly isUnread: boolean;
  }[];
  /** Null for a project that did not answer. */
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly inbox: AlertInbox | null;
  }[];
}

interface AllAlertsPageProps {
  readonly alerts: Promise<AllAlerts>;
  readonly nowMs: number;
}

export function AllAlertsPage(props: AllAlertsPageProps) {
  return (
    <div className="settings-page inbox-page">
      <header className="page-header">
        <h1>Inbox of all projects</h1>
      </header>
      <Boundary name="inbox" loading={<Skeleton shape="rows" label="the messages" />}>
        <AllMessages {...props} />
      </Boundary>
    </div>
  );
}

function AllMessages({ alerts, nowMs }: AllAlertsPageProps) {
  const { messages, projects } = use(alerts);
  return (
    <>
      <nav className="tabs" aria-label="Projects">
        <ul>
          {projects.map(({ id, name, inbox }) => (
            <li key={id}>
              <a href={getProjectBasePath(id) + INBOX_URL} target="_self">
                <bdi>{name}</bdi>{" "}
                <span className="muted">
                  {inbox === null ? "unavailable" : `${formatNumber(inbox.unread)} unread`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {messages.length === 0 ? (
        <div className="empty-state">
          <p className="empty-heading">No alerts in your projects</p>
        </div>
      ) : (
        <ul className="entries">
          {messages.map((one) => (
            <MessageEntry key={`${one.project.id} ${one.message.id}`} {...one} nowMs={nowMs} />
          ))}
        </ul>
      )}
    </>
  );
}

export function InboxPage({ inbox, hasDestinations, nowMs }: InboxPageProps) {
  return (
    <div className="settings-page inbox-page">
      <header className="page-header">
        <h1>Inbox</h1>
        <p>
          Alerts of this project, newest first. See{" "}
          <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink> and{" "}
          <DeskLink href={ALERT_SETTINGS_URL}>rules and destinations</DeskLink>.
        </p>
      </header>
      <Boundary name="destination" loading={null}>
        <DeliveryNote inbox={inbox} hasDestinations={hasDestinations} />
      </Boundary>
      <Boundary name="inbox" loading={<Skeleton shape="rows" label="the messages" />}>
        <Messages inbox={inbox} nowMs={nowMs} />
      </Boundary>
    </div>
  );
}

/** States that no message leaves Errata, or that some did not arrive. */
function DeliveryNote({ inbox, hasDestinations }: Omit<InboxPageProps, "nowMs">) {
  if (use(inbox)?.isFailing === true) {
    return (
      <p className="warning">
        <b>Some alerts were not delivered.</b>{" "}
        <DeskLink href={`${ALERT_SETTINGS_URL}#deliveries`}>Deliveries</DeskLink>
      </p>
    );
  }
  if (use(hasDestinations) !== false) return null;
  return (
    <p className="callout">
      <b>No destinations.</b> Alerts appear only here.{" "}
      <DeskLink href={`${ALERT_SETTINGS_URL}#destinations`}>
        Add Slack, email or another service
      </DeskLink>
      .
    </p>
  );
}

function Messages({ inbox, nowMs }: Pick<InboxPageProps, "inbox" | "nowMs">) {
  const loaded = use(inbox);
  if (loaded === null) {
    return (
      <p className="warning">
        <b>The inbox is temporarily unavailable.</b> Alerts that are due are kept.
      </p>
    );
  }
  const { messages, unread } = loaded;
  const [newest] = messages;
  if (newest === undefined) {
    return (
      <div className="empty-state">
        <p className="empty-heading">No alerts yet</p>
        <p>New and regressed issues appear here, unless the rules say otherwise.</p>
      </div>
    );
  }
  return (
    <>
      <div className="form-row-inline">
        <p>{unread === 0 ? "No unread alerts." : `${formatNumber(unread)} unread.`}</p>
        {unread > 0 && (
          <DeskForm method="post" action={`${INBOX_URL}/read`}>
            <input type="hidden" name="upTo" value={newest.id} />
            <button type="submit">Mark all as read</button>
          </DeskForm>
        )}
      </div>
      <ul className="entries">
        {messages.map((message, n) => (
          <MessageEntry key={message.id} message={message} isUnread={n < unread} nowMs={nowMs} />
        ))}
      </ul>
    </>
  );
}

function MessageEntry({
  message: { atMs, title, issues, reasons, summary },
  project,
  isUnread,
  nowMs,
}: {
  message: AlertMessage;
  /** Set in a list of several projects. */
  project?: AllAlerts["messages"][number]["project"];
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

/** `project` is the id of another project than that of the page. */
function IssueLink({ issue, project }: { issue: AlertedIssue; project?: string | undefined }) {
  const title = <bdi>{formatTitle(issue)}</bdi>;
  const url = toIssueUrl(issue.digest);
  if (project === undefined) return <DeskLink href={url}>{title}</DeskLink>;
  return (
    <a href={getProjectBasePath(project) + url} target="_self">
      {title}
    </a>
  );
}

function listFacts({ digest, count, userCount = 0, place, release, environment }: AlertedIssue) {
  return [
    <code key="digest">{digest}</code>,
    `${pluralize(count, "time")}${userCount > 0 ? `, about ${pluralize(userCount, "user")}` : ""}`,
    ...[place, release, environment].map(
      (value, n) => value !== undefined && <bdi key={n}>{abbreviate(value, NAME_CHARS)}</bdi>,
    ),
  ];
}
