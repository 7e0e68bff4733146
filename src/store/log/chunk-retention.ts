/** How long KV keeps a chunk: as long as the most important report in it. */
import { getRetentionSeconds } from "../../core/issue/retention.ts";
import type { Digest } from "../../core/report.ts";

/** Common issues that a shard remembers. Chunks with other issues are kept for the longer time. */
const MAX_COMMON_ISSUES = 10_000;

/** Knows which issues are common, from the index's responses since the object started. */
export class ChunkRetention {
  readonly #retentionDays: number;
  readonly #commonIssues = new Set<Digest>();

  constructor(retentionDays: number) {
    this.#retentionDays = retentionDays;
  }

  addCommonIssues(digests: readonly Digest[]): void {
    if (this.#commonIssues.size + digests.length > MAX_COMMON_ISSUES) this.#commonIssues.clear();
    for (const digest of digests) this.#commonIssues.add(digest);
  }

  /** Seconds that KV keeps a chunk with reports of these issues. */
  getSeconds(digests: readonly Digest[]): number {
    const isCommon = digests.every((digest) => this.#commonIssues.has(digest));
    return getRetentionSeconds(this.#retentionDays, isCommon);
  }
}
