/** All SQLite tables of the alert sender. Synchronous. */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import { toTestPrefix } from "../../../core/alerts/alert-message.ts";
import type { AlertTriggerKind } from "../../../core/alerts/triggers/triggers.ts";
import type { DeliveryAttempt, HeldBackAlert } from "../../../core/ports/alerts-port.ts";
import type { Digest } from "../../../core/report.ts";
import { containsText, redactText } from "../../redact-text.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { upsert } from "../../sqlite/table.ts";
import { SecretBox } from "../secrets/secret-box.ts";
import { ALERT_SCHEMA } from "./alert-schema.ts";
import { CheckTable } from "./check-table.ts";
import { DeletedDestinationTable } from "./deleted-destination-table.ts";
import { DeliveryTable } from "./delivery-table.ts";
import { DestinationTable } from "./destination-table.ts";
import { InboxTable } from "./inbox-table.ts";
import { NoticeTable } from "./notice-table.ts";
import { SecretKeyTable } from "./secret-key-table.ts";
import { SettingsTable } from "./settings-table.ts";
import { SummaryTable } from "./summary-table.ts";
import { HookDeliveryTable, TrackerMessageTable, TrackerStateTable } from "./tracker-tables.ts";
import { VisitorTable } from "./visitor-table.ts";

/**
 * SQLite table of the newest entries of a log: each new entry replaces the oldest one, so that an
 * entry costs one row. Synchronous.
 */
class NewestRowsTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #size: number;
  #next: number | undefined;

  /** `table` is a trusted name. */
  constructor(storage: DurableObjectStorage, table: string, size: number) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#size = size;
  }

  add(entry: T): void {
    this.#next ??= this.#readNext();
    const n = this.#next;
    const insert = upsert(this.#table, ["slot"], ["n", "entry"]);
    this.#sql.exec(insert, n % this.#size, n, JSON.stringify(entry));
    this.#next = n + 1;
  }

  /** Newest first. */
  list(): readonly T[] {
    return this.#listRows().map(({ entry }) => JSON.parse(entry) as T);
  }

  /** Replaces entries; null keeps one as it is. */
  change(replace: (entry: T) => T | null): void {
    for (const { slot, entry } of this.#listRows()) {
      const changed = replace(JSON.parse(entry) as T);
      if (changed === null) continue;
      const update = `UPDATE ${this.#table} SET entry = ? WHERE slot = ?`;
      this.#sql.exec(update, JSON.stringify(changed), slot);
    }
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#next = undefined;
  }

  #listRows() {
    return this.#sql
      .exec<{ slot: number; entry: string }>(
        `SELECT slot, entry FROM ${this.#table} ORDER BY n DESC`,
      )
      .toArray();
  }

  #readNext(): number {
    const query = `SELECT coalesce(max(n), 0) + 1 AS next FROM ${this.#table}`;
    return this.#sql.exec<{ next: number }>(query).one().next;
  }
}

/** Rows are kept this long. */
const KEPT_MS = 86_400_000;

/**
 * SQLite table of the mails that asked to confirm an address, for their limits: of each its time
 * and the hash of the address. Synchronous.
 */
class ConfirmationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** The mails since `sinceMs`; with `address`, those to the address with this hash. */
  count(sinceMs: number, address?: string): number {
    const query = `SELECT count(*) AS n FROM confirmation
      WHERE at_ms > ?1 AND (?2 IS NULL OR address = ?2)`;
    return this.#sql.exec<{ n: number }>(query, sinceMs, address ?? null).one().n;
  }

  /** Adds a mail, and removes those of the day before. */
  add(atMs: number, address: string): void {
    this.#sql.exec("DELETE FROM confirmation WHERE at_ms <= ?", atMs - KEPT_MS);
    this.#sql.exec("INSERT INTO confirmation(at_ms, address) VALUES (?, ?)", atMs, address);
  }
}

/** An attempt in the log; `delayMs` is the time from the report to the delivery. */
export type LoggedAttempt = DeliveryAttempt & { readonly delayMs?: number };

/** An alert that was held back. Its sentence names rules, which may be renamed. */
export type LoggedHeldAlert = HeldBackAlert & { readonly trigger: AlertTriggerKind };

/** What the tables need to encrypt secrets, and the clock. */
export interface TableKeys {
  readonly project: string;
  /** See `SecretBox`. */
  readonly readKeys: () => readonly string[];
  readonly nowMs: () => number;
}

export class AlertTables {
  readonly settings: SettingsTable;
  readonly inbox: InboxTable;
  readonly notices: NoticeTable;
  readonly deliveries: DeliveryTable;
  readonly destinations: DestinationTable;
  readonly attempts: NewestRowsTable<LoggedAttempt>;
  readonly held: NewestRowsTable<LoggedHeldAlert>;
  readonly checks: CheckTable;
  readonly confirmations: ConfirmationTable;
  readonly deletedDestinations: DeletedDestinationTable;
  readonly summaries: SummaryTable;
  readonly trackerMessages: TrackerMessageTable;
  readonly trackerStates: TrackerStateTable;
  readonly hookDeliveries: HookDeliveryTable;
  readonly visitors: VisitorTable;
  readonly #storage: DurableObjectStorage;
  readonly #database: Database;

  constructor(
    storage: DurableObjectStorage,
    { project, readKeys, nowMs }: TableKeys,
    database: Database = openDatabase(storage, ALERT_SCHEMA),
  ) {
    this.#storage = storage;
    this.#database = database;
    const localKey = new SecretKeyTable(storage);
    const box = new SecretBox({
      project,
      readKeys,
      readLocalKey: () => localKey.get(),
      saveLocalKey: (key) => localKey.save(key),
    });
    this.settings = new SettingsTable(storage, box, nowMs);
    this.inbox = new InboxTable(storage);
    this.notices = new NoticeTable(storage);
    this.deliveries = new DeliveryTable(storage);
    this.destinations = new DestinationTable(storage);
    this.checks = new CheckTable(storage);
    this.confirmations = new ConfirmationTable(storage);
    this.deletedDestinations = new DeletedDestinationTable(storage, box);
    this.summaries = new SummaryTable(storage);
    this.trackerMessages = new TrackerMessageTable(storage);
    this.trackerStates = new TrackerStateTable(storage);
    this.hookDeliveries = new HookDeliveryTable(storage);
    this.visitors = new VisitorTable(storage, box);
    this.attempts = new NewestRowsTable(storage, "attempt", alertLimits.keptMessages);
    this.held = new NewestRowsTable(storage, "held", alertLimits.keptMessages);
  }

  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      this.attempts.clearCache();
      this.held.clearCache();
      throw error;
    }
  }

  /** Test messages of a project since `sinceMs`: logged attempts and waiting messages. */
  countTests(project: string, sinceMs: number): number {
    const prefix = toTestPrefix(project);
    const isTest = ({ message }: { message: string }) => message.startsWith(prefix);
    const logged = this.attempts.list().filter((one) => isTest(one) && one.atMs >= sinceMs);
    return logged.length + this.deliveries.listWaiting().filter(isTest).length;
  }

  /** Erases the entries about issues. Answers of services may quote the message. */
  eraseIssues(digests: readonly Digest[]): void {
    this.transaction(() => {
      for (const digest of digests) {
        this.inbox.erase(digest);
        this.notices.erase(digest);
        this.deliveries.erase(digest);
        this.trackerMessages.erase(digest);
        this.visitors.erase(digest);
      }
      this.attempts.change((entry) => {
        // A summary without a digest names several issues.
        if (entry.digest !== undefined && !digests.includes(entry.digest)) return null;
        const { digest: _, answer: __, ...rest } = entry;
        return rest;
      });
      this.held.change((entry) => {
        if (entry.digest === undefined || !digests.includes(entry.digest)) return null;
        const { digest: _, ...rest } = entry;
        return rest;
      });
    });
  }

  /** Erases answers and alerts that contain a text, ignoring case. Alerts may name a release. */
  eraseText(text: string): void {
    for (const id of this.deletedDestinations.eraseText(text))
      this.deliveries.removeDestination(id);
    const part = text.toLowerCase();
    this.transaction(() => {
      this.inbox.eraseText(part);
      this.notices.eraseText(part);
      this.deliveries.eraseText(part);
      this.trackerMessages.eraseText(text);
      this.trackerStates.eraseText(text);
      this.visitors.eraseText(text);
      this.attempts.change((entry) => {
        const { answer = "", ...rest } = redactText(entry, text);
        if (entry.answer?.toLowerCase().includes(part)) return rest;
        return rest.title === entry.title ? null : { ...rest, ...(answer !== "" && { answer }) };
      });
      // The sentence names the rule.
      this.held.change((entry) => (containsText(entry, text) ? redactText(entry, text) : null));
    });
  }

  /** Deletes everything except the settings. */
  wipe(): void {
    this.#database.wipe(["reported"]);
    this.attempts.clearCache();
    this.held.clearCache();
  }
}
