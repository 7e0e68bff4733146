/**
 * Sampling: in a burst of one error every report is counted, but only some bodies are stored. A
 * rollup is one log line for many reports that differ in nothing an issue counts by.
 */

import { limits } from "../limits.ts";
import type { ReportSummary } from "../report/report-summary.ts";

/**
 * A summary without position and tags (which differ between reports), and the number of reports.
 */
export interface Rollup {
  readonly summary: Omit<ReportSummary, "position" | "tags">;
  readonly occurrences: number;
  /** Time of the last report, ms; the first is at `summary.atMs`. */
  readonly lastAtMs: number;
}

/** Samples occurrences and linked reports separately. */
function createSampleKey({ digest, isLinked }: Pick<ReportSummary, "digest" | "isLinked">): string {
  return isLinked ? `${digest} linked` : digest;
}

/**
 * True if the report can be counted without its body. Feedback is written by a person, and a trace
 * may still be linked to it.
 */
function canRollUp(summary: Omit<ReportSummary, "position">): boolean {
  return (
    summary.kind !== "feedback" &&
    summary.kind !== "notice" &&
    summary.traceId === undefined &&
    summary.pageTraceId === undefined
  );
}

const HOUR_MS = 3_600_000;

/** Equal for reports that can share a rollup. */
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

/** Sampled issues at a time. All bodies of other issues are stored. */
const MAX_ISSUES = 10_000;

/**
 * Decides which bodies are stored, separately for occurrences and linked reports of an issue: per
 * hour the first `limits.sampledReportsPerHour`, then one every `limits.sampleIntervalMs`. So there
 * is always an early, a recent and some in between.
 */
export class ReportSampler {
  readonly #windows = new Map<string, SampleWindow>();

  /** True for the first occurrence of an issue within this hour, as seen by this shard. */
  isNew(summary: Pick<ReportSummary, "digest" | "isLinked">, nowMs: number): boolean {
    return (
      !summary.isLinked &&
      this.#windows.get(createSampleKey(summary))?.hour !== Math.floor(nowMs / HOUR_MS)
    );
  }

  /** True if the body is to be stored. Counts it as stored. */
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
