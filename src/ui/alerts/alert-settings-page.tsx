/** The page at `/settings/alerts`: destinations, rules, deliveries and feeds of a project. */
import { use } from "react";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { isTestMessage } from "../../core/alerts/alert-message.ts";
import {
  DESTINATION_FORMS,
  type DestinationSummary,
  type DestinationForm as Form,
} from "../../core/alerts/destinations/destinations.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import { summarizeTrigger } from "../../core/alerts/triggers/triggers.ts";
import type { ListedView } from "../../core/issue/saved-view.ts";
import type {
  AlertSettings,
  DeliveryAttempt,
  HeldBackAlert,
} from "../../core/ports/alerts-port.ts";
import type { Trust } from "../../core/trust/trust.ts";
import { Boundary } from "../failure/boundary.tsx";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { DeskForm, DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { NameField } from "../settings/name-field.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import {
  ALERT_PREFERENCES_URL,
  ALERT_SETTINGS_URL,
  INBOX_URL,
  toAlertFormUrl,
} from "../urls/alert-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { REPOSITORIES_URL } from "../urls/settings-urls.ts";
import { AlertHealthText } from "./alert-health.tsx";
import { formatCoolDown, RESULT_LABELS } from "./alert-texts.ts";
import { DestinationEntry } from "./destination-entry.tsx";
import { type RuleDraft, RuleForm } from "./rule-form.tsx";

/** Everything that the page lists. */
export interface AlertSettingsData {
  readonly settings: AlertSettings;
  readonly deliveries: readonly DeliveryAttempt[];
  readonly heldBack: readonly HeldBackAlert[];
  /** Null while the index is unavailable. */
  readonly views: readonly ListedView[] | null;
}

interface AlertSettingsPageProps {
  /** Null while the object of alerts is unavailable. */
  readonly data: Promise<AlertSettingsData | null>;
  /** The secret of a webhook, or the address of a feed, that was just created. */
  readonly issued?: { readonly kind: "webhook" | "feed"; readonly text: string } | undefined;
  /** The rule of the form that was sent, if it was checked or rejected. */
  readonly draft?: RuleDraft | undefined;
  /** Why the last change was rejected, or the result of a test. */
  readonly error?: string | undefined;
  readonly nowMs: number;
}

export function AlertSettingsPage({ error, ...loaded }: AlertSettingsPageProps) {
  return (
    <SettingsFrame
      current={ALERT_SETTINGS_URL}
      title="Alerts"
      note={
        <>
          Owners change rules and destinations. Members can send tests. Every alert is in the{" "}
          <DeskLink href={INBOX_URL}>inbox</DeskLink>. Choose what you receive on{" "}
          <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink>. See{" "}
          <a href="/docs/alerts">how alerts work</a>.
        </>
      }
    >
      <div className="alerts-page">
        <FormError message={error} />
        <Boundary name="alerts" loading={<Skeleton shape="rows" label="the alerts" />}>
          <Loaded {...loaded} />
        </Boundary>
      </div>
    </SettingsFrame>
  );
}

function Loaded({ data, issued, draft, nowMs }: Omit<AlertSettingsPageProps, "error">) {
  const loaded = use(data);
  if (loaded === null) {
    return (
      <p className="warning">
        <b>Alerts are temporarily unavailable.</b> Alerts that are due are kept and sent later.
      </p>
    );
  }
  const { settings, deliveries, heldBack, views } = loaded;
  const { destinations, rules } = settings;
  return (
    <>
      <AlertHealthText settings={settings} />
      <OriginNote origin={settings.origin} />
      <DestinationList
        destinations={destinations}
        secret={issued?.kind === "webhook" ? issued.text : undefined}
        nowMs={nowMs}
      />
      <RuleList rules={rules} destinations={destinations} draft={draft} />
      <DeliveryLog attempts={deliveries} destinations={destinations} nowMs={nowMs} />
      <HeldBackList alerts={heldBack} nowMs={nowMs} />
      <FeedList views={views} issuedUrl={issued?.kind === "feed" ? issued.text : undefined} />
    </>
  );
}

/** The origin of the links in messages, and how to change it. */
function OriginNote({ origin }: { origin: string | undefined }) {
  return (
    <p className="muted origin-note">
      Links in messages begin with{" "}
      {origin === undefined ? (
        "the address at which an owner saves a rule or a destination"
      ) : (
        <code>{origin}</code>
      )}
      . To change it, set{" "}
      <a href="/docs/configuration#alerts">
        <code>ERRATA_URL</code>
      </a>
      . Messages link to a prefilled issue of a GitHub repository if{" "}
      <DeskLink href={`${REPOSITORIES_URL}#issues`}>Repositories</DeskLink> names one.
    </p>
  );
}

/** The lowest trust level of a rule, as in its form. */
const REPORTED_BY: Readonly<Record<Trust, string | false>> = {
  server: "reported by servers",
  page: "reported by servers or signed pages",
  public: false,
};

/** The section. Messages link to `#rule-<id>`. */
function RuleList({
  rules,
  destinations,
  draft,
}: {
  rules: readonly AlertRule[];
  destinations: readonly DestinationSummary[];
  /** The rule of the form that was sent. */
  draft: RuleDraft | undefined;
}) {
  const isNew = draft !== undefined && rules.every(({ id }) => id !== draft.rule.id);
  return (
    <SettingsSection
      id="rules"
      name="Rules"
      description="The conditions for alerts, and their destinations. If several rules match, each destination gets one message."
    >
      {rules.length === 0 && <p className="muted">No rules. Without rules there are no alerts.</p>}
      <ul className="entries">
        {rules.map((rule) => (
          <RuleEntry
            key={rule.id}
            rule={rule}
            destinations={destinations}
            draft={draft?.rule.id === rule.id ? draft : undefined}
          />
        ))}
      </ul>
      <RequireRole requiredRole="owner">
        <details className="add-form" open={isNew}>
          <summary>Add a rule</summary>
          <RuleForm destinations={destinations} draft={isNew ? draft : undefined} />
        </details>
      </RequireRole>
    </SettingsSection>
  );
}

function RuleEntry({
  rule,
  destinations,
  draft,
}: {
  rule: AlertRule;
  destinations: readonly DestinationSummary[];
  draft: RuleDraft | undefined;
}) {
  const { id, name, enabled, triggers, query, minTrust, coolDownMs, workingHours } = rule;
  const targets = destinations.filter((one) => rule.destinations.includes(one.id));
  return (
    <SettingsEntry
      name={<bdi id={`rule-${id}`}>{name}</bdi>}
      badge={!enabled && <span className="badge">off</span>}
      facts={[
        triggers.map(summarizeTrigger).join(", "),
        query !== "" && <code key="query">{query}</code>,
        minTrust !== undefined && REPORTED_BY[minTrust],
        targets.length > 0
          ? `to ${targets.map((one) => one.name).join(", ")}`
          : "to every destination",
        coolDownMs > 0 &&
          `at most one message per issue and condition in ${formatCoolDown(coolDownMs)}`,
        workingHours !== undefined && "in working hours",
      ]}
    >
      <DeskForm
        requiredRole="owner"
        method="post"
        action={toAlertFormUrl("rules")}
        className="entry-actions"
      >
        <input type="hidden" name="do" value="delete" />
        <input type="hidden" name="id" value={id} />
        <button type="submit" className="danger" aria-label={`Delete the rule ${name}`}>
          Delete
        </button>
      </DeskForm>
      <RequireRole requiredRole="owner">
        <details className="entry-details" open={draft !== undefined}>
          <summary aria-label={`Edit the rule ${name}`}>Edit</summary>
          <RuleForm rule={rule} destinations={destinations} draft={draft} />
        </details>
      </RequireRole>
    </SettingsEntry>
  );
}

interface DestinationListProps {
  readonly destinations: readonly DestinationSummary[];
  /** The secret of a webhook that was just created. */
  readonly secret?: string | undefined;
  readonly nowMs: number;
}

/** The section. Destinations of people are on their profiles. */
function DestinationList({ destinations, secret, nowMs }: DestinationListProps) {
  const shared = destinations.filter(({ person }) => person === undefined);
  return (
    <SettingsSection
      id="destinations"
      name="Destinations"
      description="The services that receive messages. Errata does not show their addresses and tokens again."
    >
      {shared.length === 0 && (
        <p className="callout">
          <b>No destinations yet.</b> Alerts are only in the inbox until an owner adds one.
        </p>
      )}
      {secret !== undefined && (
        <OneTimeSecret
          name="Secret of the webhook"
          hint="Your receiver verifies signatures with this secret. It will not be shown again. If the webhook had a secret before, Errata signs with both for 24 hours."
          text={secret}
          copyLabel="the secret"
        />
      )}
      <ul className="entries">
        {shared.map((destination) => (
          <ProjectDestination key={destination.id} destination={destination} nowMs={nowMs} />
        ))}
      </ul>
      <RequireRole requiredRole="owner">
        {DESTINATION_FORMS.map((form) => (
          <details key={form.kind} className="add-form">
            <summary>{form.addLabel}</summary>
            <DestinationForm form={form} />
          </details>
        ))}
      </RequireRole>
    </SettingsSection>
  );
}

function ProjectDestination({
  destination,
  nowMs,
}: {
  destination: DestinationSummary;
  nowMs: number;
}) {
  const { id, name, kind } = destination;
  const form = DESTINATION_FORMS.find((one) => one.kind === kind);
  return (
    <DestinationEntry
      destination={destination}
      nowMs={nowMs}
      form={{ url: toAlertFormUrl("destinations"), requiredRole: "owner" }}
    >
      {form !== undefined && (
        <RequireRole requiredRole="owner">
          <details className="entry-details">
            <summary aria-label={`Replace the address of ${name}`}>Replace</summary>
            <DestinationForm form={form} id={id} name={name} />
          </details>
        </RequireRole>
      )}
    </DestinationEntry>
  );
}

function DestinationForm({
  form: { kind, label, hint, addLabel, fields },
  id,
  name,
}: {
  form: Form;
  id?: string;
  name?: string;
}) {
  return (
    <DeskForm
      requiredRole="owner"
      method="post"
      action={toAlertFormUrl("destinations")}
      className="form-stack"
    >
      <input type="hidden" name="do" value="save" />
      <input type="hidden" name="kind" value={kind} />
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      <p className="muted">{hint}</p>
      <NameField maxLength={alertLimits.maxNameChars} defaultValue={name} placeholder={label} />
      {fields.map((field) => (
        <label key={field.name}>
          <span>{field.label}</span>
          <input
            name={field.name}
            type="text"
            required={field.isOptional !== true}
            maxLength={alertLimits.maxTargetChars}
            placeholder={field.placeholder}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      ))}
      <button type="submit">{id === undefined ? addLabel : "Replace"}</button>
    </DeskForm>
  );
}

/** The section. `issuedUrl` is an address that was just created. */
function FeedList({
  views,
  issuedUrl,
}: {
  /** Null while the index is unavailable. */
  views: readonly ListedView[] | null;
  issuedUrl?: string | undefined;
}) {
  return (
    <SettingsSection
      id="feeds"
      name="Feeds"
      description="An Atom feed per saved view. Everyone who knows its address can read it."
    >
      {views === null && <p className="muted">Saved views are temporarily unavailable.</p>}
      {views?.length === 0 && (
        <p className="muted">Save a view of the issue list to create a feed for it.</p>
      )}
      {issuedUrl !== undefined && (
        <OneTimeSecret
          name="Address of the feed"
          hint="Add this address to your feed reader. It will not be shown again."
          text={issuedUrl}
          copyLabel="the address"
        />
      )}
      <ul className="entries">
        {views?.map(({ name, query, hasFeed }) => (
          <SettingsEntry
            key={name}
            name={<bdi>{name}</bdi>}
            badge={hasFeed && <span className="badge">feed</span>}
            facts={[query === "" ? "all issues" : <code key="query">{query}</code>]}
          >
            <div className="entry-actions">
              <FeedForm view={name} action="create">
                {hasFeed ? "New address" : "Create address"}
              </FeedForm>
              {hasFeed && (
                <FeedForm view={name} action="revoke">
                  Revoke
                </FeedForm>
              )}
            </div>
          </SettingsEntry>
        ))}
      </ul>
    </SettingsSection>
  );
}

function FeedForm({
  view,
  action,
  children,
}: {
  view: string;
  action: "create" | "revoke";
  children: string;
}) {
  return (
    <DeskForm requiredRole="owner" method="post" action={toAlertFormUrl("feeds")}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="view" value={view} />
      <button
        type="submit"
        className={action === "revoke" ? "danger" : undefined}
        aria-label={`${children}: ${view}`}
      >
        {children}
      </button>
    </DeskForm>
  );
}

const SHOWN = 50;

/** The section of attempts, newest first. Members can send a failed message again. */
function DeliveryLog({
  attempts,
  destinations,
  nowMs,
}: {
  attempts: readonly DeliveryAttempt[];
  destinations: readonly DestinationSummary[];
  nowMs: number;
}) {
  return (
    <SettingsSection
      id="deliveries"
      name="Deliveries"
      description="The last attempts, newest first."
    >
      {attempts.length === 0 && <p className="muted">No message has been sent yet.</p>}
      <ul className="entries">
        {attempts.slice(0, SHOWN).map((attempt, n) => (
          <AttemptEntry
            key={n}
            attempt={attempt}
            isLast={isLastAttempt(attempts, n)}
            destination={destinations.find(({ id }) => id === attempt.destination)}
            nowMs={nowMs}
          />
        ))}
      </ul>
    </SettingsSection>
  );
}

/** True if no newer attempt has sent the message to the same destination. */
function isLastAttempt(attempts: readonly DeliveryAttempt[], n: number): boolean {
  const { message, destination } = attempts[n] ?? {};
  const isSame = (one: DeliveryAttempt) =>
    one.message === message && one.destination === destination;
  return attempts.findIndex(isSame) === n;
}

function AttemptEntry({
  attempt,
  isLast,
  destination,
  nowMs,
}: {
  attempt: DeliveryAttempt;
  isLast: boolean;
  destination: DestinationSummary | undefined;
  nowMs: number;
}) {
  const { atMs, title, digest, result, status, answer, durationMs, nextMs } = attempt;
  const isWaiting = nextMs !== undefined && nextMs > nowMs;
  const canSend = isLast && result !== "delivered" && !isTestMessage(attempt.message);
  const label = isWaiting ? "Send now" : "Send again";
  return (
    <SettingsEntry
      name={
        digest === undefined ? (
          title
        ) : (
          <>
            {title} <DeskLink href={toIssueUrl(digest)}>{digest}</DeskLink>
          </>
        )
      }
      badge={
        <span className="badge" data-state={result}>
          {RESULT_LABELS[result]}
        </span>
      }
      facts={[
        <RelativeTime key="at" atMs={atMs} nowMs={nowMs} />,
        <bdi key="to">{destination?.name ?? "a deleted destination"}</bdi>,
        status !== undefined && `status ${status}`,
        `${Math.round(durationMs)} ms`,
        attempt.attempt > 1 && `attempt ${attempt.attempt}`,
        nextMs !== undefined && (
          <span key="next">
            next at <UntilTime atMs={nextMs} nowMs={nowMs} />
          </span>
        ),
        answer !== undefined && answer !== "" && <code key="answer">{answer}</code>,
      ]}
    >
      {canSend && (
        <DeskForm
          requiredRole="member"
          method="post"
          action={toAlertFormUrl("again")}
          className="entry-actions"
        >
          <input type="hidden" name="message" value={attempt.message} />
          <button type="submit" aria-label={`${label}: ${title}`}>
            {label}
          </button>
        </DeskForm>
      )}
    </SettingsEntry>
  );
}

/** The section of alerts without a message, and the reasons. */
function HeldBackList({ alerts, nowMs }: { alerts: readonly HeldBackAlert[]; nowMs: number }) {
  return (
    <SettingsSection
      id="held-back"
      name="Held back"
      description="Alerts that were not sent, and why."
    >
      {alerts.length === 0 && <p className="muted">Nothing was held back.</p>}
      <ul className="entries">
        {alerts.slice(0, SHOWN).map(({ atMs, digest, reason }, n) => (
          <SettingsEntry
            key={n}
            name={
              digest === undefined ? (
                "Project"
              ) : (
                <DeskLink href={toIssueUrl(digest)}>{digest}</DeskLink>
              )
            }
            facts={[
              <RelativeTime key="at" atMs={atMs} nowMs={nowMs} />,
              <bdi key="why">{reason}</bdi>,
            ]}
          />
        ))}
      </ul>
    </SettingsSection>
  );
}
