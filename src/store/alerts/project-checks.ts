/**
 * Judges the triggers about a project: crash-free rates, ingestion, source maps and budgets. Runs
 * only if a rule asks for them, at most every quarter of an hour, with one call to the index.
 */

import type { FiredTrigger } from "../../core/alerts/due-alert.ts";
import { type IngestionHistory, judgeIngestion } from "../../core/alerts/judging/ingestion.ts";
import type { AlertRule, AlertTrigger } from "../../core/alerts/rule.ts";
import type { SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { DAY_MS, HOUR_MS, toUtcDay } from "../../core/utc-time.ts";
import type { AlertedFindings, CheckTable } from "./tables/check-table.ts";

const QUARTER_MS = 15 * 60_000;
const MIN_SESSIONS = 200;
const USED_SHARE = 0.9;
/** Releases, uploads and days that are remembered, each. */
const MAX_ALERTED = 100;

/** The facts of a project that alerts are about, as the index knows them. */
export interface ProjectFacts {
  readonly ingestion: IngestionHistory;
  /** Releases of the last month with a crash-free percentage of their sessions. */
  readonly releases: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly percent: number;
  }[];
  /** Releases that reports name. */
  readonly reportedReleases: readonly string[];
  /** Writes to KV of the day. */
  readonly budgets: readonly {
    readonly name: string;
    readonly used: number;
    readonly perDay: number;
  }[];
}

type CheckedKind = "crash-free" | "ingestion" | "source-maps" | "budget";
type Found = Omit<FiredTrigger, "kind" | "rules"> & { readonly key: string };

interface ChecksDeps {
  readonly table: CheckTable;
  readonly getRules: () => readonly AlertRule[];
  readonly readFacts: () => Promise<ProjectFacts>;
  readonly readUploads: () => Promise<SourceMapSummary>;
  /** Adds alerts; runs `remember` in the same transaction. */
  readonly addAlerts: (triggers: readonly FiredTrigger[], remember: () => void) => void;
  readonly nowMs: () => number;
}

export class ProjectChecks {
  readonly #deps: ChecksDeps;

  constructor(deps: ChecksDeps) {
    this.#deps = deps;
  }

  /** When the next check is due, ms; undefined if no rule asks for one. */
  getDueMs(): number | undefined {
    if (this.#listKinds().size === 0) return undefined;
    return this.#deps.table.get().dueMs ?? this.#deps.nowMs();
  }

  /** Checks what is due. Rejects while an object that it asks is unavailable. */
  async run(): Promise<void> {
    const { table, readFacts, readUploads, addAlerts, nowMs } = this.#deps;
    const kinds = this.#listKinds();
    const dueMs = this.getDueMs();
    if (dueMs === undefined || dueMs > nowMs()) return;
    const facts = await readFacts();
    const uploads = kinds.has("source-maps") ? await readUploads() : undefined;
    const atMs = nowMs();
    const ingestion = judgeIngestion(facts.ingestion, atMs);
    const alerted = table.get().alerted ?? {};
    const found: readonly (readonly [CheckedKind, Found])[] = [
      ...(ingestion.change === null
        ? []
        : [["ingestion", { key: ingestion.change.kind, ...ingestion.change }] as const]),
      ...findBudgets(facts, atMs).map((one) => ["budget", one] as const),
      ...findUploads(uploads, facts, atMs).map((one) => ["source-maps", one] as const),
    ];
    const fired = [
      ...found.flatMap(([kind, { key, ...figures }]) =>
        this.#fire(alerted, kind, `${kind} ${key}`, { detail: figures.detail ?? "" }, () => true),
      ),
      ...facts.releases.flatMap(({ name, sessions, percent }) =>
        sessions < MIN_SESSIONS
          ? []
          : this.#listLimits(percent).flatMap((below) =>
              this.#fire(
                alerted,
                "crash-free",
                `crash-free ${below} ${toUtcDay(atMs)} ${name}`,
                { value: percent, limit: below * 100, detail: name },
                (trigger) => trigger.kind === "crash-free" && trigger.below === below,
              ),
            ),
      ),
    ];
    const kept = Object.entries(alerted).filter(
      ([key]) => !key.startsWith("ingestion ") || key === `ingestion ${ingestion.change?.kind}`,
    );
    const added = fired.map(({ key }) => [key, atMs] as const);
    const intervalMs = kinds.has("crash-free") ? QUARTER_MS : HOUR_MS;
    const nextMs = Math.max(atMs + QUARTER_MS / 3, Math.min(atMs + intervalMs, ingestion.nextMs));
    addAlerts(
      fired.map(({ trigger }) => trigger),
      () =>
        table.save({
          dueMs: nextMs,
          alerted: Object.fromEntries([...kept, ...added].slice(-MAX_ALERTED)),
        }),
    );
  }

  #listKinds(): ReadonlySet<CheckedKind> {
    const kinds = this.#listTriggers().map(({ trigger }) => trigger.kind);
    const checked: readonly string[] = ["crash-free", "ingestion", "source-maps", "budget"];
    return new Set(kinds.filter((kind): kind is CheckedKind => checked.includes(kind)));
  }

  #listTriggers() {
    const rules = this.#deps.getRules().filter(({ enabled }) => enabled);
    return rules.flatMap((rule) => rule.triggers.map((trigger) => ({ rule, trigger })));
  }

  /** The limits of crash-free rates that a percentage is below. */
  #listLimits(percent: number): readonly number[] {
    const limits = this.#listTriggers().flatMap(({ trigger }) =>
      trigger.kind === "crash-free" && percent < trigger.below * 100 ? trigger.below : [],
    );
    return [...new Set(limits)];
  }

  /** The trigger with the rules that ask for it; none if there are none, or it was reported. */
  #fire(
    alerted: AlertedFindings,
    kind: CheckedKind,
    key: string,
    figures: Omit<FiredTrigger, "kind" | "rules">,
    isAsked: (trigger: AlertTrigger) => boolean,
  ): readonly { readonly key: string; readonly trigger: FiredTrigger }[] {
    if (Object.hasOwn(alerted, key)) return [];
    const asking = this.#listTriggers().filter(
      ({ trigger }) => trigger.kind === kind && isAsked(trigger),
    );
    const rules = [...new Set(asking.map(({ rule }) => rule.id))];
    return rules.length === 0 ? [] : [{ key, trigger: { kind, ...figures, rules } }];
  }
}

function findBudgets({ budgets }: ProjectFacts, nowMs: number): readonly Found[] {
  return budgets
    .filter(({ used, perDay }) => used >= perDay * USED_SHARE)
    .map(({ name, used, perDay }) => ({
      key: `${toUtcDay(nowMs)} ${name}`,
      detail: `${name} has used ${used} of today's ${perDay} KV writes.`,
    }));
}

/** Failures of uploads, and uploads of a release with reports that no frame used within a day. */
function findUploads(
  summary: SourceMapSummary | undefined,
  { reportedReleases }: ProjectFacts,
  nowMs: number,
): readonly Found[] {
  if (summary === undefined) return [];
  const unused = summary.uploads
    .filter(({ state, maps, lastUsedMs, uploadedMs, release = "" }) => {
      const ageMs = nowMs - uploadedMs;
      const isUnused = state === "ready" && maps > 0 && lastUsedMs === undefined;
      return isUnused && ageMs > DAY_MS && ageMs < 3 * DAY_MS && reportedReleases.includes(release);
    })
    .map(({ id, maps }) => ({
      key: id,
      detail: `No frame matched any of the ${maps} source maps of an upload within a day.`,
    }));
  const failures = summary.failures
    .filter(({ atMs }) => nowMs - atMs < DAY_MS)
    .map(({ atMs, detail }) => ({ key: String(atMs), detail }));
  return [...unused, ...failures];
}
