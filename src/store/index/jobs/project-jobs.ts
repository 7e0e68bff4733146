/**
 * Jobs over a whole project: rebuilding the index and erasing. They run one after another, after
 * the response, and continue after a restart.
 */
import type { Bindings } from "../../../bindings.ts";
import { addErasureCounts } from "../../../core/erasure.ts";
import type { StoreHealth } from "../../../core/stats/store-health.ts";
import { DAY_MS, toUtcDay } from "../../../core/utc-time.ts";
import { forEachConcurrently } from "../../for-each-concurrently.ts";
import {
  hourToDay,
  parseChunkKey,
  toChunkPrefix,
  toCopyKey,
  toIssuePrefix,
} from "../../kv/keys.ts";
import type { ProjectObjects } from "../../objects.ts";
import type { SharedAlarm } from "../../shared-alarm.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import { countComments, listIssuesWithText } from "../state/erase-text.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { createCollectPhases, createErasePhases, type EraseJobDeps } from "./erase-job.ts";
import { createEraseProjectPhases } from "./erase-project-job.ts";
import { JobRunner, type Phase } from "./job-runner.ts";
import { isSkipped, type Job, JobTable } from "./job-table.ts";
import { createRebuildPhases } from "./rebuild-job.ts";

const KV_TIMEOUT_MS = 5_000;
/** A failed step is repeated after 2 s, 4 s and so on. A repetition costs calls to KV. */
const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 300_000;

export class ProjectJobs {
  readonly #deps;
  readonly #table: JobTable;
  readonly #runner: JobRunner;
  #running: Promise<void> | null = null;
  /** When a step that failed twice is repeated, in ms. A restart repeats it at once. */
  #retryMs = 0;

  constructor(deps: {
    readonly project: string;
    readonly storage: DurableObjectStorage;
    readonly alarm: Pick<SharedAlarm, "setBy">;
    readonly tables: IndexTables;
    readonly kv: () => Bindings["KV"];
    readonly objects: ProjectObjects;
    /** Called by a rebuild with the number of the newest upload; null if there is none. */
    readonly onNewestUpload: (newest: number | null) => void;
    readonly listShards: () => readonly string[];
    /** The `startId` of the index: see `ProjectIndex.applyRows`. */
    readonly startId: string;
    readonly nowMs: () => number;
    readonly onDirty: (dirtyKeys: DirtyKeys) => void;
    /** Resolves when no snapshot is being written. */
    readonly waitForSnapshots: () => Promise<void>;
    /** Called when the last job is done. */
    readonly onIdle: () => Promise<void>;
  }) {
    this.#deps = deps;
    this.#table = new JobTable(deps.storage);
    this.#runner = new JobRunner(this.#table, (job) => this.#createPhases(job), deps.nowMs);
  }

  get hasJobs(): boolean {
    return this.#table.getCurrent() !== undefined;
  }

  /** True while the index is incomplete: it answers no query and accepts no rows. */
  get isRebuilding(): boolean {
    const first = this.#table.getCurrent();
    const availablePhases = AVAILABLE_PHASES.get(first?.job.kind);
    return availablePhases !== undefined && !availablePhases.includes(first?.state?.phase ?? "");
  }

  throwIfRebuilding(): void {
    if (this.isRebuilding) throw new Error("index rebuild in progress");
  }

  /** True while the logs resend their rows: rows that were sent before that must be rejected. */
  get isReplayingLogs(): boolean {
    return this.#table.getCurrent()?.job.kind === "rebuild";
  }

  /** True while the state of the index must not be written to KV. */
  get blocksSnapshots(): boolean {
    const kind = this.#table.getCurrent()?.job.kind;
    return kind === "rebuild" || kind === "erase-project";
  }

  /** The progress of the current job; undefined if there is none. */
  getProgress(): StoreHealth["work"] {
    const current = this.#table.getCurrent();
    if (current === undefined) return undefined;
    const { phase = "", done = 0, total = 0 } = current.state ?? {};
    return { job: current.job.kind, jobs: this.#table.count(), phase, done, total };
  }

  /** The progress of the jobs of an erasure; undefined if none is left. */
  getProgressOf(erasure: string): { readonly done: number; readonly total: number } | undefined {
    const jobs = this.#table.listJobs().filter(({ job }) => "id" in job && job.id === erasure);
    const { done = 0, total = 0 } = jobs[0]?.state ?? {};
    return jobs.length === 0 ? undefined : { done, total };
  }

  enqueue(job: Job): void {
    this.#table.enqueue(job);
  }

  /**
   * For an index with empty storage: if KV has data of the project, the object lost its storage,
   * and a rebuild is queued. If KV does not answer, the index stays uninitialized. Never rejects.
   */
  async detectLostState(): Promise<void> {
    const { project, tables, kv } = this.#deps;
    try {
      const decisions = toCopyKey(project, { kind: tables.decisions.kind });
      const prefixes = [toChunkPrefix(project), toIssuePrefix(project), decisions];
      const lists = prefixes.map((prefix) => kv().list({ prefix, limit: 1 }));
      const pages = await withTimeout(Promise.all(lists), KV_TIMEOUT_MS);
      tables.shardProgress.markInitialized();
      if (pages.some(({ keys }) => keys.length > 0)) this.enqueue({ kind: "rebuild" });
    } catch (error) {
      console.warn("index: cannot read the project's keys from KV", String(error));
    }
  }

  /**
   * Runs jobs for a while; the alarm continues them. Concurrent calls share one run. Never rejects.
   * `dueMs`: the time that the alarm was set for, if it fired.
   */
  run(dueMs: number = this.#deps.nowMs()): Promise<void> {
    this.#running ??= this.#runNext(dueMs).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #runNext(dueMs: number): Promise<void> {
    if (!this.hasJobs) return;
    const { alarm, nowMs, onIdle } = this.#deps;
    if (dueMs < this.#retryMs) return alarm.setBy(this.#retryMs);
    // If the object stops during the run, the alarm continues it.
    await alarm.setBy(nowMs() + RETRY_MIN_MS);
    try {
      const hasMore = await this.#runner.runSome();
      if (!hasMore) await onIdle();
      // A job that was enqueued during `onIdle` shared this run, and the alarm may have fired.
      if (this.hasJobs) await alarm.setBy(nowMs());
    } catch (error) {
      console.warn("index: job failed, will retry", String(error));
      const failures = this.#table.countFailure();
      const retryMs = nowMs() + Math.min(RETRY_MIN_MS * 2 ** (failures - 1), RETRY_MAX_MS);
      if (failures > 1) this.#retryMs = retryMs;
      await alarm.setBy(retryMs);
    }
  }

  #createPhases(job: Job): readonly Phase[] {
    const deps = { ...this.#deps, table: this.#table, shards: this.#deps.listShards() };
    switch (job.kind) {
      case "rebuild":
        return createRebuildPhases(deps);
      case "erase-issue":
        return createErasePhases(deps, job);
      case "erase-text":
        return createErasePhases(deps, { text: job.text }, job.id);
      case "erase-sessions":
        return createEraseSessionsPhases(deps, job.environment);
      case "preview-erasure":
        return createPreviewPhases(deps, job);
      case "erase-project":
        return createEraseProjectPhases(deps);
    }
  }
}

/** Jobs that make the index incomplete, and their phases in which it is complete again. */
const AVAILABLE_PHASES: ReadonlyMap<Job["kind"] | undefined, readonly string[]> = new Map([
  ["rebuild", ["flush", "titles", "source-maps"]],
  ["erase-project", ["delete"]],
]);

// Erases the session counters of an environment: in the chunks, then in the index, so that neither
// the index nor a rebuild counts them.

/** As many as an erasure processes in a step. */
const CHUNKS_PER_STEP = 20;

/** The phases of the erasure. */
function createEraseSessionsPhases(deps: EraseJobDeps, environment: string): readonly Phase[] {
  const { project, tables, table, objects } = deps;
  let firstDay: string | undefined;
  /** A chunk that was begun before midnight may have counters of the next day. */
  const getFirstChunkDay = () => {
    const day = tables.counters.findFirstSessionDay(environment);
    if (day === undefined) return "9";
    return toUtcDay(Date.parse(day) - DAY_MS);
  };
  return [
    ...createCollectPhases(deps, ({ hour }) => {
      firstDay ??= getFirstChunkDay();
      return hourToDay(hour) >= firstDay;
    }),
    {
      name: "chunks",
      async runStep({ done, logs }) {
        const keys = table.listNextKeys(CHUNKS_PER_STEP);
        if (keys.length === 0) return {};
        await forEachConcurrently(keys, async (jobKey) => {
          const { key, shard = "" } = jobKey;
          const parsed = isSkipped(jobKey, logs) ? null : parseChunkKey(project, key);
          if (parsed !== null)
            await objects.log(shard).eraseFromChunk(parsed, { sessionsOf: environment });
          table.removeKey(key);
        });
        return {
          cursor: "next",
          operations: keys.length,
          changes: { done: done + keys.length },
        };
      },
    },
    {
      name: "counters",
      async runStep() {
        tables.counters.removeSessions(environment);
        return {};
      },
    },
  ];
}

// Counts what an erasure of a text would change. It reads what the erasure would read.

/** Noted issues that one step deletes: some milliseconds of CPU. */
const ISSUES_PER_STEP = 1_000;

/** The phases of the preview of an erasure. */
function createPreviewPhases(
  deps: EraseJobDeps,
  { id, text }: { readonly id: string; readonly text: string },
): readonly Phase[] {
  const { project, tables, table, objects } = deps;
  const { erasures } = tables;
  const countInChunks: Phase = {
    name: "chunks",
    async runStep({ done, logs, found }) {
      const keys = table.listNextKeys(CHUNKS_PER_STEP);
      if (keys.length === 0) return {};
      let counts = addErasureCounts(found, {});
      await forEachConcurrently(keys, async (jobKey) => {
        const parsed = isSkipped(jobKey, logs) ? null : parseChunkKey(project, jobKey.key);
        if (parsed === null) return;
        const { digests, ...chunk } = await objects
          .log(jobKey.shard ?? "")
          .countMatches(parsed, text);
        counts = addErasureCounts(counts, chunk);
        erasures.addIssues(id, digests);
      });
      // Removed together with the new state, so that a repeated step counts each chunk once.
      for (const { key } of keys) table.removeKey(key);
      const changes = { done: done + keys.length, found: counts };
      return { cursor: "next", operations: keys.length, changes };
    },
  };
  return [
    ...createCollectPhases(deps, () => true),
    countInChunks,
    {
      name: "issues",
      async runStep({ cursor }) {
        const { digests, next } = listIssuesWithText(tables, text, cursor);
        erasures.addIssues(id, digests);
        return { cursor: next };
      },
    },
    {
      name: "triage",
      async runStep({ cursor, found }) {
        const { comments, next } = countComments(tables, text, cursor);
        return { cursor: next, changes: { found: addErasureCounts(found, { comments }) } };
      },
    },
    {
      name: "source-maps",
      async runStep({ cursor, found }) {
        const { uploads, next } = await objects.sourceMaps.findText(text, cursor);
        const changes = { found: addErasureCounts(found, { uploads }) };
        return { cursor: next, operations: 1, changes };
      },
    },
    {
      name: "result",
      async runStep({ cursor, found }) {
        if (cursor === undefined) erasures.saveFound(id, addErasureCounts(found, {}));
        return erasures.forgetIssues(id, ISSUES_PER_STEP) ? { cursor: "next" } : {};
      },
    },
  ];
}
