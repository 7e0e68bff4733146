/**
 * Walks over what a project has in KV: tasks that take longer than a request, one after another, stop by stop. Where a walk was
 * is in the table, so it goes on after a restart; a stop that fails is tried again with the next step.
 */
import type { Task } from "./tasks.ts";
import type { Stop, WalkTable } from "./walk-table.ts";

/**
 * A step ends after so long, so that the object has other turns, or after so many stops: an invocation has 1,000 operations.
 */
const STEP_MS = 10_000;
const STOPS_PER_STEP = 400;
const STOPS_AT_ONCE = 20;

/** How one kind of task walks. Everything may be done twice: a step that failed begins again where it was. */
export interface Walker {
  /** Does what comes first, and puts what is to be visited into the table. */
  prepare(): Promise<void>;
  /** Visits some stops, the next ones in their order, and notes each in the table that was visited. */
  visit(stops: readonly Stop[]): Promise<void>;
  /** Does what comes last, if anything does. */
  finish?(): Promise<void>;
}

/** The walks of one project. */
export class Walks {
  readonly #table: WalkTable;
  readonly #walkerOf: (task: Task, id: number) => Walker;
  readonly #nowMs: () => number;

  constructor(table: WalkTable, walkerOf: (task: Task, id: number) => Walker, nowMs: () => number) {
    this.#table = table;
    this.#walkerOf = walkerOf;
    this.#nowMs = nowMs;
  }

  /** Goes on for a while. True when something is left to do. Rejects when a stop failed; the walk goes on from there. */
  async step(): Promise<boolean> {
    const first = this.#table.first();
    if (first === undefined) return false;
    const walker = this.#walkerOf(first.task, first.id);
    if (!first.isListed) {
      this.#table.clear();
      await walker.prepare();
      this.#table.listed(first.id);
    }
    const untilMs = this.#nowMs() + STEP_MS;
    let visited = 0;
    let stops = this.#table.next(STOPS_AT_ONCE);
    while (stops.length > 0 && visited < STOPS_PER_STEP && this.#nowMs() < untilMs) {
      await walker.visit(stops);
      visited += stops.length;
      stops = this.#table.next(STOPS_AT_ONCE);
    }
    if (stops.length > 0) return true;
    await walker.finish?.();
    this.#table.end(first.id);
    return this.#table.first() !== undefined;
  }
}
