/**
 * When a shard writes reports that arrive. Under load it waits for a few more requests, because a
 * row of the log costs the same with one report as with many. Otherwise it writes at once.
 */

/** After this time without a commit, a call is written immediately. */
const PAUSE_MS = 20;
/** At this rate or a higher one, requests share rows. */
const LOAD_REQUESTS = 70;
/** Requests that share a row under load. */
const REQUESTS_PER_ROW = 5;
const MAX_WAIT_MS = 50;
/** A batch of this size does not wait: further requests would save little. */
const FULL_BATCH_REQUESTS = 10;
const SECOND_MS = 1_000;

/** The next commit of one shard: at once after a pause, otherwise after the wait of its load. */
export class CommitTimer {
  readonly #commit: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The wait that the timer was set for. */
  #timerMs = 0;
  /** The weighted number of requests of about the last second. A call may bring several. */
  #requests = 0;
  /** The requests since the last commit. */
  #gathered = 0;
  #calledMs = 0;
  #committedMs = Number.NEGATIVE_INFINITY;

  constructor(commit: () => void) {
    this.#commit = commit;
  }

  /** Counts the requests of a call. */
  onCall(nowMs: number, requests: number): void {
    const weight = Math.exp((this.#calledMs - nowMs) / SECOND_MS);
    this.#requests = this.#requests * weight + requests;
    this.#gathered += requests;
    this.#calledMs = nowMs;
  }

  /** Commits now or later, for a batch that is not empty. */
  schedule(nowMs: number): void {
    const waitMs = this.getWaitMs(nowMs);
    // A batch that has become full waits less than its first call had to.
    if (this.#timer !== undefined && (waitMs !== 0 || this.#timerMs === 0)) return;
    clearTimeout(this.#timer);
    if (waitMs === null) {
      this.#commit();
      return;
    }
    this.#timerMs = waitMs;
    this.#timer = setTimeout(this.#commit, waitMs);
  }

  /** Call with each commit. */
  onCommit(nowMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = 0;
    this.#committedMs = nowMs;
  }

  /**
   * How long the commit of the last call may wait for others, in ms; null if it must not wait. 0
   * waits for the other requests of the same turn of the event loop.
   */
  getWaitMs(nowMs: number): number | null {
    if (this.#requests >= LOAD_REQUESTS) {
      if (this.#gathered >= FULL_BATCH_REQUESTS) return 0;
      return Math.min((REQUESTS_PER_ROW * SECOND_MS) / this.#requests, MAX_WAIT_MS);
    }
    return nowMs - this.#committedMs >= PAUSE_MS ? null : 0;
  }
}
