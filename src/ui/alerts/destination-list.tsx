/** The destinations of a project. Addresses are write-only: pages show only a summary. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import {
  DESTINATION_FORMS,
  type DestinationSummary,
  type DestinationForm as Form,
} from "../../core/alerts/destinations/destinations.ts";
import { DeskForm, RequireRole } from "../parts/desk-context.tsx";
import { NameField } from "../settings/name-field.tsx";
import { OneTimeSecret } from "../settings/one-time-secret.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import { DestinationEntry } from "./destination-entry.tsx";

interface DestinationListProps {
  readonly destinations: readonly DestinationSummary[];
  /** The secret of a webhook that was just created. */
  readonly secret?: string | undefined;
  readonly nowMs: number;
}

/** The section. Destinations of people are on their profiles. */
export function DestinationList({ destinations, secret, nowMs }: DestinationListProps) {
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
