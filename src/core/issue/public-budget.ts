/**
 * The hourly budgets of one shard for public reports: a stranger can send any number of invented
 * errors, and each would be the first of its issue. Bounded memory.
 */

import { limits } from "../limits.ts";
import type { ReportKind } from "../report.ts";

const HOUR_MS = 3_600_000;

/** The budgets of the current hour. */
export class PublicBudget {
  #hour = -1;
  #reportBodies = 0;
  #personBodies = 0;
  readonly #rollupKeys = new Set<string>();
  #rollupChars = 0;

  /**
   * True if a body may be stored; counts it. Feedback and notices have a budget of their own, so
   * that invented errors cannot use it up.
   */
  takeBody(kind: ReportKind, nowMs: number): boolean {
    this.#startHour(nowMs);
    const isByPerson = kind === "feedback" || kind === "notice";
    const taken = isByPerson ? this.#personBodies++ : this.#reportBodies++;
    return taken < limits.maxPublicBodiesPerHour;
  }

  /** True if a rollup with this key may be written: it is known in this hour, or there is room. */
  takeRollup(key: string, nowMs: number): boolean {
    this.#startHour(nowMs);
    if (this.#rollupKeys.has(key)) return true;
    const isFull =
      this.#rollupKeys.size >= limits.maxPublicRollupsPerHour ||
      this.#rollupChars + key.length > limits.maxPublicRollupChars;
    if (isFull) return false;
    this.#rollupKeys.add(key);
    this.#rollupChars += key.length;
    return true;
  }

  #startHour(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#reportBodies = 0;
    this.#personBodies = 0;
    this.#rollupKeys.clear();
    this.#rollupChars = 0;
  }
}
