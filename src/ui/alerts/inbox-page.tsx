/**
 * The inbox at `/alerts` and, of all projects, at `/all-alerts`, with two tabs: what concerns the
 * person, and the alerts. Without a choice, the first tab is shown if it has anything.
 */
import { type ReactNode, use } from "react";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import type { AlertInbox, PersonalNotice } from "../../core/ports/alerts-port.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { formatNumber } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import {
  ALERT_PREFERENCES_URL,
  ALERT_SETTINGS_URL,
  INBOX_URL,
  type InboxTab,
  toInboxUrl,
} from "../urls/alert-urls.ts";
import { type EntryProject, MessageEntry, NoticeList } from "./inbox-list.tsx";
import { PushOffer } from "./push-offer.tsx";

interface InboxPageProps {
  /** The chosen tab. */
  readonly tab: InboxTab | undefined;
  /** Null while the object of alerts is unavailable. */
  readonly inbox: Promise<AlertInbox | null>;
  /** False if no message leaves Errata; null while the object of alerts is unavailable. */
  readonly hasDestinations: Promise<boolean | null>;
  readonly nowMs: number;
}

/** The path of the inbox of all projects, within a project. */
export const ALL_ALERTS_PATH = "/all-alerts";

/** What concerns the person and the messages of all projects, and what each project has. */
interface AllAlerts {
  readonly notices: readonly (PersonalNotice & { readonly project: EntryProject })[];
  readonly messages: readonly {
    readonly message: AlertMessage;
    readonly project: EntryProject;
    readonly isUnread: boolean;
  }[];
  /** Null for a project that did not answer. */
  readonly projects: readonly (EntryProject & { readonly inbox: AlertInbox | null })[];
}

interface AllAlertsPageProps {
  readonly tab: InboxTab | undefined;
  readonly alerts: Promise<AllAlerts>;
  readonly nowMs: number;
}

export function AllAlertsPage(props: AllAlertsPageProps) {
  return (
    <div className="settings-page inbox-page">
      <header className="page-header">
        <h1>Inbox of all projects</h1>
      </header>
      <Boundary name="inbox" loading={<Skeleton shape="rows" label="the inbox" />}>
        <AllMessages {...props} />
      </Boundary>
    </div>
  );
}

function AllMessages({ tab, alerts, nowMs }: AllAlertsPageProps) {
  const { notices, messages, projects } = use(alerts);
  const current = tab ?? (notices.length > 0 ? "you" : "project");
  const sum = (count: (inbox: AlertInbox) => number) =>
    projects.reduce((total, { inbox }) => total + (inbox === null ? 0 : count(inbox)), 0);
  return (
    <>
      <InboxTabs
        path={ALL_ALERTS_PATH}
        current={current}
        unreadNotices={sum((inbox) => inbox.unreadNotices)}
        unread={sum((inbox) => inbox.unread)}
        projectWord="Projects"
      />
      <ul className="inbox-projects">
        {projects.map(({ id, name, inbox }) => (
          <li key={id}>
            <a href={getProjectBasePath(id) + toInboxUrl(INBOX_URL, current)} target="_self">
              <bdi>{name}</bdi>
            </a>{" "}
            <span className="muted">
              {inbox === null ? "unavailable" : formatUnread(inbox, current)}
            </span>
          </li>
        ))}
      </ul>
      {current === "you" && notices.length === 0 && <NothingForYou />}
      {current === "you" && notices.length > 0 && <NoticeList notices={notices} nowMs={nowMs} />}
      {current === "project" &&
        (messages.length === 0 ? (
          <Empty heading="No alerts in your projects" />
        ) : (
          <ul className="entries">
            {messages.map((one) => (
              <MessageEntry key={`${one.project.id} ${one.message.id}`} {...one} nowMs={nowMs} />
            ))}
          </ul>
        ))}
    </>
  );
}

function formatUnread({ unread, unreadNotices }: AlertInbox, tab: InboxTab): string {
  return `${formatNumber(tab === "you" ? unreadNotices : unread)} unread`;
}

export function InboxPage({ tab, inbox, hasDestinations, nowMs }: InboxPageProps) {
  return (
    <div className="settings-page inbox-page">
      <header className="page-header">
        <h1>Inbox</h1>
        <p>
          See <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink> and{" "}
          <DeskLink href={ALERT_SETTINGS_URL}>rules and destinations</DeskLink>.
        </p>
      </header>
      <PushOffer />
      <Boundary name="inbox" loading={<Skeleton shape="rows" label="the inbox" />}>
        <Inbox tab={tab} inbox={inbox} hasDestinations={hasDestinations} nowMs={nowMs} />
      </Boundary>
    </div>
  );
}

function Inbox({ tab, inbox, hasDestinations, nowMs }: InboxPageProps) {
  const loaded = use(inbox);
  if (loaded === null) {
    return (
      <p className="warning">
        <b>The inbox is temporarily unavailable.</b> Alerts that are due are kept.
      </p>
    );
  }
  const { messages, notices, unread, unreadNotices } = loaded;
  const current = tab ?? (notices.length > 0 ? "you" : "project");
  return (
    <>
      <InboxTabs
        path={INBOX_URL}
        current={current}
        unreadNotices={unreadNotices}
        unread={unread}
        projectWord="Project"
      />
      {current === "you" ? (
        <Notices notices={notices} unread={unreadNotices} nowMs={nowMs} />
      ) : (
        <>
          <Boundary name="destination" loading={null}>
            <DeliveryNote isFailing={loaded.isFailing} hasDestinations={hasDestinations} />
          </Boundary>
          <Messages messages={messages} unread={unread} nowMs={nowMs} />
        </>
      )}
    </>
  );
}

/** The tabs, with what is unread in each. */
function InboxTabs({
  path,
  current,
  unreadNotices,
  unread,
  projectWord,
}: {
  path: string;
  current: InboxTab;
  unreadNotices: number;
  unread: number;
  projectWord: string;
}) {
  const tabs = [
    ["you", "For you", unreadNotices],
    ["project", projectWord, unread],
  ] as const;
  return (
    <nav className="tabs" aria-label="Inbox">
      <ul>
        {tabs.map(([tab, word, count]) => (
          <li key={tab}>
            <DeskLink
              id={`inbox-${tab}`}
              href={toInboxUrl(path, tab)}
              aria-current={tab === current ? "page" : undefined}
              data-text={word}
            >
              {word}{" "}
              {count > 0 && (
                <span className="unread-mark">
                  {formatNumber(count)}
                  <span className="visually-hidden"> unread</span>
                </span>
              )}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Notices({
  notices,
  unread,
  nowMs,
}: {
  notices: readonly PersonalNotice[];
  unread: number;
  nowMs: number;
}) {
  const [newest] = notices;
  if (newest === undefined) return <NothingForYou />;
  return (
    <>
      <ReadForm tab="you" field="noticesUpTo" upTo={newest.id} unread={unread}>
        {unread === 0 ? "Nothing unread." : `${formatNumber(unread)} unread.`}
      </ReadForm>
      <NoticeList notices={notices} nowMs={nowMs} />
    </>
  );
}

function NothingForYou() {
  return (
    <Empty heading="Nothing for you yet">
      <p>
        Issues that somebody assigns to you, comments that mention you or continue your discussions,
        and your issues that come back appear here.
      </p>
    </Empty>
  );
}

function Empty({ heading, children }: { heading: string; children?: ReactNode }) {
  return (
    <div className="empty-state">
      <p className="empty-heading">{heading}</p>
      {children}
    </div>
  );
}

/** States that no message leaves Errata, or that some did not arrive. */
function DeliveryNote({
  isFailing,
  hasDestinations,
}: Pick<InboxPageProps, "hasDestinations"> & { isFailing: boolean }) {
  if (isFailing) {
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

function Messages({
  messages,
  unread,
  nowMs,
}: Pick<AlertInbox, "messages" | "unread"> & { nowMs: number }) {
  const [newest] = messages;
  if (newest === undefined) {
    return (
      <Empty heading="No alerts yet">
        <p>New and regressed issues appear here, unless the rules say otherwise.</p>
      </Empty>
    );
  }
  return (
    <>
      <ReadForm tab="project" field="upTo" upTo={newest.id} unread={unread}>
        {unread === 0 ? "No unread alerts." : `${formatNumber(unread)} unread.`}
      </ReadForm>
      <ul className="entries">
        {messages.map((message, n) => (
          <MessageEntry key={message.id} message={message} isUnread={n < unread} nowMs={nowMs} />
        ))}
      </ul>
    </>
  );
}

/** What is unread, and the button that marks all of a tab as read. */
function ReadForm({
  tab,
  field,
  upTo,
  unread,
  children,
}: {
  tab: InboxTab;
  field: string;
  upTo: string;
  unread: number;
  children: ReactNode;
}) {
  return (
    <div className="form-row-inline">
      <p>{children}</p>
      {unread > 0 && (
        <DeskForm method="post" action={`${INBOX_URL}/read`}>
          <input type="hidden" name="tab" value={tab} />
          <input type="hidden" name={field} value={upTo} />
          <button type="submit">Mark all as read</button>
        </DeskForm>
      )}
    </div>
  );
}
