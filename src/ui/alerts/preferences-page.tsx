/** The page at `/alerts/preferences`: which alerts of a project a person receives, and how. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { DestinationSummary } from "../../core/alerts/destinations/destinations.ts";
import type { AlertPreferences } from "../../core/alerts/preferences.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { NameField } from "../settings/name-field.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { ALERT_PREFERENCES_URL } from "../urls/alert-urls.ts";
import { DestinationEntry } from "./destination-entry.tsx";
import { HourFields } from "./rule-form.tsx";

interface PreferencesPageProps {
  /** Null while the object of alerts is unavailable. */
  readonly data: {
    readonly preferences: AlertPreferences;
    /** The destinations of the person. */
    readonly destinations: readonly DestinationSummary[];
    readonly pushKey: string;
  } | null;
  readonly error?: string | undefined;
  readonly nowMs: number;
}

export function PreferencesPage({ data, error, nowMs }: PreferencesPageProps) {
  return (
    <div className="settings-page">
      <header className="page-header">
        <h1>Your alerts</h1>
        <p>
          Alerts of this project that are sent to you, in addition to the inbox. Only you can change
          these settings.
        </p>
      </header>
      <FormError message={error} />
      {data === null ? (
        <p className="warning">
          <b>Alerts are temporarily unavailable.</b> Your settings are kept.
        </p>
      ) : (
        <>
          <OwnDestinations destinations={data.destinations} nowMs={nowMs} />
          <PushSection pushKey={data.pushKey} />
          <PreferencesSection preferences={data.preferences} destinations={data.destinations} />
        </>
      )}
    </div>
  );
}

function OwnDestinations({
  destinations,
  nowMs,
}: {
  destinations: readonly DestinationSummary[];
  nowMs: number;
}) {
  return (
    <SettingsSection
      id="ways"
      name="Your destinations"
      description="Your own browsers and email addresses."
    >
      {destinations.length === 0 && (
        <p className="muted">No destinations yet. Alerts appear in the inbox only.</p>
      )}
      <ul className="entries">
        {destinations.map((destination) => (
          <DestinationEntry
            key={destination.id}
            destination={destination}
            nowMs={nowMs}
            form={{ url: ALERT_PREFERENCES_URL, requiredRole: "viewer" }}
          />
        ))}
      </ul>
      <DeskForm
        requiredRole="member"
        method="post"
        action={ALERT_PREFERENCES_URL}
        className="form-row-inline"
      >
        <input type="hidden" name="do" value="add-email" />
        <label>
          <span>Email</span>
          <input
            name="to"
            type="email"
            required
            maxLength={alertLimits.maxAddressChars}
            placeholder="ada@example.com"
            autoComplete="email"
          />
        </label>
        <button type="submit">Add address</button>
      </DeskForm>
    </SettingsSection>
  );
}

/** `client/enable-push.ts` shows and fills the form. */
function PushSection({ pushKey }: { pushKey: string }) {
  return (
    <SettingsSection
      id="push"
      name="This browser"
      description="Shows notifications even if no page of Errata is open. Messages are encrypted for this browser."
    >
      <DeskForm
        requiredRole="member"
        method="post"
        action={ALERT_PREFERENCES_URL}
        className="form-row-inline"
        data-push-key={pushKey}
      >
        <input type="hidden" name="do" value="add-push" />
        <input type="hidden" name="endpoint" />
        <input type="hidden" name="p256dh" />
        <input type="hidden" name="auth" />
        <NameField
          label="Name of this browser"
          maxLength={alertLimits.maxNameChars}
          defaultValue="This browser"
        />
        <button type="submit" disabled>
          Notify this browser
        </button>
        <p role="status" className="muted">
          Notifications need JavaScript, which is not running on this page.
        </p>
      </DeskForm>
    </SettingsSection>
  );
}

function PreferencesSection({
  preferences: { destinations: used, onlyAssigned, quietHours },
  destinations,
}: {
  preferences: AlertPreferences;
  destinations: readonly DestinationSummary[];
}) {
  return (
    <SettingsSection
      id="what"
      name="What you receive"
      description="Applies to your own destinations."
    >
      <DeskForm method="post" action={ALERT_PREFERENCES_URL} className="form-stack">
        <input type="hidden" name="do" value="save" />
        {destinations.length > 0 && (
          <fieldset>
            <legend>Send to</legend>
            {destinations.map(({ id, name }) => (
              <label key={id} className="choice">
                <input type="checkbox" name={`to.${id}`} defaultChecked={used.includes(id)} />
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <label className="choice">
          <input type="checkbox" name="onlyAssigned" defaultChecked={onlyAssigned} />
          <span>Only issues that are assigned to me</span>
        </label>
        <label className="choice">
          <input type="checkbox" name="quiet" defaultChecked={quietHours !== undefined} />
          <span>Quiet hours (messages are sent when they end)</span>
        </label>
        <HourFields
          from={quietHours?.from ?? 1_320}
          to={quietHours?.to ?? 420}
          timeZone={quietHours?.timeZone}
        />
        <button type="submit">Save</button>
      </DeskForm>
    </SettingsSection>
  );
}
