/**
 * Tells the registry whether the project has uploads. Requests read it from their copy of the
 * registry, which is at most a minute old, so that pages of projects without uploads do not call
 * this object.
 */
import type { RegistryRpc } from "../rpc/rpc.ts";
import type { ArtifactTables } from "./tables/artifact-tables.ts";

interface AnnouncementDeps {
  readonly project: string;
  readonly tables: ArtifactTables;
  readonly storage: DurableObjectStorage;
  readonly registry: () => Pick<RegistryRpc, "markArtifacts">;
}

export class Announcement {
  readonly #deps: AnnouncementDeps;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
    deps.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS announced(id INTEGER PRIMARY KEY, has_content INTEGER NOT NULL)",
    );
  }

  /** Tells the registry, if it does not know yet. Rejects if the registry is unavailable. */
  async send(): Promise<void> {
    const { project, tables, storage, registry } = this.#deps;
    const [row] = storage.sql.exec<{ has: number }>("SELECT has_content AS has FROM announced");
    const hasContent = tables.hasContent();
    if ((row?.has === 1) === hasContent) return;
    await registry().markArtifacts(project, hasContent);
    storage.sql.exec("INSERT OR REPLACE INTO announced VALUES (1, ?)", hasContent ? 1 : 0);
  }
}
