/**
 * Sums: in a storm of one fault every report is counted, and the bodies of only some are kept. A sum is one line of the log
 * that stands for many reports which differ in nothing that an issue counts by.
 */

import { limits } from "../limits.ts";
import type { ReportSummary } from "../report/report-summary.ts";

/** A mark without its place and tags (which may differ with every report), and how many reports it stands for. */
export interface Rollup {
  readonly summary: Omit<ReportSummary, "position" | "tags">;
  readonly occurrences: number;
  /** The last of them happened then, ms; the first at `mark.atMs`. */
  readonly lastAtMs: number;
}

/** Occurrences and linked reports of an issue do not take each other's places. */
function createSampleKey({ digest, isLinked }: Pick<ReportSummary, "digest" | "isLinked">): string {
  return isLinked ? `${digest} linked` : digest;
}

/** True for a report that may be counted without its body: nobody wrote it, and no page waits to be linked to it. */
function canRollUp(summary: Omit<ReportSummary, "position">): boolean {
  return (
    summary.kind !== "feedback" &&
    summary.kind !== "notice" &&
    summary.traceId === undefined &&
    summary.pageTraceId === undefined
  );
}

const HOUR_MS = 3_600_000;

/** Equal for reports that one sum can stand for. */
export function createRollupKey(summary: Omit<ReportSummary, "position">): string {
  const {
    id: _id,
    atMs,
    url: _url,
    message: _message,
    userSketch: _userSketch,
    ...others
  } = summary;
  const { tags: _tags, blockedUri: _blockedUri, ...rest } = others;
  return JSON.stringify([Math.floor(atMs / HOUR_MS), rest]);
}

interface SampleWindow {
  hour: number;
  storedCount: number;
  lastStoredMs: number;
}

/** Issues that are watched at a time; of the others every body is kept. */
const MAX_ISSUES = 10_000;

/**
 * Which bodies are kept of an issue, of its occurrences and of its linked reports: within an hour the first
 * `limits.bodiesKeptAtOnce`, then one every `limits.bodiesKeptEveryMs`, so that there are always an early one, a recent one,
 * and some between.
 */
export class ReportSampler {
  readonly #windows = new Map<string, SampleWindow>();

  /** True for the first occurrence of an issue in this hour, as far as this shard has seen. */
  isNew(summary: Pick<ReportSummary, "digest" | "isLinked">, nowMs: number): boolean {
    return (
      !summary.isLinked &&
      this.#windows.get(createSampleKey(summary))?.hour !== Math.floor(nowMs / HOUR_MS)
    );
  }

  /** True when the body of this report is to be kept; it is taken as kept then. */
  shouldStore(summary: Omit<ReportSummary, "position">, nowMs: number): boolean {
    const hour = Math.floor(nowMs / HOUR_MS);
    let window = this.#windows.get(createSampleKey(summary));
    if (window === undefined || window.hour !== hour) {
      window = { hour, storedCount: 0, lastStoredMs: nowMs };
      this.#setWindow(createSampleKey(summary), window);
    }
    const shouldStore =
      !canRollUp(summary) ||
      window.storedCount < limits.sampledReportsPerHour ||
      nowMs - window.lastStoredMs >= limits.sampleIntervalMs;
    if (!shouldStore) return false;
    window.storedCount += 1;
    window.lastStoredMs = nowMs;
    return true;
  }

  #setWindow(key: string, window: SampleWindow): void {
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size <= MAX_ISSUES) return;
    for (const oldest of this.#windows.keys()) {
      this.#windows.delete(oldest);
      return;
    }
  }
}
