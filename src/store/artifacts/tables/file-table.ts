/** SQLite table of the files of uploads: scripts, maps and sources. Synchronous. */
import type { ArtifactUpload } from "../../../core/ports/source-maps-port.ts";
import { getFileName } from "../../../core/symbolication/file-candidates.ts";
import {
  type FileFindings,
  type FileRow,
  type NewFile,
  type StoredFile,
  toFile,
  toWaitingFile,
  type WaitingFile,
} from "./stored-file.ts";

/** All columns but the number of the upload. */
const COPIED = `n, kind, url, name, debug_id, other_debug_id, map_url, map_hash, refusal, bytes, sources, with_text,
  problems, entry, done, attempts`;
export class FileTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#addColumn();
  }

  /** Tables that were stored before scripts had a second id lack its column. */
  #addColumn(): void {
    const query = "SELECT 1 FROM pragma_table_info('file') WHERE name = 'other_debug_id'";
    if (this.#sql.exec(query).toArray().length > 0) return;
    this.#sql.exec("ALTER TABLE file ADD COLUMN other_debug_id TEXT");
  }

  /** Adds the files of an upload, numbered from 0. */
  add(upload: number, files: readonly NewFile[]): void {
    for (const [n, file] of files.entries()) {
      this.#sql.exec(
        `INSERT INTO file(upload, n, kind, url, name, debug_id, other_debug_id, map_url, map_hash,
           refusal, bytes, sources, with_text, problems, entry, done, attempts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
        upload,
        n,
        file.kind,
        file.url,
        getFileName(file.url),
        file.debugId ?? null,
        file.otherDebugId ?? null,
        file.mapUrl ?? null,
        file.mapHash ?? null,
        file.refusal ?? null,
        file.bytes,
        file.sources ?? null,
        file.sourcesWithText ?? null,
        file.problems.length > 0 ? JSON.stringify(file.problems) : null,
        file.entry === undefined ? null : JSON.stringify(file.entry),
        file.entry === undefined || file.kind === "source" ? 1 : 0,
      );
    }
  }

  /** Copies the files of an upload to another one, which has the same bytes. */
  copy(from: number, to: number): void {
    this.#sql.exec(
      `INSERT INTO file(upload, ${COPIED}) SELECT ?, ${COPIED} FROM file WHERE upload = ?`,
      to,
      from,
    );
  }

  /** Counts the files of an upload. A map counts in the first upload that has it. */
  summarize(
    upload: number,
  ): Pick<ArtifactUpload, "files" | "maps" | "scriptsWithoutMap" | "storedBytes"> {
    return this.#sql
      .exec<{ files: number; maps: number; scriptsWithoutMap: number; storedBytes: number }>(
        `SELECT count(*) AS files, coalesce(sum(kind = 'map'), 0) AS maps,
           coalesce(sum(kind = 'script' AND map_hash IS NULL), 0) AS scriptsWithoutMap,
           (SELECT coalesce(sum(bytes), 0) FROM map WHERE hash IN (
              SELECT map_hash FROM file AS own WHERE upload = ?1 AND NOT EXISTS (
                SELECT 1 FROM file WHERE map_hash = own.map_hash AND upload < ?1))
           ) AS storedBytes
         FROM file WHERE upload = ?1`,
        upload,
      )
      .one();
  }

  list(upload: number): readonly StoredFile[] {
    return this.#sql
      .exec<FileRow>("SELECT * FROM file WHERE upload = ? ORDER BY n", upload)
      .toArray()
      .map(toFile);
  }

  /** The first file that is not converted: scripts first, because they lead to their maps. */
  getNextWaiting(upload: number): WaitingFile | undefined {
    const [row] = this.#sql.exec<FileRow>(
      `SELECT * FROM file WHERE upload = ? AND done = 0
       ORDER BY kind = 'script' DESC, n LIMIT 1`,
      upload,
    );
    return row && toWaitingFile(row);
  }

  /** The maps of an upload, including converted ones: two scripts may share a map. */
  listMaps(upload: number): readonly WaitingFile[] {
    return this.#listEntries(upload, "map");
  }

  /** The original sources in an upload. */
  listSources(upload: number): readonly WaitingFile[] {
    return this.#listEntries(upload, "source");
  }

  #listEntries(upload: number, kind: StoredFile["kind"]): readonly WaitingFile[] {
    return this.#sql
      .exec<FileRow>(
        "SELECT * FROM file WHERE upload = ? AND kind = ? AND entry IS NOT NULL ORDER BY n",
        upload,
        kind,
      )
      .toArray()
      .map(toWaitingFile);
  }

  countAttempt({ upload, n }: Pick<StoredFile, "upload" | "n">): number {
    return this.#sql
      .exec<{ attempts: number }>(
        "UPDATE file SET attempts = attempts + 1 WHERE upload = ? AND n = ? RETURNING attempts",
        upload,
        n,
      )
      .one().attempts;
  }

  /** Stores the findings of the conversion, and marks the file as converted. */
  setConverted({ upload, n }: Pick<StoredFile, "upload" | "n">, found: FileFindings): void {
    this.#sql.exec(
      `UPDATE file SET done = 1, debug_id = coalesce(?, debug_id),
         other_debug_id = coalesce(?, other_debug_id), map_url = coalesce(?, map_url), map_hash = ?, refusal = ?, sources = ?, with_text = ?,
         problems = ?
       WHERE upload = ? AND n = ?`,
      found.debugId ?? null,
      found.otherDebugId ?? null,
      found.mapUrl ?? null,
      found.mapHash ?? null,
      found.refusal ?? null,
      found.sources ?? null,
      found.sourcesWithText ?? null,
      found.problems && found.problems.length > 0 ? JSON.stringify(found.problems) : null,
      upload,
      n,
    );
  }

  /** True if a script has this map. */
  hasScriptOf(mapHash: string): boolean {
    const query = "SELECT 1 FROM file WHERE map_hash = ? AND kind = 'script' LIMIT 1";
    return this.#sql.exec(query, mapHash).toArray().length > 0;
  }

  /** Sets a map that arrived after its script, and removes the script's problem. */
  setMap(
    { upload, n, problems }: Pick<StoredFile, "upload" | "n" | "problems">,
    mapHash: string,
  ): void {
    this.#sql.exec(
      "UPDATE file SET map_hash = ?, problems = ? WHERE upload = ? AND n = ?",
      mapHash,
      problems.length > 0 ? JSON.stringify(problems) : null,
      upload,
      n,
    );
  }

  /** The converted maps of an upload. */
  listMapHashes(upload: number): readonly string[] {
    return this.#sql
      .exec<{ hash: string }>(
        "SELECT DISTINCT map_hash AS hash FROM file WHERE upload = ? AND map_hash IS NOT NULL",
        upload,
      )
      .toArray()
      .map(({ hash }) => hash);
  }

  /** The converted maps that only this upload has. */
  listOwnMaps(upload: number): readonly string[] {
    return this.#sql
      .exec<{ hash: string }>(
        `SELECT DISTINCT map_hash AS hash FROM file AS own
         WHERE upload = ?1 AND map_hash IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM file WHERE map_hash = own.map_hash AND upload <> ?1)`,
        upload,
      )
      .toArray()
      .map(({ hash }) => hash);
  }

  /** The numbers of the uploads that have a map. */
  listUploadsOf(mapHash: string): readonly number[] {
    return this.#sql
      .exec<{ n: number }>("SELECT DISTINCT upload AS n FROM file WHERE map_hash = ?", mapHash)
      .toArray()
      .map(({ n }) => n);
  }

  delete(upload: number): void {
    this.#sql.exec("DELETE FROM file WHERE upload = ?", upload);
  }
}
