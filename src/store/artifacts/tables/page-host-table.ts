/**
 * SQLite table of the hosts of pages that reported stacks: scripts on them belong to the project.
 * Not recorded in KV, because each report names its host again. Synchronous.
 */
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("page_host", ["host"], ["at_ms"]);

/** Hosts that are kept: those that reported last. */
const MAX_HOSTS = 500;
const MAX_HOST_CHARS = 255;
/** The time of a host is stored at most this often. */
const REPEAT_MS = 86_400_000;

export class PageHostTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(host: string, nowMs: number): void {
    const knownMs = this.#getTime(host) ?? Number.NEGATIVE_INFINITY;
    if (host.length > MAX_HOST_CHARS || nowMs - knownMs < REPEAT_MS) return;
    this.#sql.exec(SAVE, host, nowMs);
    this.#sql.exec(
      `DELETE FROM page_host WHERE host IN (
         SELECT host FROM page_host ORDER BY at_ms DESC LIMIT -1 OFFSET ?)`,
      MAX_HOSTS,
    );
  }

  has(host: string): boolean {
    return this.#getTime(host) !== undefined;
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM page_host LIMIT 1").toArray().length === 0;
  }

  /** Deletes the hosts that contain a text. */
  eraseText(hasText: (host: string) => boolean): void {
    for (const { host } of this.#sql.exec<{ host: string }>("SELECT host FROM page_host").toArray())
      if (hasText(host)) this.#sql.exec("DELETE FROM page_host WHERE host = ?", host);
  }

  #getTime(host: string): number | undefined {
    const query = "SELECT at_ms FROM page_host WHERE host = ?";
    return this.#sql.exec<{ at_ms: number }>(query, host).toArray()[0]?.at_ms;
  }
}
