/**
 * SQLite tables of the connections to trackers: messages that wait for a tracker or for the index,
 * the deliveries of webhooks that were received, and the state of each connection. Synchronous.
 */

import type { TrackerNews } from "../../../core/alerts/tracker-news.ts";
import type { Digest } from "../../../core/report.ts";
import { trackerLimits } from "../../../core/trackers/tracker.ts";
import type { TrackerEvent } from "../../../core/trackers/tracker-event.ts";
import type { TrackerItem } from "../../../core/trackers/tracker-kind.ts";
import { containsText, redactText } from "../../redact-text.ts";
import { upsert } from "../../sqlite/table.ts";

/**
 * What is to do. `create`, then `link` tells the index the issue that was created; `events` are
 * those of a webhook, for the index; the others are news for the tracker.
 */
export type TrackerWork =
  | { readonly do: "create"; readonly by?: string | undefined }
  | { readonly do: "link"; readonly by?: string | undefined; readonly created: TrackerItem }
  | { readonly do: "events"; readonly events: readonly TrackerEvent[] }
  | TrackerNews;

export interface TrackerMessage {
  readonly id: number;
  readonly tracker: string;
  /** Empty for the events of a webhook. */
  readonly digest: Digest;
  /** Names the message in the tracker. */
  readonly uuid: string;
  readonly work: TrackerWork;
  readonly atMs: number;
  readonly dueMs: number;
  /** How many attempts have begun. */
  readonly attempts: number;
}

type Row = {
  id: number;
  tracker: string;
  digest: string;
  uuid: string;
  body: string;
  at_ms: number;
  due_ms: number;
  attempts: number;
};

const COLUMNS = "id, tracker, digest, uuid, body, at_ms, due_ms, attempts";
/** Messages about one issue are sent in their order. */
const IS_FIRST = `NOT EXISTS (
  SELECT 1 FROM tracker_message AS earlier
  WHERE earlier.tracker = tracker_message.tracker AND earlier.digest = tracker_message.digest
    AND earlier.id < tracker_message.id AND earlier.is_failed = 0)`;

export class TrackerMessageTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds a message. Above `trackerLimits.maxWaiting`, deletes the oldest ones that failed. */
  add(
    message: Pick<TrackerMessage, "tracker" | "digest" | "uuid" | "work">,
    nowMs: number,
  ): number {
    const { tracker, digest, uuid, work } = message;
    const values = [tracker, digest, uuid, JSON.stringify(work), nowMs, nowMs];
    this.#sql.exec(
      `INSERT INTO tracker_message(tracker, digest, uuid, body, at_ms, due_ms, attempts, is_failed)
       VALUES (?, ?, ?, ?, ?, ?, 0, 0)`,
      ...values,
    );
    this.#sql.exec(
      `DELETE FROM tracker_message WHERE is_failed = 1 AND id <= (
         SELECT id FROM tracker_message ORDER BY id DESC LIMIT 1 OFFSET ?)`,
      trackerLimits.maxWaiting,
    );
    return this.#sql.exec<{ id: number }>("SELECT max(id) AS id FROM tracker_message").one().id;
  }

  get(id: number): TrackerMessage | undefined {
    return this.#list("WHERE id = ?", id)[0];
  }

  /** True if more messages wait than one may add. */
  isFull(): boolean {
    const query = "SELECT count(*) AS n FROM tracker_message WHERE is_failed = 0";
    return this.#sql.exec<{ n: number }>(query).one().n >= trackerLimits.maxWaiting;
  }

  /** The messages that are due, oldest first: of each issue, the first one. */
  listDue(nowMs: number): readonly TrackerMessage[] {
    return this.#list(`WHERE is_failed = 0 AND due_ms <= ? AND ${IS_FIRST} ORDER BY id`, nowMs);
  }

  getDueMs(): number | undefined {
    const query = `SELECT min(due_ms) AS due FROM tracker_message WHERE is_failed = 0 AND ${IS_FIRST}`;
    return this.#sql.exec<{ due: number | null }>(query).one().due ?? undefined;
  }

  /** The creation of an issue that has not ended. */
  findCreation(digest: Digest): TrackerMessage | undefined {
    const all = this.#list("WHERE digest = ? ORDER BY id", digest);
    return all.find(({ work }) => work.do === "create" || work.do === "link");
  }

  /** True if a message about the issue waits or has failed. */
  hasMessage(digest: Digest): boolean {
    return this.#list("WHERE digest = ? LIMIT 1", digest).length > 0;
  }

  /** Stores that an attempt begins. An object that stops meanwhile repeats it at `dueMs`. */
  startAttempt(id: number, dueMs: number): void {
    const query = "UPDATE tracker_message SET attempts = attempts + 1, due_ms = ? WHERE id = ?";
    this.#sql.exec(query, dueMs, id);
  }

  setWork(id: number, work: TrackerWork): void {
    this.#sql.exec("UPDATE tracker_message SET body = ? WHERE id = ?", JSON.stringify(work), id);
  }

  setDue(id: number, dueMs: number): void {
    this.#sql.exec("UPDATE tracker_message SET due_ms = ? WHERE id = ?", dueMs, id);
  }

  setFailed(id: number): void {
    this.#sql.exec("UPDATE tracker_message SET is_failed = 1 WHERE id = ?", id);
  }

  /** Makes all messages of a connection due, also those that failed. Returns their number. */
  sendAgain(tracker: string, nowMs: number): number {
    const query = "UPDATE tracker_message SET due_ms = ?, is_failed = 0 WHERE tracker = ?";
    return this.#sql.exec(query, nowMs, tracker).rowsWritten;
  }

  count(tracker: string): { readonly waiting: number; readonly failed: number } {
    const query = `SELECT coalesce(sum(is_failed = 0), 0) AS waiting, coalesce(sum(is_failed), 0) AS failed
      FROM tracker_message WHERE tracker = ?`;
    return this.#sql.exec<{ waiting: number; failed: number }>(query, tracker).one();
  }

  remove(id: number): void {
    this.#sql.exec("DELETE FROM tracker_message WHERE id = ?", id);
  }

  removeTracker(tracker: string): void {
    this.#sql.exec("DELETE FROM tracker_message WHERE tracker = ?", tracker);
  }

  erase(digest: Digest): void {
    this.#sql.exec("DELETE FROM tracker_message WHERE digest = ?", digest);
  }

  eraseText(text: string): void {
    for (const { id, work } of this.#list("ORDER BY id"))
      if (containsText(work, text)) this.setWork(id, redactText(work, text));
  }

  #list(clauses: string, ...values: readonly (string | number)[]): readonly TrackerMessage[] {
    return this.#sql
      .exec<Row>(`SELECT ${COLUMNS} FROM tracker_message ${clauses}`, ...values)
      .toArray()
      .map(({ body, at_ms: atMs, due_ms: dueMs, ...row }) => ({
        ...row,
        work: JSON.parse(body) as TrackerWork,
        atMs,
        dueMs,
      }));
  }
}

/** The newest deliveries, so that each counts once. */
export class HookDeliveryTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** True if one of the names was added before. */
  hasAny(tracker: string, names: readonly string[]): boolean {
    const query = "SELECT 1 FROM hook_delivery WHERE tracker = ? AND delivery = ?";
    return names.some((name) => this.#sql.exec(query, tracker, name).toArray().length > 0);
  }

  /** Adds the names of a delivery, and deletes the oldest ones. */
  add(tracker: string, names: readonly string[]): void {
    const query = "INSERT OR IGNORE INTO hook_delivery(tracker, delivery) VALUES (?, ?)";
    for (const name of names) this.#sql.exec(query, tracker, name);
    this.#sql.exec(
      "DELETE FROM hook_delivery WHERE seq <= (SELECT max(seq) FROM hook_delivery) - ?",
      trackerLimits.keptDeliveries,
    );
  }
}

/** What is stored of a connection besides its settings, and of the walk over followed issues. */
export interface StoredTrackerState {
  readonly calledMs?: number;
  readonly receivedMs?: number;
  readonly problem?: { readonly atMs: number; readonly detail: string };
  /** Of the walk: when it continues, and after which issue. */
  readonly dueMs?: number;
  readonly after?: Digest;
}

const SAVE_STATE = upsert("tracker_state", ["name"], ["body"]);

export class TrackerStateTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  get(name: string): StoredTrackerState {
    const query = "SELECT body FROM tracker_state WHERE name = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, name);
    return row === undefined ? {} : (JSON.parse(row.body) as StoredTrackerState);
  }

  change(name: string, change: StoredTrackerState): void {
    this.#sql.exec(SAVE_STATE, name, JSON.stringify({ ...this.get(name), ...change }));
  }

  remove(name: string): void {
    this.#sql.exec("DELETE FROM tracker_state WHERE name = ?", name);
  }

  /** The answers of services may quote a message. */
  eraseText(text: string): void {
    const rows = this.#sql.exec<{ name: string; body: string }>(
      "SELECT name, body FROM tracker_state",
    );
    for (const { name, body } of rows.toArray()) {
      const { problem, ...state } = JSON.parse(body) as StoredTrackerState;
      if (problem === undefined || !containsText(problem.detail, text)) continue;
      this.#sql.exec(SAVE_STATE, name, JSON.stringify(state));
    }
  }
}
