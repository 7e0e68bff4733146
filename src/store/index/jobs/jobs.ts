/**
 * What goes on over a whole project, in the object of its index: it is made anew, or something is erased from all of it. Tasks
 * go on behind the answer and over restarts, one after another.
 */
import type { Bindings } from "../../../config.ts";
import { chunkPrefix, decisionPrefix, issuePrefix } from "../../kv/keys.ts";
import type { Job } from "../../rpc/job.ts";
import type { ProjectStubs } from "../../rpc/stubs.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { ProjectState } from "../state/project-state.ts";
import { EraseMatchingJob, EraseProjectJob } from "./erase-job.ts";
import { type JobHandler, JobRunner } from "./job-runner.ts";
import { JobTable } from "./job-table.ts";
import { RebuildJob } from "./rebuild-job.ts";

const KV_TIMEOUT_MS = 5_000;
const RETRY_MS = 2_000;

/** What one index works with. */
export interface ProjectJobsDeps {
  readonly project: string;
  readonly storage: DurableObjectStorage;
  readonly state: ProjectState;
  readonly kv: () => Bindings["KV"];
  readonly stubs: () => ProjectStubs;
  readonly listShards: () => readonly string[];
  readonly nowMs: () => number;
  /** Is told what is no longer in KV as it is here. */
  readonly onDirty: (changes: DirtyKeys) => void;
  /** Resolves when no snapshot is on its way into KV. */
  readonly waitForSnapshots: () => Promise<void>;
  /** Everything that waited is done. */
  readonly onIdle: () => Promise<void>;
}

/** The work over one project. */
export class ProjectJobs {
  readonly #deps: ProjectJobsDeps;
  readonly #table: JobTable;
  readonly #runner: JobRunner;
  #running: Promise<void> | null = null;

  constructor(deps: ProjectJobsDeps) {
    this.#deps = deps;
    this.#table = new JobTable(deps.storage);
    this.#runner = new JobRunner(
      this.#table,
      (job, id) => this.#createHandler(job, id),
      deps.nowMs,
    );
  }

  /** True while there is something to do. */
  get hasJobs(): boolean {
    return this.#table.getCurrent() !== undefined;
  }

  /** True while nothing that the ledger says is to be believed, and nothing may be counted in it. */
  get isRebuilding(): boolean {
    const first = this.#table.getCurrent();
    if (first?.job.kind === "erase-project") return !first.isPlanned;
    return first?.job.kind === "rebuild" && first.job.isArchiveApplied === undefined;
  }

  /** True while a log hands over once more what it holds: a delta that was sent before that is not to be counted. */
  get isReplayingLogs(): boolean {
    return this.#table.getCurrent()?.job.kind === "rebuild";
  }

  /** True while what the ledger says must not stand in KV. */
  get blocksSnapshots(): boolean {
    const kind = this.#table.getCurrent()?.job.kind;
    return kind === "rebuild" || kind === "erase-project";
  }

  /** Which task is under way, how many wait with it, and how many stops it has before it; undefined when there is none. */
  getProgress(): { task: string; tasks: number; stops: number } | undefined {
    const job = this.#table.getCurrent()?.job.kind;
    return job === undefined ? undefined : { task: job, ...this.#table.countRemaining() };
  }

  /** Puts a task behind the others. */
  enqueue(job: Job): void {
    this.#table.enqueue(job);
  }

  /**
   * For a ledger without a memory: of a project that begins, or of one that has lost its storage. If KV has something of it, it
   * is to be made anew before anything is written over what is there. While KV cannot say, the next start asks again.
   */
  async detectLostState(): Promise<void> {
    const { project, state, kv } = this.#deps;
    try {
      const prefixes = [chunkPrefix(project), issuePrefix(project), decisionPrefix(project)];
      const lists = prefixes.map((prefix) => kv().list({ prefix, limit: 1 }));
      const pages = await withTimeout(Promise.all(lists), KV_TIMEOUT_MS);
      state.markInitialized();
      if (pages.some(({ keys }) => keys.length > 0)) this.enqueue({ kind: "rebuild" });
    } catch (error) {
      console.warn("index: KV does not say whether there is a record", String(error));
    }
  }

  /** Goes on with the tasks by one step; the alarm goes on with what is left. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runNext().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #runNext(): Promise<void> {
    if (!this.hasJobs) return;
    const { storage, nowMs, onIdle } = this.#deps;
    await storage.setAlarm(nowMs() + RETRY_MS);
    try {
      const hasMore = await this.#runner.runSome();
      if (hasMore) await storage.setAlarm(nowMs());
      else await onIdle();
    } catch (error) {
      console.warn("index: a task goes on later", String(error));
      await storage.setAlarm(nowMs() + RETRY_MS);
    }
  }

  #createHandler(job: Job, id: number): JobHandler {
    const { stubs, listShards, ...rest } = this.#deps;
    const deps = {
      ...rest,
      table: this.#table,
      log: (shard: string) => stubs().log(shard),
      shards: listShards(),
      onArchiveApplied: () => this.#table.replace(id, { kind: "rebuild", isArchiveApplied: true }),
    };
    switch (job.kind) {
      case "rebuild":
        return new RebuildJob(deps);
      case "erase-issue":
        return new EraseMatchingJob(deps, job);
      case "erase-text":
        return new EraseMatchingJob(deps, { text: job.text });
      case "erase-project":
        return new EraseProjectJob(deps);
    }
  }
}
