/**
 * Sends the alerts of the outbox to the alert sender, in order, until the sender has accepted all
 * of them. The sender accepts each alert number once. Alerts that wait enter the outbox when they
 * are due.
 */
import type { AlertsApi } from "../../objects.ts";
import type { SharedAlarm } from "../../shared-alarm.ts";
import { type ReadFloods, type SettledTables, settleAlerts } from "./settle-alerts.ts";

/** The delay of a retry if the object stops or the sender is unavailable. */
const RETRY_MS = 5_000;
const MIN_WAIT_MS = 500;

interface HandoverDeps {
  readonly tables: SettledTables & { stagingTransaction(work: () => void): void };
  readonly alarm: Pick<SharedAlarm, "setBy">;
  readonly sender: Pick<AlertsApi, "take">;
  readonly readFloods: ReadFloods;
  readonly nowMs: () => number;
}

export class AlertDispatcher {
  readonly #deps: HandoverDeps;
  #running: Promise<void> | null = null;

  constructor(deps: HandoverDeps) {
    this.#deps = deps;
  }

  /** Sets the alarm, so that a restart does not forget the alerts. */
  async prepare(): Promise<void> {
    const { alarm, tables, nowMs } = this.#deps;
    const dueMs = tables.alerts.deferred.getDueMs() ?? Number.POSITIVE_INFINITY;
    await alarm.setBy(Math.min(nowMs() + RETRY_MS, dueMs));
  }

  /** Sends the alerts of the outbox. Concurrent calls share one run. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#handAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Moves the alerts that are due into the outbox. A failure must not block others. */
  #settle(): void {
    const { tables, readFloods, nowMs } = this.#deps;
    try {
      const dueMs = tables.alerts.deferred.getDueMs();
      if (dueMs !== undefined && dueMs <= nowMs())
        tables.stagingTransaction(() => settleAlerts(tables, readFloods, nowMs()));
    } catch (error) {
      console.error("index: waiting alerts not added", String(error));
    }
  }

  async #handAll(): Promise<void> {
    const { tables, sender, nowMs, alarm } = this.#deps;
    const { alerts } = tables;
    try {
      this.#settle();
      for (let batch = alerts.list(); batch.length > 0; batch = alerts.list()) {
        const { version } = alerts.rules.get();
        const rules = await sender.take(batch, version);
        alerts.removeUpTo(batch.at(-1)?.n ?? 0);
        if (rules !== null) alerts.rules.save(rules, nowMs());
      }
      const nextMs = alerts.deferred.getDueMs();
      if (nextMs !== undefined) await alarm.setBy(Math.max(nextMs, nowMs() + MIN_WAIT_MS));
    } catch (error) {
      console.warn("index: alerts not handed over, will retry", String(error));
      await this.prepare().catch(() => undefined);
    }
  }
}
