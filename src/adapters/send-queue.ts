/**
 * Sends reports in batches. A failed batch is sent again once; what does not fit or fails again is
 * counted, and the next batch says how many. Nothing here throws, and nobody waits for it.
 */

import type { WireReport } from "./wire-report.ts";

/** Where and how a queue sends. */
export interface SendOptions {
  /** The URL with the key; undefined sends nothing. */
  readonly ingestUrl: string | undefined;
  /** Members of every batch. */
  readonly shared: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly nowMs: () => number;
}

const MAX_WAITING = 50;
const MAX_BATCH_CHARS = 400_000;
const TIMEOUT_MS = 2_000;
/** After a failed batch. Meanwhile an unreachable Errata costs nothing. */
const PAUSE_MS = 5_000;

interface Waiting {
  readonly report: WireReport;
  readonly isRetry: boolean;
}

/** The reports that are not sent yet. */
export class SendQueue {
  readonly #options: SendOptions;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #pausedUntilMs = 0;
  #unreported = 0;
  #lost = 0;

  constructor(options: SendOptions) {
    this.#options = options;
  }

  /** Reports that were not sent: too many at once, or Errata refused or missed them twice. */
  get lostCount(): number {
    return this.#lost;
  }

  /** Sends the report with all others of this turn. Drops the oldest report above the limit. */
  add(report: WireReport): void {
    this.#waiting.push({ report, isRetry: false });
    this.#dropOldest();
    this.#sending ??= this.#sendSoon();
  }

  /** Resolves when everything that can be sent is sent. Never rejects. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #sendSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.#sendAll();
    this.#sending = undefined;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && this.#options.nowMs() >= this.#pausedUntilMs) {
      const batch = this.#takeBatch();
      const dropped = this.#unreported;
      this.#unreported = 0;
      const isSent = await this.#send(
        batch.map(({ report }) => report),
        dropped,
      );
      if (isSent) continue;
      this.#unreported += dropped;
      this.#pausedUntilMs = this.#options.nowMs() + PAUSE_MS;
      this.#count(batch.filter(({ isRetry }) => isRetry).length);
      const again = batch.filter(({ isRetry }) => !isRetry);
      this.#waiting.unshift(...again.map(({ report }) => ({ report, isRetry: true })));
      this.#dropOldest();
    }
  }

  /** As many reports as fit into a request, at least one. */
  #takeBatch(): readonly Waiting[] {
    let chars = 0;
    const end = this.#waiting.findIndex(({ report }) => {
      const isFirst = chars === 0;
      chars += JSON.stringify(report).length;
      return !isFirst && chars > MAX_BATCH_CHARS;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** False if Errata did not answer, or asks for a pause. A refused batch is lost: it stays wrong. */
  async #send(reports: readonly WireReport[], dropped: number): Promise<boolean> {
    const { ingestUrl, shared } = this.#options;
    if (ingestUrl === undefined) return true;
    try {
      const response = await this.#options.fetch(ingestUrl, {
        method: "POST",
        body: JSON.stringify({
          errata: 1,
          ...shared,
          ...(dropped > 0 && { dropped }),
          reports,
        }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 429 || response.status >= 500) return false;
      if (!response.ok) this.#count(reports.length);
      return true;
    } catch {
      return false;
    }
  }

  #dropOldest(): void {
    const excess = this.#waiting.length - MAX_WAITING;
    if (excess > 0) this.#count(this.#waiting.splice(0, excess).length);
  }

  #count(lost: number): void {
    this.#lost += lost;
    this.#unreported += lost;
  }
}
