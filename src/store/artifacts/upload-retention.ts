/**
 * Once a day, deletes uploads that have resolved no frame for a long time, except those of releases
 * with reports and of the newest releases. Above the project's limit, the least recently used ones
 * are deleted first.
 */

import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { upsert } from "../sqlite/table.ts";
import type { ArtifactDeps } from "./tables/artifact-tables.ts";
import type { StoredUpload } from "./tables/upload-table.ts";

const SAVE = upsert("sweep", ["id"], ["at_ms"]);

/** A failed upload is listed for this long. */
const FAILED_KEPT_MS = 7 * DAY_MS;

export class UploadRetention {
  readonly #deps;

  constructor(
    deps: Pick<ArtifactDeps, "tables" | "storage" | "nowMs"> & {
      /** Uploads are kept for this long after their last use, in days. */
      readonly keptDays: number;
      readonly maxStoredBytes: number;
      /** The releases that reports or sessions still name. */
      readonly listLiveReleases: () => Promise<ReadonlySet<string>>;
      /** Called after uploads were deleted. */
      readonly onDeleted: () => void;
    },
  ) {
    this.#deps = deps;
  }

  /** When the next sweep is due, in ms; undefined if there is nothing to sweep. */
  get dueMs(): number | undefined {
    const { tables, storage } = this.#deps;
    if (tables.uploads.isEmpty()) return tables.chunks.getNextExpiryMs();
    const [row] = storage.sql.exec<{ at_ms: number }>("SELECT at_ms FROM sweep").toArray();
    return (row?.at_ms ?? 0) + DAY_MS;
  }

  /** Sweeps if a day has passed. Rejects if the index is unavailable. */
  async run(): Promise<void> {
    const { tables, storage, nowMs, onDeleted } = this.#deps;
    const { dueMs } = this;
    if (dueMs === undefined || dueMs > nowMs()) return;
    tables.chunks.deleteUnused(nowMs(), tables.listUsedChunks());
    tables.deleteOrphanMaps(nowMs() - DAY_MS);
    for (const upload of await this.#listExpired()) {
      tables.deleteUpload(upload.n);
      onDeleted();
    }
    storage.sql.exec(SAVE, 1, nowMs());
  }

  /**
   * Deletes the oldest uploads above the maximum number, and the least recently used ones while the
   * project exceeds its bytes.
   */
  enforceLimit(): void {
    const { tables, nowMs, maxStoredBytes, onDeleted } = this.#deps;
    for (const { n } of tables.uploads.listOldest(artifactLimits.maxUploads)) {
      tables.deleteUpload(n);
      onDeleted();
    }
    if (tables.maps.countBytes() <= maxStoredBytes) return;
    const kept = this.#listNewestReleases();
    const ready = this.#listReady();
    const newest = new Set(ready.slice(0, artifactLimits.keptReleases));
    const isKept = ({ release }: StoredUpload) => release !== undefined && kept.has(release);
    // A build that always uses the same release may have filled all of the space.
    const candidates = ready
      .filter((upload) => !newest.has(upload))
      .sort((a, b) => Number(isKept(a)) - Number(isKept(b)) || toUsedMs(a) - toUsedMs(b));
    for (const upload of candidates) {
      if (tables.maps.countBytes() <= maxStoredBytes) return;
      tables.deleteUpload(upload.n);
      const name = upload.release === undefined ? "an upload" : `release ${upload.release}`;
      tables.failures.add(
        `The source maps of ${name} were deleted: the project stores more than ` +
          `${maxStoredBytes} bytes, and they were used least recently.`,
        nowMs(),
      );
      onDeleted();
    }
  }

  async #listExpired(): Promise<readonly StoredUpload[]> {
    const { tables, nowMs, keptDays, listLiveReleases } = this.#deps;
    const failedMs = nowMs() - FAILED_KEPT_MS;
    const failed = tables.uploads
      .list()
      .filter(({ state, uploadedMs }) => state === "failed" && uploadedMs < failedMs);
    const unused = this.#listReady().filter((one) => toUsedMs(one) < nowMs() - keptDays * DAY_MS);
    if (unused.length === 0) return failed;
    const [live, newest] = [await listLiveReleases(), this.#listNewestReleases()];
    const isKept = (release: string | undefined) =>
      release !== undefined && (live.has(release) || newest.has(release));
    return [...failed, ...unused.filter(({ release }) => !isKept(release))];
  }

  #listReady(): readonly StoredUpload[] {
    return this.#deps.tables.uploads.list().filter(({ state }) => state === "ready");
  }

  /** The releases of the newest uploads. */
  #listNewestReleases(): ReadonlySet<string> {
    const releases = this.#listReady().flatMap(({ release }) => release ?? []);
    return new Set([...new Set(releases)].slice(0, artifactLimits.keptReleases));
  }
}

function toUsedMs({ usedMs = 0, uploadedMs }: StoredUpload): number {
  return Math.max(usedMs, uploadedMs);
}
