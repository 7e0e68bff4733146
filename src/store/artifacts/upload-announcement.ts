/**
 * Announces to the registry whether the project has uploads. Requests read it from their copy of
 * the registry, which is at most a minute old, so pages of projects without uploads do not call
 * this object. Also announces the newest upload to the index, which then resolves the places of
 * issues.
 */
import type { ProjectObjects } from "../objects.ts";
import { upsert } from "../sqlite/table.ts";
import type { ArtifactDeps } from "./tables/artifact-tables.ts";

const SAVE = upsert("announced", ["id"], ["has_content", "newest_upload", "at_ms"]);

const REPEAT_MS = 86_400_000;

interface AnnouncementDeps extends ArtifactDeps {
  readonly objects: Pick<ProjectObjects, "registry" | "index">;
}

export class UploadAnnouncement {
  readonly #deps: AnnouncementDeps;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
  }

  /**
   * Sends both their missing announcements, and all of them once a day: a registry that was
   * restored from an older copy may lack them. Rejects if one is unavailable.
   */
  async send(): Promise<void> {
    const { project, tables, storage, nowMs, objects } = this.#deps;
    const [row] = storage.sql
      .exec<{ has: number; newest: number | null; at_ms: number }>(
        "SELECT has_content AS has, newest_upload AS newest, at_ms FROM announced",
      )
      .toArray();
    const hasContent = tables.hasContent();
    const newest = tables.uploads.getNewestReady();
    const isRecent = row !== undefined && nowMs() - row.at_ms < REPEAT_MS;
    const isKnown = (row?.has === 1) === hasContent && (row?.newest ?? null) === newest;
    if (isKnown && (isRecent || !hasContent)) return;
    await objects.registry.markArtifacts(project, hasContent);
    await objects.index.onUploaded(newest);
    storage.sql.exec(SAVE, 1, hasContent ? 1 : 0, newest, nowMs());
  }
}
