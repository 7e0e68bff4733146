/**
 * SQLite table of the built scripts in the stacks of each release, to count how many have source
 * maps. Trusted and public reports may each add `limits.scriptsPerRelease`. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { ReleaseScript } from "../../../core/ports/source-maps-port.ts";
import { parseSentStack } from "../../../core/report/sent-stack.ts";
import { looksBundled } from "../../../core/symbolication/report/explain-frame.ts";

const MAX_CACHED = 200;

export class ReleaseScriptTable {
  readonly #sql: SqlStorage;
  /** The files of the latest releases: most reports name known ones. */
  readonly #cache = new Map<string, Set<string>>();

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  /** Adds the built scripts of a sent stack. */
  addStack(release: string, isTrusted: boolean, sentStack: string): void {
    for (const frame of parseSentStack(sentStack)) {
      if (looksBundled(frame)) this.#add(release, isTrusted, frame);
    }
  }

  #add(release: string, isTrusted: boolean, { file, debugIds }: ReleaseScript): void {
    const known = this.#readFiles(release, isTrusted);
    if (known.has(file) || known.size >= limits.scriptsPerRelease) return;
    known.add(file);
    const insert = `INSERT OR IGNORE INTO release_script(release, is_trusted, file, debug_id)
      VALUES (?, ?, ?, ?)`;
    this.#sql.exec(insert, release, isTrusted ? 1 : 0, file, debugIds?.join() ?? null);
  }

  #readFiles(release: string, isTrusted: boolean): Set<string> {
    const key = `${isTrusted} ${release}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const files = new Set(this.#read(release, isTrusted).map(({ file }) => file));
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(key, files);
    return files;
  }

  /** The scripts of a release. Includes those of public reports only if trusted ones named none. */
  list(release: string): readonly ReleaseScript[] {
    const trusted = this.#read(release, true);
    return trusted.length > 0 ? trusted : this.#read(release, false);
  }

  #read(release: string, isTrusted: boolean): readonly ReleaseScript[] {
    const query = "SELECT file, debug_id FROM release_script WHERE release = ? AND is_trusted = ?";
    return this.#sql
      .exec<{ file: string; debug_id: string | null }>(query, release, isTrusted ? 1 : 0)
      .toArray()
      .map(({ file, debug_id }) => ({ file, debugIds: debug_id?.split(",") }));
  }

  /** Removes the scripts of a release, or only those whose file `matches`. */
  remove(release: string, matches: (file: string) => boolean = () => true): void {
    for (const isTrusted of [true, false]) {
      const found = this.#read(release, isTrusted).filter(({ file }) => matches(file));
      const query = "DELETE FROM release_script WHERE release = ? AND is_trusted = ? AND file = ?";
      for (const { file } of found) this.#sql.exec(query, release, isTrusted ? 1 : 0, file);
    }
    if (this.#cache.size > 0) this.clearCache();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#cache.clear();
  }
}
