/**
 * Reads the deploys of the project from the object with the source maps: at most every ten seconds,
 * and only when a report may be deploy skew. The index does not store them.
 */
import { findSkewKind } from "../../../core/deploy-skew/skew-texts.ts";
import { DAY_MS } from "../../../core/utc-time.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import type { SourceMapsApi } from "../../objects.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { ReleaseTable } from "./release-table.ts";

/** How long an answer is used. */
const READ_MS = 10_000;
const DEPLOYS_MS = 31 * DAY_MS;
/** Then reports are counted without the deploys. */
const TIMEOUT_MS = 1_000;

export class DeployReader {
  readonly #deps;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(deps: {
    readonly releases: Pick<ReleaseTable, "deploys">;
    readonly sourceMaps: Pick<SourceMapsApi, "listDeploys">;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** Reads the deploys before such rows are applied. Never rejects. */
  async prepare(rows: readonly SequencedItem[]): Promise<void> {
    const { releases, sourceMaps, nowMs } = this.#deps;
    const atMs = nowMs();
    if (Math.abs(atMs - this.#readMs) < READ_MS || !rows.some(mayBeSkew)) return;
    try {
      releases.deploys = await withTimeout(sourceMaps.listDeploys(atMs - DEPLOYS_MS), TIMEOUT_MS);
    } catch (error) {
      console.warn("index: cannot read the deploys", String(error));
    }
    this.#readMs = atMs;
  }
}

function mayBeSkew(row: SequencedItem): boolean {
  return "summary" in row && findSkewKind(row.summary) !== undefined;
}
