/** A destination in a list: its target, whether it is disabled, and its buttons. */
import type { ReactNode } from "react";
import {
  type DestinationSummary,
  getDestinationKind,
} from "../../core/alerts/destinations/destinations.ts";
import {
  SUMMARY_HOUR,
  SUMMARY_PERIODS,
  type SummaryChoice,
} from "../../core/alerts/periods/summary-period.ts";
import { DeskForm, RequireRole } from "../parts/desk-context.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import { formatMinutes } from "./alert-texts.ts";

interface DestinationEntryProps {
  readonly destination: DestinationSummary;
  readonly nowMs: number;
  /** The form that changes it: its URL, and the required role. */
  readonly form: { readonly url: string; readonly requiredRole: "owner" | "viewer" };
  readonly children?: ReactNode;
}

export function DestinationEntry({ destination, nowMs, form, children }: DestinationEntryProps) {
  const { id, name, kind, target, disabled, previousUntilMs = 0, pausedUntilMs = 0 } = destination;
  const { unconfirmed = [], summaryEvery } = destination;
  const definition = getDestinationKind(kind);
  const isPaused = pausedUntilMs > nowMs && disabled === undefined;
  const button = { id, name, ...form };
  return (
    <SettingsEntry
      name={<bdi>{name}</bdi>}
      badge={disabled !== undefined && <span className="badge">disabled</span>}
      facts={[
        definition.label,
        target !== "" && <bdi key="target">{target}</bdi>,
        previousUntilMs > nowMs && (
          <span key="rotation">
            the previous secret also signs until <UntilTime atMs={previousUntilMs} nowMs={nowMs} />
          </span>
        ),
        isPaused && (
          <span key="paused">
            paused until <UntilTime atMs={pausedUntilMs} nowMs={nowMs} />, as the service asked
            (Retry-After)
          </span>
        ),
        unconfirmed.length > 0 && (
          <span key="unconfirmed">
            no alerts until the link is opened in the mail to <bdi>{unconfirmed.join(", ")}</bdi>
          </span>
        ),
        summaryEvery !== undefined &&
          summaryEvery !== "never" &&
          `a summary ${SUMMARY_PERIODS[summaryEvery].label}`,
        disabled !== undefined && (
          <span key="disabled">
            disabled <RelativeTime atMs={disabled.atMs} nowMs={nowMs} />:{" "}
            <bdi>{disabled.reason}</bdi>
          </span>
        ),
      ]}
    >
      <div className="entry-actions">
        <DeskForm requiredRole="member" method="post" action={toAlertFormUrl("test")}>
          <input type="hidden" name="destination" value={id} />
          <button type="submit" aria-label={`Send a test to ${name}`}>
            Send a test
          </button>
        </DeskForm>
        {isPaused && (
          <DeskForm requiredRole="member" method="post" action={toAlertFormUrl("again")}>
            <input type="hidden" name="destination" value={id} />
            <button type="submit" aria-label={`Send now: ${name}`}>
              Send now
            </button>
          </DeskForm>
        )}
        {disabled !== undefined && (
          <DestinationButton {...button} action="enable" label="Enable">
            Enable
          </DestinationButton>
        )}
        {definition.createsSecret === true && (
          <DestinationButton {...button} action="rotate" label="Create a new secret for">
            New secret
          </DestinationButton>
        )}
        <DestinationButton {...button} action="delete" label="Delete the destination">
          Delete
        </DestinationButton>
      </div>
      {summaryEvery !== undefined && (
        <SummaryForm id={id} name={name} every={summaryEvery} {...form} />
      )}
      {children}
    </SettingsEntry>
  );
}

/** How often an email destination gets a summary. */
function SummaryForm({
  id,
  name,
  every,
  url,
  requiredRole,
}: {
  readonly id: string;
  readonly name: string;
  readonly every: SummaryChoice;
  readonly url: string;
  readonly requiredRole: "owner" | "viewer";
}) {
  return (
    <RequireRole requiredRole={requiredRole}>
      <DeskForm requiredRole={requiredRole} method="post" action={url} className="form-row-inline">
        <input type="hidden" name="do" value="summary" />
        <input type="hidden" name="id" value={id} />
        <label>
          <span>Summary by mail</span>
          <select name="every" defaultValue={every}>
            <option value="never">none</option>
            {Object.entries(SUMMARY_PERIODS).map(([period, { label }]) => (
              <option key={period} value={period}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" aria-label={`Save the summary for ${name}`}>
          Save
        </button>
        <p className="muted">
          Sent at {formatMinutes(SUMMARY_HOUR * 60)} UTC, about the day or the week before. If
          nothing is new, it says so in one line.
        </p>
      </DeskForm>
    </RequireRole>
  );
}

function DestinationButton({
  id,
  action,
  label,
  name,
  url,
  requiredRole,
  children,
}: {
  readonly id: string;
  readonly action: "delete" | "enable" | "rotate";
  /** The label for screen readers, which is followed by the name. */
  readonly label: string;
  readonly name: string;
  readonly url: string;
  readonly requiredRole: "owner" | "viewer";
  readonly children: ReactNode;
}) {
  return (
    <DeskForm requiredRole={requiredRole} method="post" action={url}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="id" value={id} />
      <button
        type="submit"
        className={action === "delete" ? "danger" : undefined}
        aria-label={`${label} ${name}`}
      >
        {children}
      </button>
    </DeskForm>
  );
}
