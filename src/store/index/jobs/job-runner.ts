/**
 * Walks over what a project has in KV: tasks that take longer than a request, one after another, stop by stop. Where a walk was
 * is in the table, so it goes on after a restart; a stop that fails is tried again with the next step.
 */
import type { Job } from "../../rpc/job.ts";
import type { JobStep, JobTable } from "./job-table.ts";

/**
 * A step ends after so long, so that the object has other turns, or after so many stops: an invocation has 1,000 operations.
 */
const MAX_RUN_MS = 10_000;
const MAX_STEPS_PER_RUN = 400;
const STEPS_PER_BATCH = 20;

/** How one kind of task walks. Everything may be done twice: a step that failed begins again where it was. */
export interface JobHandler {
  /** Does what comes first, and puts what is to be visited into the table. */
  prepare(): Promise<void>;
  /** Visits some stops, the next ones in their order, and notes each in the table that was visited. */
  runSteps(steps: readonly JobStep[]): Promise<void>;
  /** Does what comes last, if anything does. */
  finish?(): Promise<void>;
}

/** The walks of one project. */
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

  /** Goes on for a while. True when something is left to do. Rejects when a stop failed; the walk goes on from there. */
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
