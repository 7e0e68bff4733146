/**
 * Sums: in a storm of one fault every report is counted, and the bodies of only some are kept. A sum is one line of the log
 * that stands for many reports which differ in nothing that an issue counts by.
 */
import type { Mark } from "./issue.ts";
import { limits } from "./limits.ts";

/** A mark without its place and tags (which may differ with every report), and how many reports it stands for. */
export interface Sum {
  readonly mark: Omit<Mark, "position" | "tags">;
  readonly times: number;
  /** The last of them happened then, ms; the first at `mark.atMs`. */
  readonly untilMs: number;
}

/** Occurrences and linked reports of an issue do not take each other's places. */
function keyOf({ digest, linked }: Pick<Mark, "digest" | "linked">): string {
  return linked ? `${digest} linked` : digest;
}

/** True for a report that may be counted without its body: nobody wrote it, and no page waits to be linked to it. */
function isSummable(mark: Omit<Mark, "position">): boolean {
  return (
    mark.kind !== "feedback" &&
    mark.kind !== "notice" &&
    mark.trace === undefined &&
    mark.pageTrace === undefined
  );
}

const HOUR_MS = 3_600_000;

/** Equal for reports that one sum can stand for. */
export function sumKey(mark: Omit<Mark, "position">): string {
  const { id: _id, atMs, url: _url, message: _message, visitors: _visitors, ...others } = mark;
  const { tags: _tags, blocked: _blocked, ...same } = others;
  return JSON.stringify([Math.floor(atMs / HOUR_MS), same]);
}

interface Kept {
  hour: number;
  bodies: number;
  lastMs: number;
}

/** Issues that are watched at a time; of the others every body is kept. */
const MAX_ISSUES = 10_000;

/**
 * Which bodies are kept of an issue, of its occurrences and of its linked reports: within an hour the first
 * `limits.bodiesKeptAtOnce`, then one every `limits.bodiesKeptEveryMs`, so that there are always an early one, a recent one,
 * and some between.
 */
export class Sampling {
  readonly #issues = new Map<string, Kept>();

  /** True for the first occurrence of an issue in this hour, as far as this shard has seen. */
  isNew(mark: Pick<Mark, "digest" | "linked">, nowMs: number): boolean {
    return !mark.linked && this.#issues.get(keyOf(mark))?.hour !== Math.floor(nowMs / HOUR_MS);
  }

  /** True when the body of this report is to be kept; it is taken as kept then. */
  keeps(mark: Omit<Mark, "position">, nowMs: number): boolean {
    const hour = Math.floor(nowMs / HOUR_MS);
    let kept = this.#issues.get(keyOf(mark));
    if (kept === undefined || kept.hour !== hour) {
      kept = { hour, bodies: 0, lastMs: nowMs };
      this.#remember(keyOf(mark), kept);
    }
    const isKept =
      !isSummable(mark) ||
      kept.bodies < limits.bodiesKeptAtOnce ||
      nowMs - kept.lastMs >= limits.bodiesKeptEveryMs;
    if (!isKept) return false;
    kept.bodies += 1;
    kept.lastMs = nowMs;
    return true;
  }

  #remember(key: string, kept: Kept): void {
    this.#issues.delete(key);
    this.#issues.set(key, kept);
    if (this.#issues.size <= MAX_ISSUES) return;
    for (const oldest of this.#issues.keys()) {
      this.#issues.delete(oldest);
      return;
    }
  }
}
