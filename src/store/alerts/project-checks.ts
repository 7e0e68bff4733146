/**
 * Judges the triggers about a project (`core/alerts/triggers`). Runs only if a rule asks for them,
 * at most every quarter of an hour, with one call to the index.
 */
import type { FiredTrigger } from "../../core/alerts/due-alert.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import type { ProjectFacts, ProjectTrigger } from "../../core/alerts/triggers/trigger.ts";
import { type AlertTrigger, PROJECT_TRIGGERS } from "../../core/alerts/triggers/triggers.ts";
import type { CheckTable } from "./tables/check-table.ts";

const MIN_INTERVAL_MS = 5 * 60_000;
/** Findings that are remembered. */
const MAX_ALERTED = 100;

/** A condition about the project, with the ids of the rules that ask for it. */
interface AskedTrigger {
  readonly definition: ProjectTrigger;
  readonly condition: AlertTrigger;
  readonly rules: readonly string[];
}

export class ProjectChecks {
  readonly #deps;

  constructor(deps: {
    readonly table: CheckTable;
    readonly getRules: () => readonly AlertRule[];
    readonly readFacts: () => Promise<ProjectFacts>;
    readonly readSourceMaps: () => Promise<ProjectFacts["sourceMaps"]>;
    /** Adds alerts; runs `remember` in the same transaction. */
    readonly addAlerts: (triggers: readonly FiredTrigger[], remember: () => void) => void;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** When the next check is due, ms; undefined if no rule asks for one. */
  getDueMs(): number | undefined {
    if (listAsked(this.#deps.getRules()).length === 0) return undefined;
    return this.#deps.table.get().dueMs ?? this.#deps.nowMs();
  }

  /** Checks what is due. Rejects while an object that it asks is unavailable. */
  async run(): Promise<void> {
    const { table, getRules, readFacts, readSourceMaps, addAlerts, nowMs } = this.#deps;
    const dueMs = this.getDueMs();
    if (dueMs === undefined || dueMs > nowMs()) return;
    const needsMaps = listAsked(getRules()).some((one) => one.definition.readsSourceMaps === true);
    const facts = await readFacts();
    const sourceMaps = needsMaps ? await readSourceMaps() : undefined;
    const atMs = nowMs();
    const checked = listAsked(getRules()).map((asked) => {
      const { definition, condition } = asked;
      return { ...asked, ...definition.check({ ...facts, sourceMaps }, condition, atMs) };
    });
    const found = checked.flatMap(({ definition: { kind }, condition, rules, findings }) =>
      findings.map(({ key, figures }) => ({
        key: `${kind} ${key}`,
        trigger: { kind: condition.kind, ...figures, rules },
      })),
    );
    const { alerted = {} } = table.get();
    const fired = found.filter(({ key }) => !Object.hasOwn(alerted, key));
    const isKept = (key: string) =>
      found.some((one) => one.key === key) ||
      !PROJECT_TRIGGERS.some(({ kind, isForgotten }) => isForgotten && key.startsWith(`${kind} `));
    const kept = Object.entries(alerted).filter(([key]) => isKept(key));
    const added = fired.map(({ key }) => [key, atMs] as const);
    const times = checked.map(({ definition: { everyMs }, nextMs = Infinity }) =>
      Math.min(atMs + everyMs, nextMs),
    );
    const next = {
      dueMs: Math.max(atMs + MIN_INTERVAL_MS, Math.min(...times)),
      alerted: Object.fromEntries([...kept, ...added].slice(-MAX_ALERTED)),
    };
    addAlerts(
      fired.map(({ trigger }) => trigger),
      () => table.save(next),
    );
  }
}

/** The conditions of enabled rules, in the order of the table; equal ones once. */
function listAsked(rules: readonly AlertRule[]): readonly AskedTrigger[] {
  const conditions = rules
    .filter(({ enabled }) => enabled)
    .flatMap(({ id, triggers }) => triggers.map((condition) => ({ id, condition })));
  return PROJECT_TRIGGERS.flatMap((definition) => {
    const ofKind = conditions.filter(({ condition }) => condition.kind === definition.kind);
    const byParams = Map.groupBy(ofKind, ({ condition }) => JSON.stringify(condition));
    return [...byParams.values()].flatMap((same) => {
      const rules = [...new Set(same.map(({ id }) => id))];
      return same[0] === undefined ? [] : [{ definition, condition: same[0].condition, rules }];
    });
  });
}
