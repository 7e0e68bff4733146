/**
 * SQLite table of undelivered messages. Each is for one destination and has one alert, or several
 * as a summary. A message that failed stays for *Send again*. Synchronous.
 */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import { isResolution } from "../../../core/alerts/due-alert.ts";
import type { MessageBudgetName } from "../../../core/alerts/message-budget.ts";
import type { PeriodRange, SummaryPeriod } from "../../../core/alerts/periods/summary-period.ts";
import type { Digest } from "../../../core/report.ts";
import type { IdentifiedAlert } from "./inbox-table.ts";

/** The alerts of a message; `more` counts those that it does not name. */
export interface MessageContents {
  readonly alerts: readonly IdentifiedAlert[];
  readonly more: number;
  /** The earliest time at which the message was allowed, if that is later than its alerts, ms. */
  readonly fromMs?: number;
  /** True if the destination refused this message, and not each one. */
  readonly isRefused?: true;
  /** How often a success of another message repeated this one before its time. */
  readonly releases?: number;
  /** The period of a summary by day or week, which has no alerts. */
  readonly period?: PeriodRange & { readonly every: SummaryPeriod };
}

/**
 * The kind of a message. `period` is the summary of a day or week. `missed` has the alerts that
 * were due while the destination was disabled. Alerts of each budget are gathered separately.
 */
export type DeliveryKind =
  | "alert"
  | "gathered"
  | `gathered-${Exclude<MessageBudgetName, "server">}`
  | "missed"
  | "period"
  | "test";

/** A message to one destination. */
export interface Delivery {
  readonly id: number;
  readonly destination: string;
  readonly kind: DeliveryKind;
  /** The id of the message. */
  readonly message: string;
  readonly contents: MessageContents;
  readonly dueMs: number;
  /** Finished attempts. */
  readonly attempts: number;
}

type DeliveryRow = {
  id: number;
  destination: string;
  kind: DeliveryKind;
  message: string;
  contents: string;
  due_ms: number;
  attempts: number;
};

/** The states of a message in `is_failed`: it failed, or its destination was disabled. */
const FAILED = 1;
const MISSED = 2;
/** Added to the state of messages to a deleted destination: none of them is listed or sent. */
const SHELVED = 10;
const IS_UNDELIVERED = `is_failed BETWEEN ${FAILED} AND ${MISSED}`;

export class DeliveryTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(delivery: Omit<Delivery, "id" | "attempts">): number {
    const { destination, kind, message, contents, dueMs } = delivery;
    const row = this.#sql.exec<{ id: number }>(
      `INSERT INTO delivery(destination, kind, message, contents, due_ms, attempts, is_failed)
       VALUES (?, ?, ?, ?, ?, 0, 0) RETURNING id`,
      ...[destination, kind, message, JSON.stringify(contents), dueMs],
    );
    return row.one().id;
  }

  /** The messages to a destination that gather alerts, and have not been sent. */
  listGathering(destination: string, nowMs: number): readonly Delivery[] {
    return this.#list(
      `WHERE destination = ? AND kind LIKE 'gathered%' AND attempts = 0 AND is_failed = 0
         AND due_ms > ? ORDER BY id`,
      ...[destination, nowMs],
    );
  }

  setContents(id: number, contents: MessageContents): void {
    this.#sql.exec("UPDATE delivery SET contents = ? WHERE id = ?", JSON.stringify(contents), id);
  }

  get(id: number): Delivery | undefined {
    return this.#list("WHERE id = ?", id)[0];
  }

  /** The number of messages to a destination that are not delivered. */
  countTo(destination: string): number {
    const query = "SELECT count(*) AS total FROM delivery WHERE destination = ? AND is_failed = 0";
    return this.#sql.exec<{ total: number }>(query, destination).one().total;
  }

  /** Messages that wait for an attempt, in order. */
  listWaiting(): readonly Delivery[] {
    return this.#list("WHERE is_failed = 0 ORDER BY id");
  }

  setRetry(id: number, dueMs: number, isRefused: boolean): void {
    this.#sql.exec(
      `UPDATE delivery SET attempts = attempts + 1, due_ms = ?1, contents = CASE WHEN ?2
         THEN json_set(contents, '$.isRefused', json('true'))
         ELSE json_remove(contents, '$.isRefused') END WHERE id = ?3`,
      ...[dueMs, isRefused ? 1 : 0, id],
    );
  }

  postpone(id: number, dueMs: number): void {
    this.#sql.exec("UPDATE delivery SET due_ms = ? WHERE id = ?", dueMs, id);
  }

  /** Marks a message as undeliverable, and deletes the oldest ones above the limit. */
  setFailed(id: number): void {
    this.#sql.exec(
      "UPDATE delivery SET attempts = attempts + 1, is_failed = ? WHERE id = ?",
      ...[FAILED, id],
    );
    this.#sql.exec(
      `DELETE FROM delivery WHERE id IN (SELECT id FROM delivery
         WHERE ${IS_UNDELIVERED} AND kind <> 'missed' ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      alertLimits.keptUndelivered,
    );
  }

  /** Marks all messages that wait for a destination, and the last one, as missed. */
  setMissed(destination: string, last: number): void {
    this.#sql.exec(
      `UPDATE delivery SET is_failed = ?
       WHERE destination = ? AND kind <> 'test' AND (is_failed = 0 OR id = ?)`,
      ...[MISSED, destination, last],
    );
  }

  /** Adds alerts of a disabled destination to those that it missed. */
  addMissed(destination: string, alerts: readonly IdentifiedAlert[]): void {
    const [first] = alerts;
    if (first === undefined) return;
    const [known] = this.#list(
      "WHERE destination = ? AND kind = 'missed' AND is_failed = ?",
      ...[destination, MISSED],
    );
    const contents = joinContents(known?.contents, { alerts, more: 0 });
    if (known !== undefined) {
      this.setContents(known.id, contents);
      return;
    }
    const message = toSummaryId(first.id, destination);
    const id = this.add({ destination, kind: "missed", message, contents, dueMs: 0 });
    this.#sql.exec("UPDATE delivery SET is_failed = ? WHERE id = ?", MISSED, id);
  }

  /** Queues one message with all alerts that a destination missed while it was disabled. */
  queueMissed(destination: string, nowMs: number): void {
    const where = "WHERE destination = ? AND is_failed = ?";
    const missed = this.#list(`${where} ORDER BY id`, destination, MISSED);
    this.#sql.exec(`DELETE FROM delivery ${where}`, destination, MISSED);
    let summary: MessageContents = { alerts: [], more: 0 };
    for (const { contents } of missed) {
      const [only] = contents.alerts;
      // A resolution closes the incident of its own issue, so it cannot be part of a summary.
      if (only !== undefined && isResolution(only.alert)) {
        const own = { ...contents, fromMs: nowMs };
        this.add({ destination, kind: "alert", message: only.id, contents: own, dueMs: nowMs });
      } else summary = joinContents(summary, contents);
    }
    const [first] = summary.alerts;
    if (first === undefined) return;
    this.add({
      destination,
      kind: "missed",
      message: toSummaryId(first.id, destination),
      contents: { ...summary, fromMs: nowMs },
      dueMs: nowMs,
    });
  }

  /**
   * Makes messages that wait after a failure due at once. `maxReleases` excludes those that a
   * success has repeated as often.
   */
  release(destination: string, nowMs: number, maxReleases = Infinity): boolean {
    const released = this.#sql.exec(
      `UPDATE delivery SET due_ms = ?1, contents = json_set(contents, '$.releases',
         coalesce(json_extract(contents, '$.releases'), 0) + 1)
       WHERE destination = ?2 AND is_failed = 0 AND attempts > 0 AND due_ms > ?1
         AND coalesce(json_extract(contents, '$.releases'), 0) < ?3`,
      ...[nowMs, destination, Math.min(maxReleases, Number.MAX_SAFE_INTEGER)],
    );
    return released.rowsWritten > 0;
  }

  /**
   * Queues the undelivered messages with this id, and makes those that wait after a failure due at
   * once. Returns their destinations.
   */
  sendAgain(message: string, nowMs: number): readonly string[] {
    const updated = this.#sql.exec<{ destination: string }>(
      `UPDATE delivery SET attempts = CASE WHEN ${IS_UNDELIVERED} THEN 0 ELSE attempts END,
         is_failed = 0, due_ms = ?
       WHERE message = ? AND (${IS_UNDELIVERED} OR (is_failed = 0 AND attempts > 0))
       RETURNING destination`,
      ...[nowMs, message],
    );
    return updated.toArray().map(({ destination }) => destination);
  }

  count(): { readonly waiting: number; readonly failed: number; readonly oldestMs?: number } {
    const rows = this.listWaiting();
    const times = rows.flatMap(({ contents }) => contents.alerts.map(({ alert }) => alert.atMs));
    const { failed } = this.#sql
      .exec<{ failed: number }>(
        `SELECT count(*) AS failed FROM delivery WHERE ${IS_UNDELIVERED} AND kind <> 'missed'`,
      )
      .one();
    const oldest = times.length === 0 ? {} : { oldestMs: Math.min(...times) };
    return { waiting: rows.length, failed, ...oldest };
  }

  remove(id: number): void {
    this.#sql.exec("DELETE FROM delivery WHERE id = ?", id);
  }

  /** Keeps the messages to a destination that may be restored; none is sent or counted. */
  shelveDestination(destination: string): void {
    this.#sql.exec(
      "UPDATE delivery SET is_failed = is_failed + ? WHERE destination = ? AND is_failed < ?",
      ...[SHELVED, destination, SHELVED],
    );
  }

  /** Puts the messages to a restored destination back to where they were. */
  restoreDestination(destination: string): void {
    this.#sql.exec(
      "UPDATE delivery SET is_failed = is_failed - ? WHERE destination = ? AND is_failed >= ?",
      ...[SHELVED, destination, SHELVED],
    );
  }

  removeDestination(destination: string): void {
    this.#sql.exec("DELETE FROM delivery WHERE destination = ?", destination);
  }

  /** Removes the alerts of an issue, and messages without other alerts. */
  erase(digest: Digest): void {
    for (const { id, contents } of this.#list("WHERE instr(contents, ?) > 0", digest)) {
      const alerts = contents.alerts.filter(({ alert }) => alert.digest !== digest);
      if (alerts.length === 0 && contents.more === 0) this.remove(id);
      else this.setContents(id, { ...contents, alerts });
    }
  }

  /** Removes messages about a text in lower case. */
  eraseText(part: string): void {
    this.#sql.exec("DELETE FROM delivery WHERE instr(lower(contents), ?) > 0", part);
  }

  #list(clauses: string, ...values: readonly SqlStorageValue[]): readonly Delivery[] {
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT id, destination, kind, message, contents, due_ms, attempts
         FROM delivery ${clauses}`,
        ...values,
      )
      .toArray()
      .map(({ due_ms, contents, ...row }) => ({
        ...row,
        dueMs: due_ms,
        contents: JSON.parse(contents) as MessageContents,
      }));
  }
}

/** The id of a message of several alerts: that of the first one, and the destination. */
export function toSummaryId(first: string, destination: string): string {
  return `${first}_${destination}`;
}

function joinContents(all: MessageContents | undefined, added: MessageContents): MessageContents {
  const alerts = [...(all?.alerts ?? []), ...added.alerts];
  const kept = alerts.slice(0, alertLimits.keptMissed);
  return { alerts: kept, more: (all?.more ?? 0) + added.more + alerts.length - kept.length };
}
