/**
 * The hourly budgets of one shard for public reports, and for the bodies of page reports: a
 * stranger can send any number of invented errors, and each would be the first of its issue.
 * Bounded memory. The usage is stored with each batch, so that a restart does not begin the hour
 * again; only the known rollup keys are lost.
 */

import { limits } from "../limits.ts";
import type { ReportKind } from "../report.ts";

const HOUR_MS = 3_600_000;

/**
 * The usage of public reports and of page reports in one hour. Feedback and notices are reports of
 * people.
 */
export interface PublicUsage {
  /** Hours since 1970. */
  readonly hour: number;
  readonly reportBodies: number;
  readonly reportChars: number;
  readonly personBodies: number;
  readonly personChars: number;
  readonly pageBodies: number;
  readonly pageChars: number;
  /** Characters of the lines of rollups. */
  readonly rollupChars: number;
}

function startUsage(hour: number): PublicUsage {
  const counts = { reportBodies: 0, reportChars: 0, personBodies: 0, personChars: 0 };
  return { hour, ...counts, pageBodies: 0, pageChars: 0, rollupChars: 0 };
}

/** The budgets of the current hour. */
export class PublicBudget {
  #usage: PublicUsage;
  #savedUsage: PublicUsage;
  readonly #rollupKeys = new Set<string>();
  #keyChars = 0;

  /** `usage`: as stored before a restart. */
  constructor(usage = startUsage(-1)) {
    this.#usage = usage;
    this.#savedUsage = usage;
  }

  /** The usage if it is not stored yet. */
  get unsavedUsage(): PublicUsage | undefined {
    return this.#usage === this.#savedUsage ? undefined : this.#usage;
  }

  /** The usage is stored. */
  markSaved(usage: PublicUsage): void {
    this.#savedUsage = usage;
  }

  /**
   * True if the body of a public report, of `chars` characters, may be stored; counts it. Feedback
   * and notices have a budget of their own, so that invented errors cannot use it up.
   */
  takeBody(kind: ReportKind, chars: number, nowMs: number): boolean {
    this.#startHour(nowMs);
    const isByPerson = kind === "feedback" || kind === "notice";
    const { reportBodies, reportChars, personBodies, personChars } = this.#usage;
    const bodies = (isByPerson ? personBodies : reportBodies) + 1;
    const allChars = (isByPerson ? personChars : reportChars) + chars;
    if (bodies > limits.maxPublicBodiesPerHour || allChars > limits.maxPublicBodyCharsPerHour)
      return false;
    const used = isByPerson
      ? { personBodies: bodies, personChars: allChars }
      : { reportBodies: bodies, reportChars: allChars };
    this.#usage = { ...this.#usage, ...used };
    return true;
  }

  /** The same for a page report of any kind. */
  takePageBody(chars: number, nowMs: number): boolean {
    this.#startHour(nowMs);
    const pageBodies = this.#usage.pageBodies + 1;
    const pageChars = this.#usage.pageChars + chars;
    if (pageBodies > limits.maxPageBodiesPerHour || pageChars > limits.maxPageBodyCharsPerHour)
      return false;
    this.#usage = { ...this.#usage, pageBodies, pageChars };
    return true;
  }

  /**
   * True if a rollup with this key may be written: it is known in this hour, or there is room; and
   * there is room for a line of `lineChars`, which is 0 if the batch has the line already.
   */
  takeRollup(key: string, lineChars: number, nowMs: number): boolean {
    this.#startHour(nowMs);
    const rollupChars = this.#usage.rollupChars + lineChars;
    if (rollupChars > limits.maxPublicRollupLineChars || !this.#takeKey(key)) return false;
    if (lineChars > 0) this.#usage = { ...this.#usage, rollupChars };
    return true;
  }

  #takeKey(key: string): boolean {
    if (this.#rollupKeys.has(key)) return true;
    const isFull =
      this.#rollupKeys.size >= limits.maxPublicRollupsPerHour ||
      this.#keyChars + key.length > limits.maxPublicRollupChars;
    if (isFull) return false;
    this.#rollupKeys.add(key);
    this.#keyChars += key.length;
    return true;
  }

  #startHour(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#usage.hour) return;
    this.#usage = startUsage(hour);
    this.#rollupKeys.clear();
    this.#keyChars = 0;
  }
}
