/**
 * SQLite tables of alerts that wait: those about an issue that is growing, for a moment, and those
 * about public reports above their hourly limit. Synchronous.
 */
import type { DueAlert, FiredTrigger } from "../../../core/alerts/due-alert.ts";
import { NO_PUBLIC_ALERTS, type PublicAlerts } from "../../../core/alerts/judging/public-alerts.ts";
import type { Digest } from "../../../core/report.ts";
import { maxTrust } from "../../../core/trust/trust.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("alert_deferred", ["digest"], ["due_ms", "alert"]);
const SAVE_PUBLIC = upsert("alert_public", ["id"], ["body"]);

export class DeferredAlertTable {
  readonly #sql: SqlStorage;
  #public: PublicAlerts | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds an alert about an issue, or joins it with the one that waits. */
  add(digest: Digest, alert: DueAlert, dueMs: number): void {
    const [row] = this.#sql.exec<{ due_ms: number; alert: string }>(
      "SELECT due_ms, alert FROM alert_deferred WHERE digest = ?",
      digest,
    );
    const joined = row === undefined ? alert : join(JSON.parse(row.alert) as DueAlert, alert);
    this.#sql.exec(SAVE, ...[digest, row?.due_ms ?? dueMs, JSON.stringify(joined)]);
  }

  /** Removes the alerts that are due, and returns them. */
  takeDue(nowMs: number): readonly DueAlert[] {
    const query = "SELECT alert FROM alert_deferred WHERE due_ms <= ? ORDER BY due_ms";
    const rows = this.#sql.exec<{ alert: string }>(query, nowMs).toArray();
    if (rows.length > 0) this.#sql.exec("DELETE FROM alert_deferred WHERE due_ms <= ?", nowMs);
    return rows.map(({ alert }) => JSON.parse(alert) as DueAlert);
  }

  /** When the next alert is due, ms; undefined if none waits. */
  getDueMs(): number | undefined {
    const [row] = this.#sql.exec<{ due: number | null }>(
      "SELECT min(due_ms) AS due FROM alert_deferred",
    );
    const { more, flood } = this.getPublic();
    const times = [row?.due ?? undefined, more?.dueMs, flood?.dueMs];
    const known = times.filter((ms) => ms !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  getPublic(): PublicAlerts {
    if (this.#public !== undefined) return this.#public;
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM alert_public WHERE id = 1");
    this.#public = row === undefined ? NO_PUBLIC_ALERTS : (JSON.parse(row.body) as PublicAlerts);
    return this.#public;
  }

  savePublic(state: PublicAlerts): void {
    if (state === this.getPublic()) return;
    this.#sql.exec(SAVE_PUBLIC, 1, JSON.stringify(state));
    this.#public = state;
  }

  /** Replaces the alerts that wait by the results of `redact`. */
  eraseText(redact: (alert: DueAlert) => DueAlert): void {
    const query = "SELECT digest, alert FROM alert_deferred";
    const rows = this.#sql.exec<{ digest: string; alert: string }>(query).toArray();
    for (const { digest, alert } of rows) {
      const redacted = JSON.stringify(redact(JSON.parse(alert) as DueAlert));
      if (redacted === alert) continue;
      const update = "UPDATE alert_deferred SET alert = ? WHERE digest = ?";
      this.#sql.exec(update, redacted, digest);
    }
  }

  removeIssue(digest: Digest): void {
    this.#sql.exec("DELETE FROM alert_deferred WHERE digest = ?", digest);
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#public = undefined;
  }
}

/** The later figures of each trigger, and the rules of both. */
function join(first: DueAlert, second: DueAlert): DueAlert {
  const triggers = new Map<string, FiredTrigger>();
  for (const trigger of [...first.triggers, ...second.triggers]) {
    const { kind, withinMs } = trigger;
    // An escalation has another limit at each step.
    const key = JSON.stringify([kind, withinMs, kind === "escalating" ? "" : trigger.limit]);
    const rules = [...new Set([...(triggers.get(key)?.rules ?? []), ...trigger.rules])];
    triggers.set(key, { ...trigger, rules });
  }
  return {
    ...first,
    ...second,
    atMs: first.atMs,
    trust: maxTrust(first.trust ?? "public", second.trust ?? "public"),
    triggers: [...triggers.values()],
  };
}
