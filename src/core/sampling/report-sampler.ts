/**
 * Sampling: in a burst of one error every report is counted, but only some bodies are stored. A
 * rollup is one log line for many reports that are equal in everything that an issue counts by.
 * Each trust level has its own limits.
 */

import { limits } from "../limits.ts";
import type { Sha256 } from "../report/report-id.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { truncateText } from "../truncate.ts";
import type { Trust } from "../trust/trust.ts";
import { HOUR_MS } from "../utc-time.ts";
import { PublicBudget, type PublicUsage } from "./public-budget.ts";

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
 * True if the report can be counted without its body. People write feedback, and a trace may still
 * be linked to it.
 */
function canRollUp(summary: Omit<ReportSummary, "position">): boolean {
  return (
    summary.kind !== "feedback" &&
    summary.kind !== "notice" &&
    summary.traceId === undefined &&
    summary.pageTraceId === undefined
  );
}

/** The message of a public rollup only names its issue, if the rollup is its first line. */
const MAX_PUBLIC_MESSAGE_CHARS = 100;

/**
 * The summary that a rollup counts: without tags, which differ between reports, and without traces,
 * which belong to one page. A public summary has no URL, no grouping and a short message.
 */
export function toRollupSummary(
  summary: Omit<ReportSummary, "position">,
): Omit<ReportSummary, "position"> {
  const { tags: _tags, author: _author, ...untagged } = summary;
  const { traceId: _traceId, pageTraceId: _pageTraceId, ...rest } = untagged;
  if (rest.trust !== "public") return rest;
  const { url: _url, grouping: _grouping, message, ...short } = rest;
  return { ...short, message: truncateText(message, MAX_PUBLIC_MESSAGE_CHARS) };
}

/** Equal for reports that can share a rollup. */
export function createRollupKey(summary: Omit<ReportSummary, "position">): string {
  const {
    id: _id,
    atMs,
    url: _url,
    message: _message,
    author: _author,
    userSketch: _userSketch,
    networkSketch: _networkSketch,
    // All reports of a digest have the same.
    grouping: _grouping,
    otherErrors: _otherErrors,
    ...others
  } = summary;
  const { tags: _tags, blockedUri: _uri, traceId: _trace, pageTraceId: _page, ...rest } = others;
  return JSON.stringify([Math.floor(atMs / HOUR_MS), rest]);
}

interface SampleWindow {
  hour: number;
  storedCount: number;
  lastStoredMs: number;
}

/** Sampled issues at a time, per trust level. All bodies of other issues are stored. */
const MAX_ISSUES = 10_000;

/**
 * How a report is stored: with its `body`, in a rollup of its `issue`, or in a rollup of all
 * `other` anonymous reports.
 */
type SampleDecision = "body" | "issue" | "other";

/** The lines that a report would add to its batch. */
interface AddedLines {
  /** Characters of the report's own line. */
  readonly bodyChars: number;
  /** True if the batch has a rollup with this key, so that another report adds no line. */
  readonly hasRollup: (key: string) => boolean;
  readonly getRollupKey: () => string;
}

/**
 * Decides which bodies are stored, separately for trust levels, and for occurrences and linked
 * reports of an issue: per hour the first `limits.sampledReportsPerHour`, then one every
 * `limits.sampleIntervalMs`. So the stored reports include early, recent and intermediate ones.
 */
export class ReportSampler {
  /** Per level, so that invented issues do not displace others. */
  readonly #windows: Readonly<Record<Trust, Map<string, SampleWindow>>> = {
    server: new Map(),
    page: new Map(),
    public: new Map(),
  };
  readonly #publicBudget: PublicBudget;

  /** `usage`: the usage of public and page reports as stored before a restart. */
  constructor(sha256: Sha256, usage?: PublicUsage) {
    this.#publicBudget = new PublicBudget(sha256, usage);
  }

  /** The usage of public and page reports, if it is not stored yet. */
  get unsavedUsage(): PublicUsage | undefined {
    return this.#publicBudget.unsavedUsage;
  }

  /** Call when the usage is stored. */
  markSaved(usage: PublicUsage): void {
    this.#publicBudget.markSaved(usage);
  }

  /** True for the first occurrence of an issue within this hour, as seen by this shard. */
  isNew(summary: Pick<ReportSummary, "digest" | "isLinked" | "trust">, nowMs: number): boolean {
    const window = this.#windows[summary.trust].get(createSampleKey(summary));
    return !summary.isLinked && window?.hour !== Math.floor(nowMs / HOUR_MS);
  }

  /** Decides about a report and counts it. */
  decide(
    summary: Omit<ReportSummary, "position">,
    { bodyChars, hasRollup, getRollupKey }: AddedLines,
    nowMs: number,
  ): SampleDecision {
    const { trust, kind } = summary;
    const takesBody = this.#takeBody(summary, nowMs);
    if (trust === "server") return takesBody ? "body" : "issue";
    const budget = this.#publicBudget;
    const isFromPage = trust === "page";
    const hasRoom =
      takesBody &&
      (isFromPage
        ? budget.takePageBody(bodyChars, nowMs)
        : budget.takeBody(kind, bodyChars, nowMs));
    if (hasRoom) return "body";
    const rollupKey = getRollupKey();
    const lineChars = hasRollup(rollupKey) ? 0 : JSON.stringify(toRollupSummary(summary)).length;
    const hasRollupRoom = isFromPage
      ? budget.takePageRollup(lineChars, nowMs)
      : budget.takeRollup(rollupKey, lineChars, nowMs);
    return hasRollupRoom ? "issue" : "other";
  }

  /** True if the id of a report or counter that has no line is stored; counts it. */
  takeId(trust: Trust, nowMs: number): boolean {
    return trust === "server" || this.#publicBudget.takeId(trust, nowMs);
  }

  /** True if the body is one of those to store for its issue. Counts it as stored. */
  #takeBody(summary: Omit<ReportSummary, "position">, nowMs: number): boolean {
    const hour = Math.floor(nowMs / HOUR_MS);
    const windows = this.#windows[summary.trust];
    const key = createSampleKey(summary);
    let window = windows.get(key);
    if (window === undefined || window.hour !== hour) {
      window = { hour, storedCount: 0, lastStoredMs: nowMs };
      setWindow(windows, key, window);
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
}

function setWindow(windows: Map<string, SampleWindow>, key: string, window: SampleWindow): void {
  windows.delete(key);
  windows.set(key, window);
  if (windows.size <= MAX_ISSUES) return;
  for (const oldest of windows.keys()) {
    windows.delete(oldest);
    return;
  }
}
