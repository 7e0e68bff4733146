/**
 * Runs jobs that take longer than a request, one after another, step by step. The progress is in
 * SQLite, so that a job continues after a restart; a failed step is retried in the next run.
 */
import type { Job } from "../../rpc/job.ts";
import type { JobStep, JobTable } from "./job-table.ts";

/**
 * A run is limited so that the object can serve requests, and because an invocation may make 1,000
 * subrequests.
 */
const MAX_RUN_MS = 10_000;
const MAX_STEPS_PER_RUN = 400;
const STEPS_PER_BATCH = 20;

/** One kind of job. Every method may run again after a failure, so all of them are idempotent. */
export interface JobHandler {
  /** Prepares the job and adds its steps to the table. */
  prepare(): Promise<void>;
  /** Runs the next steps and removes each finished one from the table. */
  runSteps(steps: readonly JobStep[]): Promise<void>;
  /** Runs after the last step. */
  finish?(): Promise<void>;
}

export class JobRunner {
  readonly #table: JobTable;
  readonly #createHandler: (job: Job, id: number) => JobHandler;
  readonly #nowMs: () => number;

  constructor(
    table: JobTable,
    createHandler: (job: Job, id: number) => JobHandler,
    nowMs: () => number,
  ) {
    this.#table = table;
    this.#createHandler = createHandler;
    this.#nowMs = nowMs;
  }

  /**
   * Continues the current job; true if a job remains. Rejects if a step failed: the next run
   * continues there.
   */
  async runSome(): Promise<boolean> {
    const current = this.#table.getCurrent();
    if (current === undefined) return false;
    const handler = this.#createHandler(current.job, current.id);
    if (!current.isPlanned) {
      this.#table.clearSteps();
      await handler.prepare();
      this.#table.markPlanned(current.id);
    }
    const deadlineMs = this.#nowMs() + MAX_RUN_MS;
    let finishedSteps = 0;
    let steps = this.#table.listNextSteps(STEPS_PER_BATCH);
    while (steps.length > 0 && finishedSteps < MAX_STEPS_PER_RUN && this.#nowMs() < deadlineMs) {
      await handler.runSteps(steps);
      finishedSteps += steps.length;
      steps = this.#table.listNextSteps(STEPS_PER_BATCH);
    }
    if (steps.length > 0) return true;
    await handler.finish?.();
    this.#table.remove(current.id);
    return this.#table.getCurrent() !== undefined;
  }
}
