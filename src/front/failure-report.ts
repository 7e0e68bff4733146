/**
 * Reports the failures that the front sees, with the server key, after the response. A report that
 * cannot be sent is counted, and the next one says how many were lost. Nothing here throws.
 */

import type { Dsn } from "../adapters/dsn.ts";
import { createWireReport, type WireReport } from "../adapters/wire-report.ts";
import { toHex } from "../core/hex.ts";
import type { SeenFailure } from "./failure-seen.ts";

/** The failed request, and its answer. */
export interface FailedRequest {
  readonly request: Pick<Request, "method" | "url" | "headers">;
  readonly response: Pick<Response, "status" | "headers">;
  /** The route that the path stands for: `/cart/*`. */
  readonly route: string;
  readonly trace: string;
  readonly nowMs: number;
}

/** The report of a failure, with the digest that a visitor is shown. */
export function createFailureReport(failure: SeenFailure, failed: FailedRequest): WireReport {
  const { request, response, route, trace, nowMs } = failed;
  const { type, message, seen, aliases, digest, isOfSite } = failure;
  const error = new Error(message);
  error.name = type;
  // The stack of this Worker would be shown as that of the failure.
  error.stack = `${type}: ${message}`;
  const tag = (name: string) => response.headers.get(name) ?? undefined;
  const facts = {
    how: "front",
    request,
    route: isOfSite ? "/*" : route,
    status: response.status,
    trace,
    aliases,
    tags: { seen, server: tag("server"), cache: tag("cf-cache-status"), age: tag("age") },
  };
  const id = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const report = createWireReport(error, facts, { id, atMs: nowMs });
  return digest === undefined ? report : { ...report, digest };
}

const TIMEOUT_MS = 5_000;
/** After a failure to send. Meanwhile an unreachable Errata costs nothing. */
const PAUSE_MS = 5_000;
const MINUTE_MS = 60_000;
/** In an outage, each location of Cloudflare sends this many for each of its isolates. */
const MAX_REPORTS_PER_MINUTE = 60;

/** Where and how reports are sent. */
export interface SenderOptions {
  readonly dsn: Dsn;
  /** Members of every body. */
  readonly shared: Readonly<Record<string, string | undefined>>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
}

/** Sends reports, at most a number each minute. */
export class FailureSender {
  readonly #options: SenderOptions;
  #minute = 0;
  #count = 0;
  #lost = 0;
  #pausedUntilMs = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /**
   * Sends a report. Each request sends its own: the runtime may end another one, and what belongs to
   * it. Never rejects.
   */
  async send(report: WireReport): Promise<void> {
    if (!this.#take()) {
      this.#lost += 1;
      return;
    }
    const { dsn, shared } = this.#options;
    const dropped = this.#lost;
    this.#lost = 0;
    try {
      const response = await this.#options.fetch(dsn.ingestUrl, {
        method: "POST",
        body: JSON.stringify({
          errata: 1,
          ...shared,
          ...(dropped > 0 && { dropped }),
          reports: [report],
        }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return;
    } catch {
      // Errata is not reachable.
    }
    this.#lost += dropped + 1;
    this.#pausedUntilMs = this.#options.nowMs() + PAUSE_MS;
  }

  #take(): boolean {
    const nowMs = this.#options.nowMs();
    if (nowMs < this.#pausedUntilMs) return false;
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= MAX_REPORTS_PER_MINUTE;
  }
}
