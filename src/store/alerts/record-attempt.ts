/**
 * Stores the outcome of an attempt: whether the message is retried, what its destination may
 * receive next, and the entry of the log. A success makes everything that waits for the destination
 * due. Synchronous.
 */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import type { DeliveryResult } from "../../core/alerts/destinations/delivery-result.ts";
import type { Destination } from "../../core/alerts/destinations/destinations.ts";
import { getRetryDelayMs } from "../../core/alerts/retry-schedule.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { Delivery } from "./tables/delivery-table.ts";
import type { DestinationFailures, DestinationState } from "./tables/destination-table.ts";

interface RecorderDeps {
  readonly tables: AlertTables;
  readonly settings: Pick<SenderSettings, "get" | "change">;
  /** See `MessageSender`. */
  readonly onDisabled: (destination: Destination) => void;
  readonly onUndelivered: (destination: Destination) => void;
  readonly nowMs: () => number;
  readonly random: () => number;
}

interface Attempt {
  readonly delivery: Delivery;
  readonly destination: Destination;
  readonly message: AlertMessage;
  readonly result: DeliveryResult;
  readonly startedMs: number;
}

export class AttemptRecorder {
  readonly #deps: RecorderDeps;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Call inside a transaction. */
  record(attempt: Attempt): void {
    const { tables, nowMs, random, onDisabled, onUndelivered } = this.#deps;
    const { delivery, destination, result, startedMs } = attempt;
    const atMs = nowMs();
    const state = tables.destinations.get(destination.id);
    const failures = addFailure(state, result, { startedMs, atMs });
    const disabledReason = findDisabledReason(failures, result, atMs);
    const isTest = delivery.kind === "test";
    const delayMs =
      result.kind === "retry" && disabledReason === undefined && !isTest
        ? findRetryDelay(delivery, result, random())
        : null;
    const nextMs = delayMs === null ? undefined : atMs + delayMs;
    const isUndelivered =
      nextMs === undefined && !isTest && result.kind !== "delivered" && !disabledReason;
    if (result.kind === "delivered" || isTest) tables.deliveries.remove(delivery.id);
    else if (nextMs === undefined) tables.deliveries.setFailed(delivery.id);
    else tables.deliveries.setRetry(delivery.id, nextMs, isMessageRefused(result));
    tables.destinations.save(destination.id, {
      ...omitUndefined({ budgets: state.budgets }),
      ...failures,
      ...(isUndelivered && { isUndelivered: true as const }),
      // A pause that a service requests applies to all messages.
      nextMs: Math.max(startedMs + alertLimits.paceMs, failures.pausedUntilMs ?? 0),
    });
    this.#log(attempt, atMs, nextMs);
    if (result.kind === "delivered") {
      const maxReleases = isTest ? undefined : alertLimits.maxReleases;
      tables.deliveries.release(destination.id, atMs, maxReleases);
    }
    if (isUndelivered && state.isUndelivered !== true) onUndelivered(destination);
    if (disabledReason === undefined) return;
    tables.deliveries.setMissed(destination.id, delivery.id);
    if (this.#disable(destination, disabledReason, atMs)) onDisabled(destination);
  }

  #log(
    { delivery, destination, message, result, startedMs }: Attempt,
    atMs: number,
    nextMs?: number,
  ) {
    this.#deps.tables.attempts.add({
      ...{ atMs: startedMs, message: delivery.message, title: message.title },
      ...{ attempt: delivery.attempts + 1, destination: destination.id },
      // A message that is not retried has failed.
      result: result.kind === "retry" && nextMs === undefined ? "failed" : result.kind,
      durationMs: atMs - startedMs,
      ...omitUndefined({
        digest: message.kind === "issue" ? message.issues[0]?.digest : undefined,
        status: result.status,
        answer: result.answer,
        nextMs,
        delayMs: result.kind === "delivered" ? findDelay(delivery, atMs) : undefined,
      }),
    });
  }

  /** False if the destination is disabled or was deleted. */
  #disable({ id }: Destination, reason: string, atMs: number): boolean {
    const { settings } = this.#deps;
    const { destinations } = settings.get();
    if (!destinations.some((one) => one.id === id && one.disabled === undefined)) return false;
    const disabled = { atMs, reason };
    settings.change({
      destinations: destinations.map((one) => (one.id === id ? { ...one, disabled } : one)),
    });
    return true;
  }
}

/** The failures of a destination after an attempt; none after a success. */
function addFailure(
  state: DestinationState,
  result: DeliveryResult,
  { startedMs, atMs }: { readonly startedMs: number; readonly atMs: number },
): DestinationFailures {
  if (result.kind === "delivered") return {};
  const { failingSinceMs = atMs, isUndelivered, refusal: known } = state;
  const { status = 0 } = result;
  const isRefusal = result.kind === "retry" && result.refused === "destination";
  const sinceMs = known?.status === status ? known.sinceMs : atMs;
  const afterMs = result.kind === "retry" ? result.afterMs : undefined;
  return {
    failingSinceMs,
    ...(isUndelivered && { isUndelivered }),
    ...(isRefusal && { refusal: { status, sinceMs } }),
    ...(afterMs !== undefined && { pausedUntilMs: atMs + afterMs }),
    ...(atMs - startedMs >= alertLimits.slowMs && { isSlow: true as const }),
  };
}

/** Why the destination is disabled; undefined if it is not. */
function findDisabledReason(
  { failingSinceMs = Infinity, refusal }: DestinationFailures,
  { kind, answer = "" }: DeliveryResult,
  atMs: number,
): string | undefined {
  if (kind === "gone")
    return `The service answered that the destination no longer accepts messages: ${answer}`;
  if (refusal !== undefined && atMs - refusal.sinceMs >= alertLimits.maxRefusingMs)
    return `The service refused every message for an hour with status ${refusal.status}: ${answer}`;
  return atMs - failingSinceMs >= alertLimits.maxFailingMs
    ? `No message was delivered for ${alertLimits.maxFailingMs / DAY_MS} days: ${answer}`
    : undefined;
}

function findRetryDelay(
  { attempts }: Delivery,
  { maxAttempts = Infinity, afterMs }: Extract<DeliveryResult, { kind: "retry" }>,
  random: number,
): number | null {
  return attempts + 1 < maxAttempts ? getRetryDelayMs(attempts + 1, random, afterMs) : null;
}

function isMessageRefused(result: DeliveryResult): boolean {
  return result.kind === "retry" && result.refused === "message";
}

/**
 * The time from the first report of a message to its delivery, or from the time at which the
 * message was allowed, ms. Undefined for a test.
 */
function findDelay({ contents }: Delivery, atMs: number): number | undefined {
  const { alerts, fromMs = 0 } = contents;
  if (alerts.length === 0) return undefined;
  return Math.max(0, atMs - Math.max(fromMs, Math.min(...alerts.map(({ alert }) => alert.atMs))));
}
