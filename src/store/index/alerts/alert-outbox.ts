/**
 * SQLite tables of alerts in the index: those that wait for the alert sender, and the
 * alert history of each rule and issue. A row is written only when an alert is due, except for
 * rules that count reports themselves (`match-table.ts`). Synchronous.
 */

import type { DueAlert, NumberedAlert } from "../../../core/alerts/due-alert.ts";
import type { AlertHistory } from "../../../core/alerts/triggers/alert-history.ts";
import type { Digest } from "../../../core/report.ts";
import { upsert } from "../../sqlite/table.ts";
import type { StagedMatches } from "../tables/staged-changes.ts";
import { AlertRuleTable } from "./alert-rule-table.ts";
import { DeferredAlertTable } from "./deferred-alert-table.ts";
import { MatchTable } from "./match-table.ts";
import { SentAlertTable } from "./sent-alert-table.ts";

const SAVE_HISTORY = upsert("alert_history", ["digest", "rule"], ["history"]);

/** The maximum number of alerts in one call. */
const MAX_ALERTS_PER_CALL = 200;
const MAX_CACHED = 2_000;

export class AlertOutbox {
  readonly rules: AlertRuleTable;
  readonly sent: SentAlertTable;
  readonly matches: MatchTable;
  readonly deferred: DeferredAlertTable;
  readonly #sql: SqlStorage;
  /** Earlier alerts by digest and rule. Busy issues are judged with every batch. */
  readonly #histories = new Map<Digest, ReadonlyMap<string, AlertHistory>>();

  /** `getStaged`: the counts of rules that are not stored yet. */
  constructor(storage: DurableObjectStorage, getStaged: () => StagedMatches = () => new Map()) {
    this.rules = new AlertRuleTable(storage);
    this.sent = new SentAlertTable(storage);
    this.matches = new MatchTable(storage, getStaged);
    this.deferred = new DeferredAlertTable(storage);
    this.#sql = storage.sql;
  }

  /**
   * Adds alerts. Numbers start at the clock's time, because the alert sender ignores numbers that
   * an index used before it lost its storage.
   */
  add(alerts: readonly DueAlert[], nowMs: number): void {
    const sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'alert_outbox'";
    const isFirst = this.#sql.exec(sequence).toArray().length === 0;
    const first = isFirst ? nowMs * 1_000 : null;
    for (const [i, alert] of alerts.entries()) {
      const n = first === null ? null : first + i;
      this.#sql.exec("INSERT INTO alert_outbox(n, alert) VALUES (?, ?)", n, JSON.stringify(alert));
    }
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM alert_outbox LIMIT 1").toArray().length === 0;
  }

  /** The oldest alerts. */
  list(): readonly NumberedAlert[] {
    return this.#sql
      .exec<{ n: number; alert: string }>(
        "SELECT n, alert FROM alert_outbox ORDER BY n LIMIT ?",
        MAX_ALERTS_PER_CALL,
      )
      .toArray()
      .map(({ n, alert }) => ({ n, alert: JSON.parse(alert) as DueAlert }));
  }

  removeUpTo(n: number): void {
    this.#sql.exec("DELETE FROM alert_outbox WHERE n <= ?", n);
  }

  getAlertHistory(digest: Digest, rule: string): AlertHistory | undefined {
    const known = this.#histories.get(digest) ?? this.#readHistories(digest);
    return known.get(rule);
  }

  saveAlertHistory(digest: Digest, rule: string, history: AlertHistory): void {
    this.#sql.exec(SAVE_HISTORY, digest, rule, JSON.stringify(history));
    this.#histories.delete(digest);
  }

  /** Removes the alert history of an issue; alerts that wait stay. */
  removeHistory(digest: Digest): void {
    this.sent.remove(digest);
    this.matches.remove(digest);
    this.#sql.exec("DELETE FROM alert_history WHERE digest = ?", digest);
    this.#histories.delete(digest);
  }

  /** Removes everything about an issue. */
  removeIssue(digest: Digest): void {
    this.removeHistory(digest);
    this.deferred.removeIssue(digest);
    this.#sql.exec("DELETE FROM alert_outbox WHERE json_extract(alert, '$.digest') = ?", digest);
  }

  /** Replaces the alerts that wait by the results of `redact`. */
  eraseText(redact: (alert: DueAlert) => DueAlert): void {
    const rows = this.#sql.exec<{ n: number; alert: string }>("SELECT n, alert FROM alert_outbox");
    for (const { n, alert } of rows.toArray()) {
      const redacted = JSON.stringify(redact(JSON.parse(alert) as DueAlert));
      if (redacted === alert) continue;
      this.#sql.exec("UPDATE alert_outbox SET alert = ? WHERE n = ?", redacted, n);
    }
    this.deferred.eraseText(redact);
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#histories.clear();
    this.rules.clearCache();
    this.deferred.clearCache();
  }

  #readHistories(digest: Digest): ReadonlyMap<string, AlertHistory> {
    const rows = this.#sql.exec<{ rule: string; history: string }>(
      "SELECT rule, history FROM alert_history WHERE digest = ?",
      digest,
    );
    const histories = new Map(
      rows.toArray().map((row) => [row.rule, JSON.parse(row.history) as AlertHistory]),
    );
    if (this.#histories.size >= MAX_CACHED) this.#histories.clear();
    this.#histories.set(digest, histories);
    return histories;
  }
}
