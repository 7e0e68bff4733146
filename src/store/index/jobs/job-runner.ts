/**
 * Runs jobs that take longer than a request, one after another. A job is a list of phases, and a
 * phase runs in steps of limited size. SQLite stores the state after each step, so a job continues
 * after a restart. The next run repeats a failed step.
 */
import { yieldToRequests } from "../../yield-to-requests.ts";
import type { Job, JobState, JobTable } from "./job-table.ts";

/**
 * A run is limited so that the object can serve requests. An invocation may make 1,000 subrequests
 * and take 30 s; a step makes at most 101.
 */
const MAX_RUN_MS = 10_000;
const MAX_OPERATIONS_PER_RUN = 300;

/** The result of one step of a phase. */
interface StepResult {
  /** Where the phase continues; absent after its last step. */
  readonly cursor?: string | undefined;
  /** Calls to KV and to other objects. */
  readonly operations?: number;
  /** Further changes of the state. */
  readonly changes?: Partial<Omit<JobState, "phase" | "cursor">>;
}

/**
 * A part of a job. A step may run again after a failure or a restart, so it is idempotent; its last
 * changes of the tables are stored together with its result.
 */
export interface Phase {
  readonly name: string;
  runStep(state: JobState): Promise<StepResult>;
}

export class JobRunner {
  readonly #table: JobTable;
  readonly #createPhases: (job: Job) => readonly Phase[];
  readonly #nowMs: () => number;

  constructor(table: JobTable, createPhases: (job: Job) => readonly Phase[], nowMs: () => number) {
    this.#table = table;
    this.#createPhases = createPhases;
    this.#nowMs = nowMs;
  }

  /**
   * Continues the current job; true if a job remains. Rejects if a step failed: the next run
   * continues there.
   */
  async runSome(): Promise<boolean> {
    const deadlineMs = this.#nowMs() + MAX_RUN_MS;
    let operations = 0;
    let phases: readonly Phase[] = [];
    for (let runningId: number | undefined; ; ) {
      const current = this.#table.getCurrent();
      if (current === undefined) return false;
      if (operations >= MAX_OPERATIONS_PER_RUN || this.#nowMs() >= deadlineMs) return true;
      if (current.id !== runningId) {
        phases = this.#createPhases(current.job);
        runningId = current.id;
      }
      const state = current.state ?? createState(phases);
      operations += await this.#runStep(current.id, phases, state);
      await yieldToRequests();
    }
  }

  async #runStep(id: number, phases: readonly Phase[], state: JobState): Promise<number> {
    const at = phases.findIndex(({ name }) => name === state.phase);
    const result = await phases[at]?.runStep(state);
    const { cursor: _, ...rest } = { ...state, ...result?.changes };
    const next = phases[at + 1];
    if (result?.cursor !== undefined) this.#table.saveState(id, { ...rest, cursor: result.cursor });
    else if (next === undefined) this.#table.remove(id);
    else this.#table.saveState(id, { ...rest, phase: next.name });
    return result?.operations ?? 0;
  }
}

function createState([first]: readonly Phase[]): JobState {
  return { phase: first?.name ?? "", done: 0, total: 0, logs: {}, lastChunks: {} };
}
