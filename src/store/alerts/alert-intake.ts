/**
 * Takes the alerts of the index, each number once, and the alerts that the object creates itself.
 * Each is added to the inbox and to the queue of messages, or to the log of alerts held back.
 */

import type { Destination } from "../../core/alerts/destinations/destinations.ts";
import {
  type DueAlert,
  describeHeld,
  type FiredTrigger,
  isResolution,
  type NumberedAlert,
} from "../../core/alerts/due-alert.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { queueMessages } from "./queue-messages.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { IdentifiedAlert } from "./tables/inbox-table.ts";

interface IntakeDeps {
  readonly project: string;
  readonly tables: AlertTables;
  readonly settings: Pick<SenderSettings, "get">;
  readonly nowMs: () => number;
  /** A random id for an alert that the object creates itself. */
  readonly createId: () => string;
}

export class AlertIntake {
  readonly #deps: IntakeDeps;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Adds the alerts of the index that were not taken before. */
  take(alerts: readonly NumberedAlert[]): void {
    const { project, tables } = this.#deps;
    tables.transaction(() => {
      const taken = tables.inbox.getTaken();
      const fresh = alerts.filter(({ n }) => n > taken);
      const last = fresh.at(-1);
      if (last === undefined) return;
      tables.inbox.setTaken(last.n);
      this.#add(fresh.map(({ n, alert }) => ({ id: `msg_${project}_${n}`, alert })));
    });
  }

  /** Adds alerts about the project. `remember` runs in the same transaction. */
  addProjectAlerts(triggers: readonly FiredTrigger[], remember: () => void): void {
    this.#deps.tables.transaction(() => {
      this.#add(triggers.map((trigger) => this.#createOwn(trigger)));
      remember();
    });
  }

  /** Adds the alert that a destination was disabled. Call inside a transaction. */
  addDisabled(destination: Destination): void {
    const detail = `Errata no longer sends alerts to ${toShownName(destination)}. An owner can enable it again in the settings.`;
    this.#add([this.#createOwn({ kind: "delivery", detail, rules: [] })]);
  }

  /**
   * Adds the alert that a message was not delivered, for all other destinations. Call inside a
   * transaction.
   */
  addUndelivered(destination: Destination): void {
    const detail = `Errata could not deliver an alert to ${toShownName(destination)}. Send it again in the settings.`;
    const trigger = { kind: "delivery", value: 1, detail, rules: [] } as const;
    this.#add([this.#createOwn(trigger)], destination.id);
  }

  #add(alerts: readonly IdentifiedAlert[], except?: string): void {
    const { tables, settings, nowMs } = this.#deps;
    const due = alerts.filter(({ alert }) => alert.held === undefined);
    for (const { alert } of alerts) this.logHeld(alert);
    tables.inbox.add(due.filter((one) => !isResolution(one.alert)));
    queueMessages(tables, settings.get(), due, { nowMs: nowMs(), except });
  }

  /** Adds an alert that was held back to the log. */
  logHeld({ atMs, digest, triggers, quietUntilMs, held }: DueAlert): void {
    if (held === undefined) return;
    const { tables, settings } = this.#deps;
    const names = new Map(settings.get().rules.map(({ id, name }) => [id, name]));
    for (const { kind: trigger, rules } of triggers) {
      const known = rules.map((id) => names.get(id) ?? id);
      const reason = describeHeld(held, known, quietUntilMs);
      tables.held.add({ atMs, trigger, reason, ...omitUndefined({ digest }) });
    }
  }

  #createOwn(trigger: FiredTrigger): IdentifiedAlert {
    const { project, nowMs, createId } = this.#deps;
    const id = `own_${project}_${createId().slice(0, 13)}`;
    return { id, alert: { atMs: nowMs(), triggers: [trigger] } };
  }
}

/** The name as other members see it: that of a personal destination is often an address. */
function toShownName({ name, person }: Destination): string {
  return person === undefined ? `“${name}”` : "a member's own destination";
}
