/**
 * The hourly budgets of one shard for public and page reports. Without them, a stranger could send
 * endless invented errors, each the first of its issue. Bounded memory. The usage is stored with
 * each batch, so a restart does not reset the hour; it only loses the known rollup keys.
 */

import { limits } from "../limits.ts";
import type { Sha256 } from "../report/report-id.ts";
import type { ReportKind } from "../report.ts";
import { HOUR_MS } from "../utc-time.ts";

/** The usage of public and page reports in one hour. People write feedback and cause notices. */
export interface PublicUsage {
  /** Hours since 1970. */
  readonly hour: number;
  readonly reportBodies: number;
  readonly reportChars: number;
  readonly personBodies: number;
  readonly personChars: number;
  readonly pageBodies: number;
  readonly pageChars: number;
  /** Characters of the lines of rollups of public reports, and of page reports. */
  readonly rollupChars: number;
  readonly pageRollupChars: number;
  /** Ids that have no line, of public reports and of page reports. */
  readonly ids: number;
  readonly pageIds: number;
}

function startUsage(hour: number): PublicUsage {
  const counts = { reportBodies: 0, reportChars: 0, personBodies: 0, personChars: 0 };
  const rollups = { rollupChars: 0, pageRollupChars: 0, ids: 0, pageIds: 0 };
  return { hour, ...counts, pageBodies: 0, pageChars: 0, ...rollups };
}

/** The budgets of the current hour. */
export class PublicBudget {
  #usage: PublicUsage;
  #savedUsage: PublicUsage;
  readonly #sha256: Sha256;
  /** Hashes of keys: a key has up to 2,000 characters, most of which its sender chooses. */
  readonly #rollupKeys = new Set<number>();

  /** `usage`: as stored before a restart. */
  constructor(sha256: Sha256, usage = startUsage(-1)) {
    this.#sha256 = sha256;
    this.#usage = usage;
    this.#savedUsage = usage;
  }

  /** The usage, if it is not stored yet. */
  get unsavedUsage(): PublicUsage | undefined {
    return this.#usage === this.#savedUsage ? undefined : this.#usage;
  }

  /** Call when the usage is stored. */
  markSaved(usage: PublicUsage): void {
    this.#savedUsage = usage;
  }

  /**
   * True if the body of a public report, of `chars` characters, may be stored; counts it. Feedback
   * and notices have a separate budget, so that invented errors cannot use it up.
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

  /**
   * True if the body of a page report of any kind, of `chars` characters, may be stored; counts it.
   */
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
   * True if a rollup of public reports with this key may be written: the key is known in this hour
   * or there is room for it, and there is room for a line of `lineChars` (0 if the batch has the
   * line already).
   */
  takeRollup(key: string, lineChars: number, nowMs: number): boolean {
    this.#startHour(nowMs);
    const rollupChars = this.#usage.rollupChars + lineChars;
    if (rollupChars > limits.maxPublicRollupLineChars || !this.#takeKey(key)) return false;
    if (lineChars > 0) this.#usage = { ...this.#usage, rollupChars };
    return true;
  }

  /**
   * True if a rollup of page reports may be written: there is room for a line of `lineChars`. The
   * number of their keys is not limited.
   */
  takePageRollup(lineChars: number, nowMs: number): boolean {
    this.#startHour(nowMs);
    const pageRollupChars = this.#usage.pageRollupChars + lineChars;
    if (pageRollupChars > limits.maxPageRollupLineChars) return false;
    if (lineChars > 0) this.#usage = { ...this.#usage, pageRollupChars };
    return true;
  }

  /** True if an id of this level that has no line may be stored; counts it. */
  takeId(trust: "public" | "page", nowMs: number): boolean {
    this.#startHour(nowMs);
    const { ids, pageIds } = this.#usage;
    const isPublic = trust === "public";
    if (isPublic ? ids >= limits.maxPublicIdsPerHour : pageIds >= limits.maxPageIdsPerHour)
      return false;
    this.#usage = { ...this.#usage, ...(isPublic ? { ids: ids + 1 } : { pageIds: pageIds + 1 }) };
    return true;
  }

  #takeKey(key: string): boolean {
    const keyHash = this.#sha256(key)
      .subarray(0, 6)
      .reduce((sum, byte) => sum * 256 + byte, 0);
    if (this.#rollupKeys.has(keyHash)) return true;
    if (this.#rollupKeys.size >= limits.maxPublicRollupsPerHour) return false;
    this.#rollupKeys.add(keyHash);
    return true;
  }

  #startHour(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#usage.hour) return;
    this.#usage = startUsage(hour);
    this.#rollupKeys.clear();
  }
}
