/**
 * Takes the alerts of the index, each number once, and the alerts that the object creates itself.
 * Each is added to the inbox and to the queue of messages, or to the log of alerts held back.
 */

import {
  type Destination,
  getDestinationKind,
  toAgentDestination,
  toConfirmedSettings,
} from "../../core/alerts/destinations/destinations.ts";
import {
  type DueAlert,
  describeHeld,
  type FiredTrigger,
  isResolution,
  type NumberedAlert,
} from "../../core/alerts/due-alert.ts";
import {
  HAND_OFF_DELAY_MS,
  type HandOffRequest,
  MAX_DAILY_HAND_OFFS,
} from "../../core/alerts/hand-off.ts";
import { findQuietHoursEnd, findWorkingTime } from "../../core/alerts/local-hours.ts";
import {
  hasMessage,
  MAX_GATHER_MS,
  type MessageBudgetName,
  takeMessage,
  toBudgetName,
} from "../../core/alerts/message-budget.ts";
import type { Notice } from "../../core/alerts/notice.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import { type DeliveryKind, type MessageContents, toSummaryId } from "./tables/delivery-table.ts";
import type { DestinationState } from "./tables/destination-table.ts";
import type { IdentifiedAlert } from "./tables/inbox-table.ts";
import type { StoredSettings } from "./tables/settings-table.ts";

export class AlertIntake {
  readonly #deps;

  constructor(deps: {
    readonly project: string;
    readonly tables: AlertTables;
    readonly settings: Pick<SenderSettings, "get">;
    readonly nowMs: () => number;
    /** A random id for an alert that the object creates itself. */
    readonly createId: () => string;
  }) {
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
      for (const { n, alert } of fresh) {
        this.#addNews(alert);
        this.#addNotice(`ntc_${project}_${n}`, alert);
      }
      const others = fresh.filter(
        ({ alert }) => alert.tracker === undefined && alert.notice === undefined,
      );
      this.#add(others.map(({ n, alert }) => ({ id: `msg_${project}_${n}`, alert })));
    });
  }

  #addNews({ tracker: news, digest = "" }: DueAlert): void {
    if (news === undefined) return;
    const { tables, nowMs, createId } = this.#deps;
    const message = { tracker: news.tracker, digest, uuid: createId(), work: news };
    tables.trackerMessages.add(message, nowMs());
  }

  /** Adds a notice to the inboxes of its members, and a message to their own destinations. */
  #addNotice(id: string, { notice, digest, held: _, ...alert }: DueAlert): void {
    if (notice === undefined || digest === undefined) return;
    const { tables, settings, nowMs } = this.#deps;
    tables.notices.add(id, digest, notice, alert.atMs);
    const trigger = toNoticeTrigger(notice);
    if (trigger === undefined) return;
    const due = { ...alert, digest, notice, triggers: [trigger] };
    queueMessages(tables, settings.get(), [{ id, alert: due }], { nowMs: nowMs() });
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
    const isShown = ({ alert }: IdentifiedAlert) => !isResolution(alert) && !alert.handOff;
    tables.inbox.add(due.filter(isShown));
    queueMessages(tables, settings.get(), due, { nowMs: nowMs(), except });
    for (const alert of listUntrusted(settings.get(), due)) this.logHeld(alert);
  }

  /** Adds an alert that was held back to the log. */
  logHeld({ atMs, digest, triggers, quietUntilMs, held }: DueAlert): void {
    if (held === undefined) return;
    const { tables, settings } = this.#deps;
    const names = new Map(settings.get().rules.map(({ id, name }) => [id, name]));
    for (const { kind: trigger, rules } of triggers) {
      const known = rules.map((id) => names.get(id) ?? id);
      const reason = describeHeld(held, known, quietUntilMs);
      tables.held.add({ atMs, trigger, reason, digest });
    }
  }

  #createOwn(trigger: FiredTrigger): IdentifiedAlert {
    const { project, nowMs, createId } = this.#deps;
    const id = `own_${project}_${createId().slice(0, 13)}`;
    return { id, alert: { atMs: nowMs(), triggers: [trigger] } };
  }
}

/**
 * The alert of a message; undefined if the inbox is enough: who takes part in an issue reads its
 * comments there, and rules ask for alerts about issues that come back.
 */
function toNoticeTrigger({ kind, by = "Errata" }: Notice): FiredTrigger | undefined {
  if (kind === "assigned") return { kind, detail: `${by} assigned it to you.`, rules: [] };
  if (kind === "mentioned") return { kind, detail: `${by} mentioned you in a comment.`, rules: [] };
  return undefined;
}

/** The name as other members see it: that of a personal destination is often an address. */
function toShownName({ name, person }: Destination): string {
  return person === undefined ? `“${name}”` : "a member's own destination";
}

/**
 * Messages to an agent that wait at the same time: in a storm, the daily cap refuses the others.
 */
const MAX_WAITING_HAND_OFFS = MAX_DAILY_HAND_OFFS;

/** Alerts that one message names; it counts the others. */
const MAX_GATHERED = 500;

/**
 * Adds messages for alerts to the queue. `except` is the id of a destination that gets none.
 * Call inside a transaction.
 */
function queueMessages(
  tables: AlertTables,
  settings: StoredSettings,
  alerts: readonly IdentifiedAlert[],
  { nowMs, except }: { readonly nowMs: number; readonly except?: string | undefined },
): void {
  for (const destination of settings.destinations) {
    const { id, disabled } = destination;
    if (id === except || toConfirmedSettings(destination) === null) continue;
    const wanted = alerts.flatMap((alert) => {
      const dueMs = findDueTime(settings, destination, alert, nowMs);
      return dueMs === undefined ? [] : [{ alert, dueMs }];
    });
    if (disabled !== undefined) {
      // An agent starts no work days later.
      if (getDestinationKind(destination.settings.kind).isAgent === true) continue;
      const missed = wanted
        .map(({ alert }) => alert)
        .filter((one) => !isOwnAlert(one) && !isResolution(one.alert) && !one.alert.notice);
      tables.deliveries.addMissed(id, missed);
      continue;
    }
    const queue = new DestinationQueue(tables, id, nowMs);
    const isAgent = getDestinationKind(destination.settings.kind).isAgent === true;
    const room = isAgent ? MAX_WAITING_HAND_OFFS - tables.deliveries.countTo(id) : Infinity;
    for (const { alert, dueMs } of wanted.slice(0, Math.max(0, room)))
      queue.add(alert, dueMs, isAgent);
    queue.save();
  }
}

/** True for an alert about a destination, which no rule asks for. */
function isOwnAlert({ alert }: IdentifiedAlert): boolean {
  return alert.triggers.some(({ kind }) => kind === "delivery");
}

/** When the destination may receive an alert; undefined if it does not want it. */
function findDueTime(
  { rules, preferences }: StoredSettings,
  { id, person, settings }: Destination,
  identified: IdentifiedAlert,
  nowMs: number,
): number | undefined {
  const { alert } = identified;
  const { isClosing, isAgent = false } = getDestinationKind(settings.kind);
  if (isResolution(alert)) return isClosing === true ? nowMs : undefined;
  if (alert.handOff !== undefined) return findHandOffTime(alert.handOff, id, isAgent, nowMs);
  const own = person === undefined ? undefined : preferences[person];
  if (own !== undefined && !own.destinations.includes(id)) return undefined;
  const findOwnTime = (dueMs: number) =>
    own?.quietHours === undefined ? dueMs : findQuietHoursEnd(own.quietHours, dueMs);
  // The message is dropped when it is sent, if it tells others.
  if (alert.notice !== undefined) return person === undefined ? undefined : findOwnTime(nowMs);
  const ids = new Set(alert.triggers.flatMap((trigger) => trigger.rules));
  const matched = rules.filter((rule) => ids.has(rule.id));
  if (isAgent) return findAgentTime(matched, id, alert, nowMs);
  const isOwn = isOwnAlert(identified);
  const wanted = matched.filter(({ destinations }) =>
    person === undefined ? destinations.length === 0 || destinations.includes(id) : true,
  );
  if (wanted.length === 0 && !isOwn) return undefined;
  const dueMs = isOwn ? nowMs : Math.min(...wanted.map((rule) => findRuleTime(rule, nowMs)));
  return findOwnTime(dueMs);
}

/**
 * A hand-off is only for its destination. One that a member asked for can be undone for a while.
 */
function findHandOffTime(
  { to, request }: HandOffRequest,
  destination: string,
  isAgent: boolean,
  nowMs: number,
): number | undefined {
  if (to !== destination || !isAgent) return undefined;
  return request === undefined ? nowMs : nowMs + HAND_OFF_DELAY_MS;
}

/**
 * When a rule hands an issue off: only one that names the destination does, and only for reports of
 * servers.
 */
function findAgentTime(
  rules: readonly AlertRule[],
  destination: string,
  { digest, trust }: DueAlert,
  nowMs: number,
): number | undefined {
  const naming = rules.filter(({ destinations }) => destinations.includes(destination));
  if (naming.length === 0 || digest === undefined || trust !== "server") return undefined;
  return Math.min(...naming.map((rule) => findRuleTime(rule, nowMs)));
}

function findRuleTime({ workingHours }: AlertRule, nowMs: number): number {
  return workingHours === undefined ? nowMs : findWorkingTime(workingHours, nowMs);
}

/** Alerts about reports that are not of servers, for which a rule names an agent. */
function listUntrusted(
  { rules, destinations }: StoredSettings,
  alerts: readonly IdentifiedAlert[],
): readonly DueAlert[] {
  const agents = destinations.filter((one) => toAgentDestination(one) !== null);
  if (agents.length === 0) return [];
  const naming = rules.filter((rule) => agents.some(({ id }) => rule.destinations.includes(id)));
  const isNaming = (rule: string) => naming.some(({ id }) => id === rule);
  return alerts.flatMap(({ alert }) => {
    const triggers = alert.triggers.filter((trigger) => trigger.rules.some(isNaming));
    const isRefused = alert.digest !== undefined && alert.trust !== "server";
    return isRefused && triggers.length > 0
      ? { ...alert, triggers, held: "hand-off-untrusted" }
      : [];
  });
}

/** A message that has not been sent and accepts more alerts. */
interface Gathering {
  readonly id: number;
  readonly kind: DeliveryKind;
  readonly dueMs: number;
  readonly alerts: IdentifiedAlert[];
  readonly fromMs: number | undefined;
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
    this.#gatherings = found.map(({ id, kind, dueMs, contents: { alerts, more, fromMs } }) => ({
      id,
      kind,
      dueMs,
      fromMs,
      alerts: [...alerts],
      more,
      hasChanged: false,
    }));
  }

  /** `isAlone`: no other alert joins its message. */
  add(alert: IdentifiedAlert, wantedMs: number, isAlone = false): void {
    // A message that waits for the hours of its rule or person.
    const heldMs = wantedMs > this.#nowMs ? wantedMs : undefined;
    // A resolution must follow the alert that it closes, not join others.
    if (isAlone || alert.alert.digest === undefined || isResolution(alert.alert)) {
      this.#addMessage("alert", alert, wantedMs, heldMs);
      return;
    }
    const budget = toBudgetName(alert.alert);
    const kind = budget === "server" ? "gathered" : (`gathered-${budget}` as const);
    const canSend = heldMs === undefined && hasMessage(this.#state.budgets?.[budget], this.#nowMs);
    if (!canSend && this.#gather(alert, kind, heldMs)) return;
    const dueMs = heldMs ?? this.#nowMs + this.#takeMessage(budget);
    this.#addMessage(dueMs > this.#nowMs ? kind : "alert", alert, dueMs, heldMs);
  }

  save(): void {
    for (const { id, alerts, more, fromMs, hasChanged } of this.#gatherings)
      if (hasChanged) this.#tables.deliveries.setContents(id, toContents(alerts, more, fromMs));
    if (this.#hasChangedState) this.#tables.destinations.save(this.#destination, this.#state);
  }

  #addMessage(
    kind: DeliveryKind,
    alert: IdentifiedAlert,
    dueMs: number,
    fromMs: number | undefined,
  ): void {
    const id = this.#tables.deliveries.add({
      destination: this.#destination,
      kind,
      dueMs,
      message: kind === "alert" ? alert.id : toSummaryId(alert.id, this.#destination),
      contents: toContents([alert], 0, fromMs),
    });
    if (kind === "alert") return;
    const gathering = { id, kind, dueMs, fromMs, alerts: [alert], more: 0, hasChanged: false };
    this.#gatherings.push(gathering);
  }

  /**
   * Adds the alert to a message that gathers alerts and is due soon: after `heldMs`, if the alert
   * is held until then. False if there is none.
   */
  #gather(alert: IdentifiedAlert, kind: DeliveryKind, heldMs: number | undefined): boolean {
    const earliestMs = heldMs ?? this.#nowMs;
    const gathering = this.#gatherings.find(
      ({ kind: other, dueMs, fromMs }) =>
        other === kind &&
        (fromMs === undefined) === (heldMs === undefined) &&
        dueMs >= earliestMs &&
        dueMs <= earliestMs + MAX_GATHER_MS,
    );
    if (gathering === undefined) return false;
    if (gathering.alerts.length < MAX_GATHERED) gathering.alerts.push(alert);
    else gathering.more += 1;
    gathering.hasChanged = true;
    return true;
  }

  /**
   * Takes a message from a budget. Returns how long to gather alerts, in ms; 0 to send at once.
   */
  #takeMessage(name: MessageBudgetName): number {
    const { budgets } = this.#state;
    const { budget, gatherMs } = takeMessage(budgets?.[name], this.#nowMs);
    this.#state = { ...this.#state, budgets: { ...budgets, [name]: budget } };
    this.#hasChangedState = true;
    return gatherMs;
  }
}

function toContents(
  alerts: readonly IdentifiedAlert[],
  more: number,
  fromMs: number | undefined,
): MessageContents {
  return { alerts, more, fromMs };
}
