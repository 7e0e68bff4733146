/** Queues the messages of alerts: to which destinations, when, and which alerts are gathered. */
import type { Destination } from "../../core/alerts/destination.ts";
import { findQuietHoursEnd, findWorkingTime } from "../../core/alerts/local-hours.ts";
import { takeMessage } from "../../core/alerts/message-budget.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import type { Trust } from "../../core/trust/trust.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { DeliveryKind } from "./tables/delivery-table.ts";
import type { DestinationState } from "./tables/destination-table.ts";
import type { IdentifiedAlert } from "./tables/inbox-table.ts";
import type { StoredSettings } from "./tables/settings-table.ts";

/** Alerts that one message names; it counts the others. */
const MAX_GATHERED = 500;
const MAX_GATHER_MS = 3_600_000;
/** Alerts of a lower level must neither delay nor fill the messages of a higher one. */
const GATHERED = {
  server: "gathered",
  page: "gathered-page",
  public: "gathered-public",
} as const satisfies Record<Trust, DeliveryKind>;

/** Adds messages for alerts to the queue. Call inside a transaction. */
export function queueMessages(
  tables: AlertTables,
  settings: StoredSettings,
  alerts: readonly IdentifiedAlert[],
  nowMs: number,
): void {
  for (const destination of settings.destinations) {
    if (destination.disabled !== undefined) continue;
    const queue = new DestinationQueue(tables, destination.id, nowMs);
    for (const alert of alerts) {
      const dueMs = findDueTime(settings, destination, alert, nowMs);
      if (dueMs !== undefined) queue.add(alert, dueMs);
    }
    queue.save();
  }
}

/** When the destination may receive an alert; undefined if it does not want it. */
function findDueTime(
  { rules, preferences }: StoredSettings,
  { id, person }: Destination,
  { alert }: IdentifiedAlert,
  nowMs: number,
): number | undefined {
  const ids = new Set(alert.triggers.flatMap((trigger) => trigger.rules));
  const matched = rules.filter((rule) => ids.has(rule.id));
  const isOwn = alert.triggers.some(({ kind }) => kind === "delivery");
  const wanted = matched.filter(({ destinations }) =>
    person === undefined ? destinations.length === 0 || destinations.includes(id) : true,
  );
  if (wanted.length === 0 && !isOwn) return undefined;
  const dueMs = isOwn ? nowMs : Math.min(...wanted.map((rule) => findRuleTime(rule, nowMs)));
  if (person === undefined) return dueMs;
  const own = preferences[person];
  if (own !== undefined && !own.destinations.includes(id)) return undefined;
  return own?.quietHours === undefined ? dueMs : findQuietHoursEnd(own.quietHours, dueMs);
}

function findRuleTime({ workingHours }: AlertRule, nowMs: number): number {
  return workingHours === undefined ? nowMs : findWorkingTime(workingHours, nowMs);
}

/** A message that has not been sent and accepts more alerts. */
interface Gathering {
  readonly id: number;
  readonly kind: DeliveryKind;
  readonly dueMs: number;
  readonly alerts: IdentifiedAlert[];
  more: number;
  hasChanged: boolean;
}

/** The messages of one destination. A storm changes one row, whatever its number of alerts. */
class DestinationQueue {
  readonly #tables: AlertTables;
  readonly #destination: string;
  readonly #nowMs: number;
  readonly #gatherings: Gathering[];
  #state: DestinationState;
  #hasChangedState = false;

  constructor(tables: AlertTables, destination: string, nowMs: number) {
    this.#tables = tables;
    this.#destination = destination;
    this.#nowMs = nowMs;
    this.#state = tables.destinations.get(destination);
    const found = tables.deliveries.listGathering(destination, nowMs);
    this.#gatherings = found.map(({ id, kind, dueMs, contents }) => ({
      ...{ id, kind, dueMs, alerts: [...contents.alerts], more: contents.more, hasChanged: false },
    }));
  }

  add(alert: IdentifiedAlert, wantedMs: number): void {
    const { trust = "server" } = alert.alert;
    const kind = GATHERED[trust];
    const isAboutIssue = alert.alert.digest !== undefined;
    if (isAboutIssue && this.#gather(alert, kind, wantedMs)) return;
    const isHeld = wantedMs > this.#nowMs;
    const gatherMs = isAboutIssue && !isHeld ? this.#takeMessage(trust) : 0;
    const dueMs = isHeld ? wantedMs : this.#nowMs + gatherMs;
    const isGathered = isAboutIssue && dueMs > this.#nowMs;
    const id = this.#tables.deliveries.add({
      destination: this.#destination,
      kind: isGathered ? kind : "alert",
      message: isGathered ? `${alert.id}_${this.#destination}` : alert.id,
      contents: { alerts: [alert], more: 0 },
      dueMs,
    });
    if (isGathered)
      this.#gatherings.push({ id, kind, dueMs, alerts: [alert], more: 0, hasChanged: false });
  }

  save(): void {
    for (const { id, alerts, more, hasChanged } of this.#gatherings)
      if (hasChanged) this.#tables.deliveries.setContents(id, { alerts, more });
    if (this.#hasChangedState) this.#tables.destinations.save(this.#destination, this.#state);
  }

  /**
   * Adds the alert to a message that gathers alerts and is due within an hour after `wantedMs`.
   * False if there is none.
   */
  #gather(alert: IdentifiedAlert, kind: DeliveryKind, wantedMs: number): boolean {
    const gathering = this.#gatherings.find(
      (one) => one.kind === kind && one.dueMs >= wantedMs && one.dueMs <= wantedMs + MAX_GATHER_MS,
    );
    if (gathering === undefined) return false;
    if (gathering.alerts.length < MAX_GATHERED) gathering.alerts.push(alert);
    else gathering.more += 1;
    gathering.hasChanged = true;
    return true;
  }

  /**
   * Takes a message from the budget. Returns how long to gather alerts, in ms; 0 to send at once.
   */
  #takeMessage(trust: Trust): number {
    const { budgets } = this.#state;
    const { budget, gatherMs } = takeMessage(budgets?.[trust], this.#nowMs);
    this.#state = { ...this.#state, budgets: { ...budgets, [trust]: budget } };
    this.#hasChangedState = true;
    return gatherMs;
  }
}
