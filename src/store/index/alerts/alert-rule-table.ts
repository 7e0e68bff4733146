/**
 * SQLite table of the alert rules, as one row: a copy of the alert sender's rules. A project
 * without a row has the default rule. Synchronous.
 */
import { DEFAULT_RULE } from "../../../core/alerts/rule.ts";
import type { RuleSet } from "../../alerts/sender-settings.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("alert_rules", ["id"], ["body"]);

/** The rules, and when the index received each, or its last query, ms. */
interface StoredRules extends RuleSet {
  readonly since?: Readonly<Record<string, number>>;
}

const DEFAULT_RULES: StoredRules = { version: 1, rules: [DEFAULT_RULE] };

export class AlertRuleTable {
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

  save({ version, rules }: RuleSet, nowMs: number): void {
    const before = this.get();
    const since = rules.map(({ id, query, enabled }) => {
      const known = before.rules.find((one) => one.id === id);
      const isSame = known?.query === query && (known.enabled || !enabled);
      return [id, isSame ? (before.since?.[id] ?? nowMs) : nowMs] as const;
    });
    const stored: StoredRules = { version, rules, since: Object.fromEntries(since) };
    this.#sql.exec(SAVE, 1, JSON.stringify(stored));
    this.#cached = stored;
  }

  /** Call after the rows were wiped. */
  clearCache(): void {
    this.#cached = undefined;
  }
}
