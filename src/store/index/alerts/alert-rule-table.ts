/**
 * SQLite table of the alert rules, as one row: a copy of the alert sender's rules. A project
 * without a row has the default rule. Synchronous.
 */
import { DEFAULT_RULE } from "../../../core/alerts/default-rule.ts";
import type { RuleSet } from "../../rpc/alerts-rpc.ts";

const DEFAULT_RULES: RuleSet = { version: 1, rules: [DEFAULT_RULE] };

export class AlertRuleTable {
  readonly #sql: SqlStorage;
  #cached: RuleSet | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS alert_rules(id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    );
  }

  get(): RuleSet {
    if (this.#cached !== undefined) return this.#cached;
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM alert_rules");
    this.#cached = row === undefined ? DEFAULT_RULES : (JSON.parse(row.body) as RuleSet);
    return this.#cached;
  }

  save(rules: RuleSet): void {
    const insert = "INSERT OR REPLACE INTO alert_rules VALUES (1, ?)";
    this.#sql.exec(insert, JSON.stringify(rules));
    this.#cached = rules;
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM alert_rules");
    this.#cached = undefined;
  }
}
