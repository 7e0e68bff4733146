/**
 * Sends the messages that are due: in order for each destination, with a pause between two calls,
 * and all destinations at the same time. Every outcome is stored before the next attempt. A message
 * stays in its table until a destination has accepted it, so that a restart sends it again with its
 * id.
 */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import type { DeliveryResult } from "../../core/alerts/destinations/delivery-result.ts";
import type { Destination } from "../../core/alerts/destinations/destinations.ts";
import { scheduleMessages } from "./message-schedule.ts";
import { AttemptRecorder } from "./record-attempt.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { Delivery } from "./tables/delivery-table.ts";

/** The delay of a message that could not be rendered, because the index was unavailable. */
const RETRY_MS = 5_000;
/** How long the loop waits without looking at the queue. */
const MAX_WAIT_MS = 1_000;

interface SenderDeps {
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
}

export class MessageSender {
  readonly #deps: SenderDeps;
  readonly #recorder: AttemptRecorder;
  readonly #calls = new Map<number, Promise<DeliveryResult>>();
  #running: Promise<void> | null = null;
  /** Calls that the run may still start. */
  #left = 0;
  /** Ends the pause of the run. */
  #wake: (() => void) | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#recorder = new AttemptRecorder(deps);
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
      this.#postpone(delivery);
      return { kind: "retry", answer: "The issue cannot be read." };
    }
    if (message === null) {
      tables.deliveries.remove(delivery.id);
      return { kind: "failed", answer: "The message is no longer wanted." };
    }
    const startedMs = nowMs();
    const result = await callSafely(() => deliver(destination, message));
    const attempt = { delivery, destination, message, result, startedMs };
    tables.transaction(() => this.#recorder.record(attempt));
    if (result.kind === "delivered") onDelivered(destination, message, nowMs());
    return result;
  }

  #postpone({ id }: Delivery): void {
    this.#deps.tables.deliveries.postpone(id, this.#deps.nowMs() + RETRY_MS);
  }
}

async function callSafely(call: () => Promise<DeliveryResult>): Promise<DeliveryResult> {
  try {
    return await call();
  } catch (error) {
    return { kind: "retry", answer: String(error).slice(0, 200) };
  }
}
