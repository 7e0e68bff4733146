/** The connections to trackers: their state, their webhooks, and the forms that change them. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { type TrackerSummary, trackerLimits } from "../../core/trackers/tracker.ts";
import type { TrackerKind } from "../../core/trackers/tracker-kind.ts";
import { getTrackerKind, TRACKERS } from "../../core/trackers/trackers.ts";
import { CopyLine } from "../parts/copy-line.tsx";
import { DeskForm, RequireRole, useDesk } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { TRACKER_SETTINGS_URL, toHookUrl } from "../urls/tracker-urls.ts";

export interface TrackerSettingsProps {
  /** Null while the object of alerts is unavailable. */
  readonly trackers: readonly TrackerSummary[] | null;
  /** The secret of a webhook that was just created, and its connection. */
  readonly issued?: { readonly tracker: string; readonly secret: string } | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

export function TrackerSettingsPage({ trackers, issued, origin, nowMs }: TrackerSettingsProps) {
  return (
    <>
      <SettingsSection
        id="trackers"
        name="Connections"
        description="Members create issues there. An issue that is closed on one side is resolved on the other."
      >
        {trackers === null && (
          <p className="muted">The trackers are temporarily unavailable. No data is lost.</p>
        )}
        {trackers?.length === 0 && (
          <p className="callout">
            <b>No trackers yet.</b> Issues can have plain links to other pages.
          </p>
        )}
        <ul className="entries">
          {trackers?.map((tracker) => (
            <TrackerEntry
              key={tracker.id}
              tracker={tracker}
              secret={issued?.tracker === tracker.id ? issued.secret : undefined}
              origin={origin}
              nowMs={nowMs}
            />
          ))}
        </ul>
      </SettingsSection>
      <RequireRole requiredRole="owner">
        <SettingsSection
          id="add"
          name="Add a tracker"
          description="Errata does not show tokens and secrets again."
        >
          {TRACKERS.map((kind) => (
            <details key={kind.kind} className="add-form">
              <summary>Add {kind.label}</summary>
              <TrackerForm kind={kind} />
            </details>
          ))}
        </SettingsSection>
      </RequireRole>
    </>
  );
}

function TrackerEntry({
  tracker,
  secret,
  origin,
  nowMs,
}: {
  tracker: TrackerSummary;
  secret: string | undefined;
  origin: string;
  nowMs: number;
}) {
  const { id, project, baseUrl, hasSecret, state } = tracker;
  const { waiting, failed, calledMs, receivedMs, problem } = state;
  const kind = getTrackerKind(tracker.kind);
  const { base } = useDesk();
  const name = `${kind.label}, ${project}`;
  return (
    <SettingsEntry
      name={<bdi>{project}</bdi>}
      badge={problem !== undefined && <span className="badge">failing</span>}
      facts={[
        kind.label,
        baseUrl !== undefined && <bdi key="base">{new URL(baseUrl).host}</bdi>,
        calledMs === undefined ? (
          "not called yet"
        ) : (
          <span key="called">
            last call <RelativeTime atMs={calledMs} nowMs={nowMs} />
          </span>
        ),
        receivedMs === undefined ? (
          "no webhook yet"
        ) : (
          <span key="received">
            last webhook <RelativeTime atMs={receivedMs} nowMs={nowMs} />
          </span>
        ),
        waiting > 0 && `${pluralize(waiting, "message")} waiting`,
        failed > 0 && `${pluralize(failed, "message")} not delivered`,
        problem !== undefined && (
          <span key="problem">
            failed <RelativeTime atMs={problem.atMs} nowMs={nowMs} />: <bdi>{problem.detail}</bdi>
          </span>
        ),
      ]}
    >
      <RequireRole requiredRole="owner">
        <div className="entry-actions">
          <TrackerButton id={id} action="check" label={`Check ${name}`} text="Check" />
          {waiting + failed > 0 && (
            <TrackerButton id={id} action="again" label={`Send again: ${name}`} text="Send again" />
          )}
          {kind.createsSecret !== true && (
            <TrackerButton
              id={id}
              action="rotate"
              label={`Create a new secret for ${name}`}
              text="New secret"
            />
          )}
          <TrackerButton id={id} action="remove" label={`Remove ${name}`} text="Remove" />
        </div>
        {secret !== undefined && (
          <OneTimeSecret
            name="Secret of the webhook"
            hint={`Paste it into the webhook in ${kind.label} now. It will not be shown again.`}
            text={secret}
            copyLabel="the secret"
          />
        )}
        <details className="entry-details" open={secret !== undefined}>
          <summary aria-label={`Webhook of ${name}`}>Webhook</summary>
          <p className="muted">{kind.hookHint}</p>
          <CopyLine text={`${origin}${base}${toHookUrl(id)}`} copyLabel="the address" />
          {!hasSecret && <p className="muted">Webhooks are refused until there is a secret.</p>}
        </details>
        <details className="entry-details">
          <summary aria-label={`Edit ${name}`}>Edit</summary>
          <TrackerForm kind={kind} tracker={tracker} />
        </details>
      </RequireRole>
    </SettingsEntry>
  );
}

function TrackerButton({
  id,
  action,
  label,
  text,
}: {
  id: string;
  action: "check" | "again" | "rotate" | "remove";
  label: string;
  text: string;
}) {
  return (
    <DeskForm requiredRole="owner" method="post" action={TRACKER_SETTINGS_URL}>
      <input type="hidden" name="tracker" value={id} />
      <button
        type="submit"
        name="do"
        value={action}
        className={action === "remove" ? "danger" : undefined}
        aria-label={label}
      >
        {text}
      </button>
    </DeskForm>
  );
}

/** The form of a new connection, or of a known one, whose token may stay. */
function TrackerForm({ kind, tracker }: { kind: TrackerKind; tracker?: TrackerSummary }) {
  const { maxTargetChars: max } = alertLimits;
  const { createsSecret, isSelfHosted, baseUrl } = kind;
  return (
    <DeskForm
      requiredRole="owner"
      method="post"
      action={TRACKER_SETTINGS_URL}
      className="form-stack"
    >
      <input type="hidden" name="do" value="save" />
      <input type="hidden" name="kind" value={kind.kind} />
      {tracker !== undefined && <input type="hidden" name="tracker" value={tracker.id} />}
      <p className="muted">{kind.tokenHint}</p>
      <Field
        name="project"
        label={kind.projectWord}
        placeholder={kind.placeholder}
        value={tracker?.project}
        max={trackerLimits.maxProjectChars}
        isRequired
      />
      {isSelfHosted && (
        <Field
          name="baseUrl"
          label={baseUrl === undefined ? "Address" : "Address of your own server"}
          placeholder={baseUrl ?? "https://acme.atlassian.net"}
          value={tracker?.baseUrl}
          max={max}
          isRequired={baseUrl === undefined}
        />
      )}
      {kind.kind === "jira" && (
        <>
          <Field
            name="email"
            label="Email address, for Jira Cloud"
            placeholder="ada@example.com"
            value={tracker?.email}
            max={max}
          />
          <Field
            name="issueType"
            label="Type of new issues"
            placeholder="Bug"
            value={tracker?.issueType}
            max={80}
          />
        </>
      )}
      <Field
        name="token"
        label={tracker === undefined ? "Token" : "New token, if it changes"}
        max={max}
        isRequired={tracker === undefined}
      />
      {createsSecret === true && (
        <Field name="secret" label={`Signing secret that ${kind.label} shows`} max={max} />
      )}
      <button type="submit">{tracker === undefined ? `Add ${kind.label}` : "Save"}</button>
    </DeskForm>
  );
}

function Field({
  name,
  label,
  placeholder,
  value,
  max,
  isRequired = false,
}: {
  name: string;
  label: string;
  placeholder?: string | undefined;
  value?: string | undefined;
  max: number;
  isRequired?: boolean;
}) {
  return (
    <label>
      <span>{label}</span>
      <input
        name={name}
        type="text"
        required={isRequired}
        maxLength={max}
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}
