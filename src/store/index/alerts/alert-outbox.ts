/**
 * SQLite tables of alerts in the index: those that wait for the alert sender, and the
 * alert history of each rule and issue. A row is written only when an alert is due, except for
 * rules that count reports themselves (`match-table.ts`). Synchronous.
 */
import type { DueAlert, FiredTrigger, NumberedAlert } from "../../../core/alerts/due-alert.ts";
import { NO_PUBLIC_ALERTS, type PublicAlerts } from "../../../core/alerts/judging/public-alerts.ts";
import { DEFAULT_RULE } from "../../../core/alerts/rule.ts";
import type { SentAlert } from "../../../core/alerts/sent-alert.ts";
import type { AlertHistory } from "../../../core/alerts/triggers/alert-history.ts";
import type { Digest } from "../../../core/report.ts";
import { maxTrust } from "../../../core/trust/trust.ts";
import type { RuleSet } from "../../alerts/sender-settings.ts";
import { AbsentKeys } from "../../sqlite/absent-keys.ts";
import { RowInserter } from "../../sqlite/row-inserter.ts";
import { upsert } from "../../sqlite/table.ts";
import type { StagedMatches } from "../tables/staged-changes.ts";
import { MatchTable } from "./match-table.ts";

const SAVE_HISTORY = "ON CONFLICT(digest, rule) DO UPDATE SET history = excluded.history";

/** The maximum number of alerts in one call. */
const MAX_ALERTS_PER_CALL = 200;
const MAX_ROWS_PER_CALL = 50;
const MAX_CACHED = 2_000;

/** The history of a rule and an issue after an alert. */
export interface SavedHistory {
  readonly digest: Digest;
  readonly rule: string;
  readonly history: AlertHistory;
}

export class AlertOutbox {
  readonly rules: AlertRuleTable;
  readonly sent: SentAlertTable;
  readonly matches: MatchTable;
  readonly deferred: DeferredAlertTable;
  readonly #sql: SqlStorage;
  /** Earlier alerts by digest and rule. Busy issues are judged with every batch. */
  readonly #histories = new Map<Digest, ReadonlyMap<string, AlertHistory>>();
  /** New issues without a history. */
  readonly absent = new AbsentKeys("alert_history", "digest");

  /** `getStaged`: the counts of rules that are not stored yet. */
  constructor(storage: DurableObjectStorage, getStaged: () => StagedMatches = () => new Map()) {
    this.rules = new AlertRuleTable(storage);
    this.sent = new SentAlertTable(storage);
    this.matches = new MatchTable(storage, getStaged);
    this.deferred = new DeferredAlertTable(storage);
    this.#sql = storage.sql;
  }

  /**
   * Adds alerts as one row: a storm can make hundreds due at once. Numbers start at the clock's time, because the alert sender ignores numbers that
   * an index used before it lost its storage.
   */
  add(alerts: readonly DueAlert[], nowMs: number): void {
    const sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'alert_outbox'";
    const [row] = this.#sql.exec<{ seq: number }>(sequence).toArray();
    let last = row?.seq ?? nowMs * 1_000 - 1;
    for (let at = 0; at < alerts.length; at += MAX_ALERTS_PER_CALL) {
      const some = alerts.slice(at, at + MAX_ALERTS_PER_CALL);
      last += some.length;
      const query = "INSERT INTO alert_outbox(n, alert) VALUES (?, ?)";
      this.#sql.exec(query, last, formatAlerts(some));
    }
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM alert_outbox LIMIT 1").toArray().length === 0;
  }

  /** The oldest alerts: those of whole rows. */
  list(): readonly NumberedAlert[] {
    const listed: NumberedAlert[] = [];
    const query = "SELECT n, alert FROM alert_outbox ORDER BY n LIMIT ?";
    const rows = this.#sql.exec<{ n: number; alert: string }>(query, MAX_ROWS_PER_CALL).toArray();
    for (const row of rows) {
      const alerts = parseAlerts(row.alert);
      if (listed.length > 0 && listed.length + alerts.length > MAX_ALERTS_PER_CALL) break;
      const first = row.n - alerts.length + 1;
      listed.push(...alerts.map((alert, i) => ({ n: first + i, alert })));
    }
    return listed;
  }

  removeUpTo(n: number): void {
    this.#sql.exec("DELETE FROM alert_outbox WHERE n <= ?", n);
  }

  getAlertHistory(digest: Digest, rule: string): AlertHistory | undefined {
    const known = this.#histories.get(digest) ?? this.#readHistories(digest);
    return known.get(rule);
  }

  /** Saves histories, several with one statement. */
  saveAlertHistories(saved: readonly SavedHistory[]): void {
    const columns = ["digest", "rule", "history"];
    const inserts = new RowInserter(this.#sql, "alert_history", columns, SAVE_HISTORY);
    for (const { digest, rule, history } of saved)
      inserts.add(digest, rule, JSON.stringify(history));
    inserts.flush();
    for (const { digest } of saved) {
      this.absent.delete(digest);
      this.#histories.delete(digest);
    }
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
    this.#replaceAll((alerts) => alerts.filter((alert) => alert.digest !== digest));
  }

  /** Replaces the alerts that wait by the results of `redact`. */
  eraseText(redact: (alert: DueAlert) => DueAlert): void {
    this.#replaceAll((alerts) => alerts.map(redact));
    this.deferred.eraseText(redact);
  }

  /**
   * Replaces the alerts of each row. The sender takes the alerts of a row together, so that their
   * numbers may change.
   */
  #replaceAll(replace: (alerts: readonly DueAlert[]) => readonly DueAlert[]): void {
    const rows = this.#sql.exec<{ n: number; alert: string }>("SELECT n, alert FROM alert_outbox");
    for (const { n, alert } of rows.toArray()) {
      const left = replace(parseAlerts(alert));
      const replaced = formatAlerts(left);
      if (left.length === 0) this.#sql.exec("DELETE FROM alert_outbox WHERE n = ?", n);
      else if (replaced !== alert)
        this.#sql.exec("UPDATE alert_outbox SET alert = ? WHERE n = ?", replaced, n);
    }
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#histories.clear();
    this.absent.clear();
    this.rules.clearCache();
    this.deferred.clearCache();
  }

  #readHistories(digest: Digest): ReadonlyMap<string, AlertHistory> {
    if (this.absent.has(digest)) return NO_HISTORIES;
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

const NO_HISTORIES: ReadonlyMap<string, AlertHistory> = new Map();

/** One alert, or the JSON array of several. */
function parseAlerts(text: string): readonly DueAlert[] {
  const parsed = JSON.parse(text) as DueAlert | readonly DueAlert[];
  return [parsed].flat();
}

function formatAlerts(alerts: readonly DueAlert[]): string {
  return JSON.stringify(alerts.length === 1 ? alerts[0] : alerts);
}

const SAVE_RULES = upsert("alert_rules", ["id"], ["body"]);

/** The rules, and when the index received each, or its last query, ms. */
interface StoredRules extends RuleSet {
  readonly since?: Readonly<Record<string, number>>;
}

const DEFAULT_RULES: StoredRules = { version: 1, rules: [DEFAULT_RULE] };

/**
 * SQLite table of the alert rules, as one row: a copy of the alert sender's rules. A project
 * without a row has the default rule. Synchronous.
 */
class AlertRuleTable {
  readonly #sql: SqlStorage;
  #cached: StoredRules | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  get(): StoredRules {
    if (this.#cached !== undefined) return this.#cached;
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM alert_rules");
    this.#cached = row === undefined ? DEFAULT_RULES : (JSON.parse(row.body) as StoredRules);
    return this.#cached;
  }

  save({ version, rules, agents }: RuleSet, nowMs: number): void {
    const before = this.get();
    const since = rules.map(({ id, query, enabled }) => {
      const known = before.rules.find((one) => one.id === id);
      const isSame = known?.query === query && (known.enabled || !enabled);
      return [id, isSame ? (before.since?.[id] ?? nowMs) : nowMs] as const;
    });
    const stored: StoredRules = { version, rules, agents, since: Object.fromEntries(since) };
    this.#sql.exec(SAVE_RULES, 1, JSON.stringify(stored));
    this.#cached = stored;
  }

  /** Call after the rows were wiped. */
  clearCache(): void {
    this.#cached = undefined;
  }
}

const SAVE_DEFERRED = upsert("alert_deferred", ["digest"], ["due_ms", "alert"]);
const SAVE_PUBLIC = upsert("alert_public", ["id"], ["body"]);

/**
 * SQLite tables of alerts that wait: those about an issue that is growing, for a moment, and those
 * about public reports above their hourly limit. Synchronous.
 */
class DeferredAlertTable {
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
    this.#sql.exec(SAVE_DEFERRED, ...[digest, row?.due_ms ?? dueMs, JSON.stringify(joined)]);
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

const SAVE_SENT = upsert("alert_sent", ["digest"], ["body"]);

/** Alerts of an issue that are kept. */
const MAX_SENT = 10;

/**
 * SQLite table of the last alerts that destinations of the project accepted, one row per issue, for
 * the activity on the issue page. The alert sender has the log of deliveries. Synchronous.
 */
class SentAlertTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Oldest first. */
  list(digest: Digest): readonly SentAlert[] {
    const query = "SELECT body FROM alert_sent WHERE digest = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, digest);
    return row === undefined ? [] : (JSON.parse(row.body) as readonly SentAlert[]);
  }

  /** Adds an alert. An alert that several destinations accepted is one entry. */
  add(digest: Digest, sent: SentAlert): void {
    const known = this.list(digest);
    const same = known.find(({ message }) => message === sent.message);
    const to = [...new Set([...(same?.to ?? []), ...sent.to])];
    const entries =
      same === undefined ? [...known, sent] : known.with(known.indexOf(same), { ...same, to });
    this.save(digest, entries.slice(-MAX_SENT));
  }

  save(digest: Digest, entries: readonly SentAlert[]): void {
    this.#sql.exec(SAVE_SENT, digest, JSON.stringify(entries));
  }

  /** At most `limit` digests after one, in order. */
  listNames(after: string, limit: number): readonly Digest[] {
    const query = "SELECT digest FROM alert_sent WHERE digest > ? ORDER BY digest LIMIT ?";
    const rows = this.#sql.exec<{ digest: string }>(query, after, limit).toArray();
    return rows.map(({ digest }) => digest);
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM alert_sent WHERE digest = ?", digest);
  }
}
