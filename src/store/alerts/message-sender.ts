/**
 * Sends the messages that are due: in order for each destination, with a pause between two calls,
 * and all destinations at the same time. Every outcome is stored before the next attempt. A message
 * stays in its table until a destination has accepted it, so that a restart sends it again with its
 * id.
 */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import {
  type DeliveryResult,
  getRetryDelayMs,
} from "../../core/alerts/destinations/delivery-result.ts";
import type { Destination } from "../../core/alerts/destinations/destinations.ts";
import { MESSAGE_BUDGETS, toBudgetName } from "../../core/alerts/message-budget.ts";
import type { Digest } from "../../core/report.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { Delivery } from "./tables/delivery-table.ts";
import type { DestinationFailures, DestinationState } from "./tables/destination-table.ts";

/** The delay of a message that could not be rendered, because the index was unavailable. */
const RETRY_MS = 5_000;
/** How long the loop waits without looking at the queue. */
const MAX_WAIT_MS = 1_000;

export class MessageSender {
  readonly #deps;
  readonly #calls = new Map<number, Promise<DeliveryResult>>();
  #running: Promise<void> | null = null;
  /** Calls that the run may still start. */
  #left = 0;
  /** Ends the pause of the run. */
  #wake: (() => void) | undefined;

  constructor(deps: {
    readonly tables: AlertTables;
    readonly settings: Pick<SenderSettings, "get" | "change">;
    /** The message for a destination; null if it must not be sent. Rejects. */
    readonly render: (delivery: Delivery, destination: Destination) => Promise<AlertMessage | null>;
    readonly deliver: (destination: Destination, message: AlertMessage) => Promise<DeliveryResult>;
    /** Called when a destination has accepted a message. */
    readonly onDelivered: (destination: Destination, message: AlertMessage, atMs: number) => void;
    /** Called when a destination was disabled, in the transaction that stores the attempt. */
    readonly onDisabled: (destination: Destination) => void;
    /** Called for the first message since a success that cannot be delivered, in that transaction. */
    readonly onUndelivered: (destination: Destination) => void;
    readonly nowMs: () => number;
    readonly random: () => number;
  }) {
    this.#deps = deps;
  }

  /**
   * Sends what is due, also what becomes due while a call takes long. Starts at most
   * `alertLimits.maxCallsPerAlarm` calls; each concurrent call of `run` allows as many again.
   * Resolves when all calls have ended: an object that stops repeats an alarm that has not ended.
   * Never rejects.
   */
  run(): Promise<void> {
    // Each event of the object has requests of its own.
    this.#left = alertLimits.maxCallsPerAlarm;
    this.#wake?.();
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Sends one message now. Resolves to the result of the attempt. */
  async sendNow(id: number): Promise<DeliveryResult | null> {
    const delivery = this.#deps.tables.deliveries.get(id);
    return delivery === undefined ? null : (this.#calls.get(id) ?? this.#start(delivery));
  }

  /** When the next message is due, ms; undefined if none waits. */
  getDueMs(): number | undefined {
    const { nowMs } = this.#deps;
    const times = this.#schedule().map(({ readyMs }) => readyMs);
    return times.length === 0 ? undefined : Math.max(nowMs(), Math.min(...times));
  }

  /** True while a destination is being called. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  async waitUntilIdle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.values());
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const ready = this.#listReady().slice(0, this.#left);
      this.#left -= ready.length;
      for (const { delivery } of ready) void this.#start(delivery);
      if (this.#calls.size === 0) return;
      await this.#waitForWork();
    }
  }

  #schedule() {
    const { tables, nowMs } = this.#deps;
    return scheduleMessages({
      waiting: tables.deliveries.listWaiting(),
      isCalled: ({ id }) => this.#calls.has(id),
      getState: (destination) => tables.destinations.get(destination),
      nowMs: nowMs(),
    });
  }

  #listReady() {
    const nowMs = this.#deps.nowMs();
    return this.#schedule().filter(({ readyMs }) => readyMs <= nowMs);
  }

  /** Resolves when a call ends, when the next message is due, or when messages were added. */
  async #waitForWork(): Promise<void> {
    const dueMs = this.#left > 0 ? (this.getDueMs() ?? Infinity) : Infinity;
    const waitMs = Math.min(dueMs - this.#deps.nowMs(), MAX_WAIT_MS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([...this.#calls.values(), woken]);
    clearTimeout(timer);
  }

  #start(delivery: Delivery): Promise<DeliveryResult> {
    const call = this.#attempt(delivery)
      .catch((error: unknown): DeliveryResult => {
        console.error("alerts: attempt failed", String(error));
        this.#postpone(delivery);
        return { kind: "retry", answer: "Errata could not send the message.", isOwn: true };
      })
      .finally(() => this.#calls.delete(delivery.id));
    this.#calls.set(delivery.id, call);
    return call;
  }

  async #attempt(delivery: Delivery): Promise<DeliveryResult> {
    const { tables, settings, render, deliver, onDelivered, nowMs } = this.#deps;
    const isDestination = ({ id }: Destination) => id === delivery.destination;
    const destination = settings.get().destinations.find(isDestination);
    if (destination === undefined) {
      tables.deliveries.remove(delivery.id);
      return { kind: "gone", answer: "The destination was deleted.", isOwn: true };
    }
    let message: AlertMessage | null;
    try {
      message = await render(delivery, destination);
    } catch (error) {
      console.warn("alerts: message not rendered, will retry", String(error));
      this.#postpone(delivery);
      return { kind: "retry", answer: "The issue cannot be read.", isOwn: true };
    }
    if (message === null) {
      tables.deliveries.remove(delivery.id);
      return { kind: "failed", answer: "The message is no longer wanted.", isOwn: true };
    }
    const startedMs = nowMs();
    const result = await callSafely(() => deliver(destination, message));
    const attempt = { delivery, destination, message, result, startedMs };
    tables.transaction(() => this.#record(attempt));
    if (result.kind === "delivered") onDelivered(destination, message, nowMs());
    return result;
  }

  #postpone({ id }: Delivery): void {
    this.#deps.tables.deliveries.postpone(id, this.#deps.nowMs() + RETRY_MS);
  }

  /**
   * Stores the outcome of an attempt: whether the message is retried, what its destination may
   * receive next, and the entry of the log. A success makes everything that waits for the
   * destination due. Call inside a transaction.
   */
  #record(attempt: Attempt): void {
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
      budgets: state.budgets,
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
      atMs: startedMs,
      message: delivery.message,
      title: message.title,
      attempt: delivery.attempts + 1,
      destination: destination.id,
      // A message that is not retried has failed.
      result: result.kind === "retry" && nextMs === undefined ? "failed" : result.kind,
      durationMs: atMs - startedMs,
      digest: message.kind === "issue" ? message.issues[0]?.digest : message.handOff?.digest,
      status: result.status,
      answer: result.answer,
      nextMs,
      delayMs: result.kind === "delivered" ? findDelay(delivery, atMs) : undefined,
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

async function callSafely(call: () => Promise<DeliveryResult>): Promise<DeliveryResult> {
  try {
    return await call();
  } catch (error) {
    return { kind: "retry", answer: String(error).slice(0, 200) };
  }
}

interface Attempt {
  readonly delivery: Delivery;
  readonly destination: Destination;
  readonly message: AlertMessage;
  readonly result: DeliveryResult;
  readonly startedMs: number;
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
    isUndelivered,
    ...(isRefusal && { refusal: { status, sinceMs } }),
    pausedUntilMs: afterMs === undefined ? undefined : atMs + afterMs,
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

/** The next message of a destination. */
interface NextMessage {
  readonly delivery: Delivery;
  /** When it can be sent, ms. */
  readonly readyMs: number;
  readonly isSlow: boolean;
}

/**
 * The next message of each destination that can be called: at `nowMs`, or else the earliest one. A
 * destination gets one call at a time. Those whose last call took long share a few calls, so that
 * they leave the connections of the object to the others.
 */
export function scheduleMessages({
  waiting,
  isCalled,
  getState,
  nowMs,
}: {
  /** Messages that wait, oldest first. */
  readonly waiting: readonly Delivery[];
  /** True for a message that is being sent. */
  readonly isCalled: (delivery: Delivery) => boolean;
  readonly getState: (destination: string) => DestinationState;
  readonly nowMs: number;
}): readonly NextMessage[] {
  const byDestination = Map.groupBy(waiting, ({ destination }) => destination);
  const next: NextMessage[] = [];
  let slowCalls: number = alertLimits.maxSlowCalls;
  for (const [destination, deliveries] of byDestination) {
    const { nextMs = 0, isSlow = false } = getState(destination);
    if (deliveries.some(isCalled)) {
      if (isSlow) slowCalls -= 1;
      continue;
    }
    const found = findNext(deliveries, nextMs, nowMs);
    if (found !== undefined) next.push({ ...found, isSlow });
  }
  // The destination that has waited longest is first.
  next.sort((a, b) => a.readyMs - b.readyMs);
  return next.filter(({ isSlow, readyMs }) => {
    if (!isSlow || readyMs > nowMs) return true;
    slowCalls -= 1;
    return slowCalls >= 0;
  });
}

/** A message that waits for its second attempt blocks the others, unless it alone was refused. */
function findNext(
  deliveries: readonly Delivery[],
  nextMs: number,
  nowMs: number,
): Omit<NextMessage, "isSlow"> | undefined {
  const blocking = deliveries.find(
    ({ attempts, contents }) => attempts === 1 && contents.isRefused !== true,
  );
  const candidates = (blocking === undefined ? deliveries : [blocking]).map((delivery) => ({
    delivery,
    readyMs: Math.max(delivery.dueMs, nextMs),
  }));
  const ready = candidates.filter(({ readyMs }) => readyMs <= nowMs);
  if (ready.length === 0) return candidates.toSorted((a, b) => a.readyMs - b.readyMs)[0];
  const [first] = ready.toSorted((a, b) => getRank(a.delivery) - getRank(b.delivery));
  // Messages about one issue arrive in their order.
  const digest = getDigest(first?.delivery);
  return digest === undefined
    ? first
    : ready.find(({ delivery }) => getDigest(delivery) === digest);
}

/** The first issue of a message. */
function getDigest(delivery: Delivery | undefined): Digest | undefined {
  return delivery?.contents.alerts[0]?.alert.digest;
}

/**
 * The urgency: the order of the budgets. Alerts without an issue are the most urgent ones, and
 * summaries of days and weeks the least.
 */
function getRank({ kind, contents: { alerts } }: Delivery): number {
  const [first] = alerts;
  if (kind === "period") return MESSAGE_BUDGETS.length;
  return first?.alert.digest === undefined
    ? -1
    : MESSAGE_BUDGETS.indexOf(toBudgetName(first.alert));
}
