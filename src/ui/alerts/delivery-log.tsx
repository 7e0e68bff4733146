/** The last attempts to deliver, and the alerts that were held back. */
import { isTestMessage } from "../../core/alerts/alert-message.ts";
import type { DestinationSummary } from "../../core/alerts/destinations/destinations.ts";
import type { DeliveryAttempt, HeldBackAlert } from "../../core/ports/alerts-port.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { RESULT_LABELS } from "./alert-texts.ts";

const SHOWN = 50;

/** The section of attempts, newest first. Members can send a failed message again. */
export function DeliveryLog({
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
export function HeldBackList({
  alerts,
  nowMs,
}: {
  alerts: readonly HeldBackAlert[];
  nowMs: number;
}) {
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
