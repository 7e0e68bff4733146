/**
 * Tells the registry whether the project has uploads. Requests read it from their copy of the
 * registry, which is at most a minute old, so that pages of projects without uploads do not call
 * this object.
 */
import type { RegistryRpc } from "../rpc/rpc.ts";
import type { ArtifactTables } from "./tables/artifact-tables.ts";

const REPEAT_MS = 86_400_000;

interface AnnouncementDeps {
  readonly project: string;
  readonly tables: ArtifactTables;
  readonly storage: DurableObjectStorage;
  readonly nowMs: () => number;
  readonly registry: () => Pick<RegistryRpc, "markArtifacts">;
}

export class Announcement {
  readonly #deps: AnnouncementDeps;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
    deps.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS announced(
         id INTEGER PRIMARY KEY, has_content INTEGER NOT NULL, at_ms INTEGER NOT NULL)`,
    );
  }

  /**
   * Tells the registry, if it does not know yet, and once a day: a registry that was restored from
   * an older copy may have forgotten it. Rejects if the registry is unavailable.
   */
  async send(): Promise<void> {
    const { project, tables, storage, nowMs, registry } = this.#deps;
    const [row] = storage.sql
      .exec<{ has: number; at_ms: number }>("SELECT has_content AS has, at_ms FROM announced")
      .toArray();
    const hasContent = tables.hasContent();
    const isRecent = row !== undefined && nowMs() - row.at_ms < REPEAT_MS;
    if ((row?.has === 1) === hasContent && (isRecent || !hasContent)) return;
    await registry().markArtifacts(project, hasContent);
    const insert = "INSERT OR REPLACE INTO announced VALUES (1, ?, ?)";
    storage.sql.exec(insert, hasContent ? 1 : 0, nowMs());
  }
}
