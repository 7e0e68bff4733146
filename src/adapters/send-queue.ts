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

/** A request that is not sent yet. */
export interface UnsentRequest {
  readonly url: string;
  readonly body: string;
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
  /** The batch whose response has not arrived. */
  #inFlight: readonly WireReport[] = [];
  #sending: Promise<void> | undefined;
  readonly #separate = new Set<Promise<void>>();
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

  /**
   * Sends the report at once, with all that wait. For runtimes in which a request must not wait for
   * what another one does: the promise is of this call alone. Never rejects.
   */
  sendNow(report: WireReport): Promise<void> {
    this.#waiting.push({ report, isRetry: false });
    this.#dropOldest();
    const sending = Promise.resolve()
      .then(() => this.#sendAll())
      .finally(() => this.#separate.delete(sending));
    this.#separate.add(sending);
    return sending;
  }

  /** Resolves when everything that can be sent is sent. Never rejects. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined || this.#separate.size > 0)
      await Promise.all([this.#sending, ...this.#separate]);
  }

  /**
   * Takes the reports that are not known to have arrived, as one request. For a process that ends
   * before it can wait. Errata counts a report once that arrives twice.
   */
  takeRequest(): UnsentRequest | undefined {
    const { ingestUrl } = this.#options;
    const reports = [...this.#inFlight, ...this.#waiting.map(({ report }) => report)];
    if (ingestUrl === undefined || reports.length === 0) return undefined;
    this.#inFlight = [];
    this.#waiting = [];
    return { url: ingestUrl, body: this.#createBody(reports, 0) };
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
      this.#sendAfterPause();
    }
  }

  /** Without a further failure nothing else would send what waits. Keeps no process alive. */
  #sendAfterPause(): void {
    const timer: unknown = setTimeout(() => {
      if (this.#waiting.length > 0) this.#sending ??= this.#sendSoon();
    }, PAUSE_MS);
    if (typeof timer === "object") (timer as { unref?: () => void }).unref?.();
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
    const { ingestUrl } = this.#options;
    if (ingestUrl === undefined) return true;
    this.#inFlight = reports;
    try {
      const response = await this.#options.fetch(ingestUrl, {
        method: "POST",
        body: this.#createBody(reports, dropped),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 429 || response.status >= 500) return false;
      if (!response.ok) this.#count(reports.length);
      return true;
    } catch {
      return false;
    } finally {
      this.#inFlight = [];
    }
  }

  #createBody(reports: readonly WireReport[], dropped: number): string {
    const counts = dropped > 0 ? { dropped } : {};
    return JSON.stringify({ errata: 1, ...this.#options.shared, ...counts, reports });
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
