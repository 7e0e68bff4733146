/**
 * Sends the messages that are due: in order for each destination, with a pause between two calls,
 * and a few at the same time. Every outcome is stored before the next attempt. A message stays in
 * its table until a destination has accepted it, so that a restart sends it again with its id.
 */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import type { DeliveryResult } from "../../core/alerts/delivery-result.ts";
import type { Destination } from "../../core/alerts/destination.ts";
import { getRetryDelayMs } from "../../core/alerts/retry-schedule.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { Delivery } from "./tables/delivery-table.ts";

/** After this many failed attempts, a message no longer blocks later ones. */
const MAX_BLOCKING_ATTEMPTS = 2;
/** The delay of a message that could not be rendered because the index was unavailable. */
const RENDER_RETRY_MS = 5_000;

interface SenderDeps {
  readonly tables: AlertTables;
  readonly settings: Pick<SenderSettings, "get" | "change">;
  /** The message for a destination; null if its person must not receive it. Rejects. */
  readonly render: (delivery: Delivery, destination: Destination) => Promise<AlertMessage | null>;
  readonly deliver: (destination: Destination, message: AlertMessage) => Promise<DeliveryResult>;
  /** Called when a destination has accepted a message. */
  readonly onDelivered: (destination: Destination, message: AlertMessage, atMs: number) => void;
  /** Called when a destination was disabled. */
  readonly onDisabled: (destination: Destination) => void;
  readonly nowMs: () => number;
  readonly random: () => number;
}

export class MessageSender {
  readonly #deps: SenderDeps;
  readonly #calls = new Map<number, Promise<DeliveryResult>>();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /**
   * Sends what is due, at most `alertLimits.maxCallsPerAlarm` messages. Resolves after all calls.
   * Never rejects.
   */
  async run(): Promise<void> {
    let left: number = alertLimits.maxCallsPerAlarm;
    const running = new Set<Promise<unknown>>();
    for (;;) {
      for (const delivery of this.#listReady(Math.min(left, this.#countFree()))) {
        left -= 1;
        const call: Promise<unknown> = this.#start(delivery).finally(() => running.delete(call));
        running.add(call);
      }
      if (running.size === 0) return;
      await Promise.race(running);
    }
  }

  /** Sends one message now. Resolves to the result of the attempt. */
  async sendNow(id: number): Promise<DeliveryResult | null> {
    const delivery = this.#deps.tables.deliveries.get(id);
    return delivery === undefined ? null : (this.#calls.get(id) ?? this.#start(delivery));
  }

  /** When the next message is due, ms; undefined if none waits. */
  getDueMs(): number | undefined {
    const { nowMs } = this.#deps;
    const times = this.#listHeads().map(({ readyMs }) => readyMs);
    return times.length === 0 ? undefined : Math.max(nowMs(), Math.min(...times));
  }

  /** True while a destination is being called. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  async waitUntilIdle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.values());
  }

  #countFree(): number {
    return alertLimits.maxConcurrentCalls - this.#calls.size;
  }

  #listReady(max: number): readonly Delivery[] {
    const nowMs = this.#deps.nowMs();
    const ready = this.#listHeads().filter(({ readyMs }) => readyMs <= nowMs);
    return ready.slice(0, Math.max(0, max)).map(({ delivery }) => delivery);
  }

  /** The next message of each destination that is not being called, and when it can be sent. */
  #listHeads(): readonly { readonly delivery: Delivery; readonly readyMs: number }[] {
    const { deliveries, destinations } = this.#deps.tables;
    const waiting = deliveries.listWaiting();
    const called = new Set(
      waiting.filter(({ id }) => this.#calls.has(id)).map((one) => one.destination),
    );
    const heads = new Map<string, { delivery: Delivery; readyMs: number }>();
    const blocked = new Set<string>();
    for (const delivery of waiting) {
      const { destination, attempts } = delivery;
      if (called.has(destination) || blocked.has(destination)) continue;
      // A message that is retried soon blocks later ones.
      if (attempts > 0 && attempts <= MAX_BLOCKING_ATTEMPTS) blocked.add(destination);
      const { nextMs = 0 } = destinations.get(destination);
      const readyMs = Math.max(delivery.dueMs, nextMs);
      const head = heads.get(destination);
      if (head === undefined || readyMs < head.readyMs || blocked.has(destination))
        heads.set(destination, { delivery, readyMs });
    }
    return [...heads.values()];
  }

  #start(delivery: Delivery): Promise<DeliveryResult> {
    const call = this.#attempt(delivery)
      .catch((error: unknown): DeliveryResult => {
        console.error("alerts: attempt failed", String(error));
        return { kind: "retry", answer: "Errata could not send the message." };
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
      return { kind: "gone", answer: "The destination was deleted." };
    }
    let message: AlertMessage | null;
    try {
      message = await render(delivery, destination);
    } catch (error) {
      console.warn("alerts: message not rendered, will retry", String(error));
      tables.deliveries.postpone(delivery.id, nowMs() + RENDER_RETRY_MS);
      return { kind: "retry", answer: "The issue cannot be read." };
    }
    if (message === null) {
      tables.deliveries.remove(delivery.id);
      return { kind: "failed", answer: "The person does not receive this message." };
    }
    const startedMs = nowMs();
    const result = await callSafely(() => deliver(destination, message));
    tables.transaction(() => this.#store(delivery, destination, message, result, startedMs));
    if (result.kind === "delivered") onDelivered(destination, message, nowMs());
    return result;
  }

  /** Stores the result of an attempt. */
  #store(
    delivery: Delivery,
    destination: Destination,
    message: AlertMessage,
    result: DeliveryResult,
    startedMs: number,
  ): void {
    const { tables, nowMs, random, onDisabled } = this.#deps;
    const { id, kind } = delivery;
    const atMs = nowMs();
    const attempt = delivery.attempts + 1;
    const state = tables.destinations.get(destination.id);
    const failingSinceMs = result.kind === "delivered" ? undefined : (state.failingSinceMs ?? atMs);
    const isFailing =
      failingSinceMs !== undefined && atMs - failingSinceMs >= alertLimits.maxFailingMs;
    const isDisabled = result.kind === "gone" || isFailing;
    const afterMs = result.kind === "retry" ? result.afterMs : undefined;
    const canRetry = result.kind === "retry" && !isDisabled && kind !== "test";
    const delayMs = canRetry ? getRetryDelayMs(attempt, random(), afterMs) : null;
    const nextMs = delayMs === null ? undefined : atMs + delayMs;
    if (result.kind === "delivered" || kind === "test") tables.deliveries.remove(id);
    else if (nextMs === undefined) tables.deliveries.setFailed(id);
    else tables.deliveries.setRetry(id, nextMs);
    // A pause that a service requests applies to all messages.
    const pausedMs = Math.max(
      atMs + alertLimits.paceMs,
      afterMs === undefined ? 0 : atMs + afterMs,
    );
    const { failingSinceMs: _, ...rest } = state;
    const next = { ...rest, nextMs: pausedMs, ...omitUndefined({ failingSinceMs }) };
    tables.destinations.save(destination.id, next);
    tables.attempts.add({
      ...{ atMs: startedMs, message: message.id, title: message.title, attempt },
      ...{ destination: destination.id, result: result.kind, durationMs: atMs - startedMs },
      ...omitUndefined({
        digest: message.kind === "issue" ? message.issues[0]?.digest : undefined,
        status: result.status,
        answer: result.answer,
        nextMs,
        delayMs: isPrompt(delivery, result) ? atMs - message.atMs : undefined,
      }),
    });
    if (isDisabled) this.#disable(destination, result, atMs);
    if (isDisabled) onDisabled(destination);
  }

  #disable({ id }: Destination, { kind, answer = "" }: DeliveryResult, atMs: number): void {
    const { tables, settings } = this.#deps;
    const reason =
      kind === "gone"
        ? `The service answered that the destination does not exist: ${answer}`
        : `No message was delivered for three days: ${answer}`;
    const destinations = settings
      .get()
      .destinations.map((one) => (one.id === id ? { ...one, disabled: { atMs, reason } } : one));
    settings.change({ destinations });
    tables.deliveries.setDestinationFailed(id);
  }
}

/** True if the delay of the message measures the delivery, because nothing held it back. */
function isPrompt({ kind }: Delivery, result: DeliveryResult): boolean {
  return kind === "alert" && result.kind === "delivered";
}

async function callSafely(call: () => Promise<DeliveryResult>): Promise<DeliveryResult> {
  try {
    return await call();
  } catch (error) {
    return { kind: "retry", answer: String(error).slice(0, 200) };
  }
}
