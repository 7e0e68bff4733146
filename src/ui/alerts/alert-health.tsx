/** The health of delivery in one sentence, for the alert settings and `/status`. */
import { use } from "react";
import type { AlertSettings } from "../../core/ports/alerts-port.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { ALERT_SETTINGS_URL } from "../urls/alert-urls.ts";

/** `12 messages delivered …, half within 0.4 s …`; nothing before the first message. */
export function AlertHealthText({ settings }: { settings: AlertSettings }) {
  const { health, destinations } = settings;
  const { delivered, waiting, undelivered, delayP50Ms, delayP99Ms, oldestWaitingMs } = health;
  const disabled = destinations.filter((one) => one.disabled !== undefined);
  if (delivered + waiting + undelivered + disabled.length === 0) return null;
  const isBad = undelivered > 0 || disabled.length > 0;
  return (
    <p className={isBad ? "warning" : "muted"}>
      {pluralize(delivered, "message")} delivered
      {delayP50Ms !== undefined && `, half within ${formatSeconds(delayP50Ms)}`}
      {delayP99Ms !== undefined && `, 99 % within ${formatSeconds(delayP99Ms)}`}.{" "}
      {waiting > 0 &&
        `${formatNumber(waiting)} waiting${
          oldestWaitingMs === undefined ? "" : `, for up to ${formatSeconds(oldestWaitingMs)}`
        }. `}
      {undelivered > 0 && `${formatNumber(undelivered)} not delivered. `}
      {disabled.length > 0 && (
        <>
          Disabled: <bdi>{disabled.map(({ name }) => name).join(", ")}</bdi>.
        </>
      )}
    </p>
  );
}

/** The section of `/status`. */
export function AlertStatus({ settings }: { settings: Promise<AlertSettings | null> }) {
  const loaded = use(settings);
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      {loaded === null ? (
        <p className="warning">
          <b>Alerts are temporarily unavailable.</b> Alerts that are due are kept and sent later.
        </p>
      ) : (
        <AlertHealthText settings={loaded} />
      )}
      <p>
        <DeskLink href={ALERT_SETTINGS_URL}>Rules, destinations and deliveries</DeskLink>
      </p>
    </section>
  );
}

/** `0.4 s`, `12 s`, `3 min`. */
function formatSeconds(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 120_000
    ? `${Math.round(ms / 1_000)} s`
    : `${formatNumber(Math.round(ms / 60_000))} min`;
}
