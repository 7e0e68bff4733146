/** The health of delivery, for pages. */
import {
  concernsPerson,
  type Destination,
  type DestinationSummary,
} from "../../core/alerts/destinations/destinations.ts";
import type { AlertHealth } from "../../core/ports/alerts-port.ts";
import type { AlertTables } from "./tables/alert-tables.ts";

/** The health at `nowMs`; delays are those of the logged deliveries. */
export function readHealth({ deliveries, attempts }: AlertTables, nowMs: number): AlertHealth {
  const { waiting, failed, oldestMs } = deliveries.count();
  const logged = attempts.list();
  const delays = logged.flatMap(({ delayMs }) => delayMs ?? []).sort((a, b) => a - b);
  return {
    waiting,
    undelivered: failed,
    delivered: logged.filter(({ result }) => result === "delivered").length,
    delayP50Ms: getPercentile(delays, 0.5),
    delayP99Ms: getPercentile(delays, 0.99),
    oldestWaitingMs: oldestMs === undefined ? undefined : Math.max(0, nowMs - oldestMs),
  };
}

/** Until when the service of a destination asked for a pause; nothing after it. */
export function readPause(
  { destinations }: AlertTables,
  id: string,
  nowMs: number,
): Pick<DestinationSummary, "pausedUntilMs"> {
  const { pausedUntilMs = 0 } = destinations.get(id);
  return pausedUntilMs > nowMs ? { pausedUntilMs } : {};
}

/**
 * True if a destination of the project or of `person` is disabled, or has not received a message
 * since one could not be delivered.
 */
export function hasFailing(
  { destinations: states }: AlertTables,
  destinations: readonly Destination[],
  person: string,
): boolean {
  return destinations
    .filter((one) => concernsPerson(one, person))
    .some(({ id, disabled }) => disabled !== undefined || states.get(id).isUndelivered === true);
}

function getPercentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
