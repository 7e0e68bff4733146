/** SQLite table of the files of uploads: scripts, maps and sources. Synchronous. */
import type { TarEntry } from "../../../core/artifacts/tar.ts";
import type { ZipEntry } from "../../../core/artifacts/zip.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ArtifactFile, ArtifactUpload } from "../../../core/ports/source-maps-port.ts";
import { getFileName } from "../../../core/symbolication/file-candidates.ts";

/** A file of an upload. */
export interface StoredFile {
  /** The number of its upload, and its own in the upload. */
  readonly upload: number;
  readonly n: number;
  readonly kind: ArtifactFile["kind"];
  /** The URL as it was uploaded: `~/assets/app.js`. */
  readonly url: string;
  readonly debugId?: string;
  /** For a script: the URL of its map, according to the manifest or the script. */
  readonly mapUrl?: string;
  /** The converted map with which frames of this file are resolved. */
  readonly mapHash?: string;
  /** The reason why its map was rejected. */
  readonly refusal?: string;
  readonly bytes: number;
  readonly sources?: number;
  readonly sourcesWithText?: number;
  readonly problems: readonly string[];
}

/** The findings of the conversion of a file. */
export type FileFindings = Partial<
  Pick<
    StoredFile,
    "debugId" | "mapUrl" | "mapHash" | "refusal" | "sources" | "sourcesWithText" | "problems"
  >
>;

/** The place of a file in its upload: in an archive, or the whole upload. */
export type FileEntry =
  | ({ readonly in: "zip" } & ZipEntry)
  | ({ readonly in: "tar" } & TarEntry)
  | { readonly in: "upload" };

/** A file that is about to be stored. A source, or a file without an entry, is not converted. */
export interface NewFile extends Omit<StoredFile, "upload" | "n"> {
  readonly entry?: FileEntry;
}

/** A file with its place in the upload. */
export interface WaitingFile extends StoredFile {
  readonly entry: FileEntry;
  readonly isDone: boolean;
  readonly attempts: number;
}

type FileRow = {
  upload: number;
  n: number;
  kind: ArtifactFile["kind"];
  url: string;
  debug_id: string | null;
  map_url: string | null;
  map_hash: string | null;
  refusal: string | null;
  bytes: number;
  sources: number | null;
  with_text: number | null;
  problems: string | null;
  entry: string | null;
  done: number;
  attempts: number;
};

/** Hundreds of releases may have the same URL; a release has few uploads. */
const IN_RELEASE = "file.upload IN (SELECT n FROM upload WHERE release = ?)";
/** All columns but the number of the upload. */
const COPIED = `n, kind, url, name, debug_id, map_url, map_hash, refusal, bytes, sources, with_text,
  problems, entry, done, attempts`;
/** Files with one name that are compared, newest first. */
const MAX_NAMESAKES = 200;

/** A file and the release of its ready upload. */
export interface PlacedFile extends StoredFile {
  readonly release?: string;
  readonly dist?: string;
}

type PlacedRow = FileRow & { release: string | null; dist: string | null };

export class FileTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS file(
        upload INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
        name TEXT NOT NULL, debug_id TEXT, map_url TEXT, map_hash TEXT, refusal TEXT,
        bytes INTEGER NOT NULL, sources INTEGER, with_text INTEGER, problems TEXT,
        entry TEXT, done INTEGER NOT NULL, attempts INTEGER NOT NULL, PRIMARY KEY (upload, n)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS file_url ON file(url, upload);
      CREATE INDEX IF NOT EXISTS file_name ON file(name, upload);
      CREATE INDEX IF NOT EXISTS file_debug_id ON file(debug_id, upload)
        WHERE debug_id IS NOT NULL;
      CREATE INDEX IF NOT EXISTS file_map ON file(map_hash) WHERE map_hash IS NOT NULL;`);
  }

  /** Adds the files of an upload, numbered from 0. */
  add(upload: number, files: readonly NewFile[]): void {
    for (const [n, file] of files.entries()) {
      this.#sql.exec(
        `INSERT INTO file(upload, n, kind, url, name, debug_id, map_url, map_hash, refusal, bytes,
           sources, with_text, problems, entry, done, attempts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
        upload,
        n,
        file.kind,
        file.url,
        getFileName(file.url),
        file.debugId ?? null,
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
         map_url = coalesce(?, map_url), map_hash = ?, refusal = ?, sources = ?, with_text = ?,
         problems = ?
       WHERE upload = ? AND n = ?`,
      found.debugId ?? null,
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

  /** Files of ready uploads with a debug id, newest upload first. */
  listByDebugId(debugId: string): readonly PlacedFile[] {
    return this.#selectPlaced("file.debug_id = ?", debugId);
  }

  /** Files of ready uploads of this URL, newest upload first; of any release if it is absent. */
  listByUrl(url: string, release?: string): readonly PlacedFile[] {
    return release === undefined
      ? this.#selectPlaced("file.url = ?", url)
      : this.#selectPlaced(`file.url = ? AND ${IN_RELEASE}`, url, release);
  }

  /** Files of ready uploads with this name, the last segment of their URL, newest upload first. */
  listByName(name: string, release?: string): readonly PlacedFile[] {
    return release === undefined
      ? this.#selectPlaced("file.name = ?", name)
      : this.#selectPlaced(`file.name = ? AND ${IN_RELEASE}`, name, release);
  }

  /** Scripts of ready uploads without a map, of a release or with a debug id, newest first. */
  listScriptsWithoutMap(
    release: string | undefined,
    debugId: string | undefined,
  ): readonly (WaitingFile & Pick<PlacedFile, "release" | "dist">)[] {
    return this.#selectRows(
      `file.kind = 'script' AND file.map_hash IS NULL AND file.refusal IS NULL
         AND (upload.release IS ? OR file.debug_id = ?)`,
      release ?? null,
      debugId ?? null,
    ).map((row) => ({ ...toWaitingFile(row), ...toPlace(row) }));
  }

  /** True if a script of a ready upload has a debug id and no map. */
  hasScriptWithoutMap(): boolean {
    const query = `SELECT 1 FROM file JOIN upload ON upload.n = file.upload
      WHERE file.debug_id IS NOT NULL AND file.kind = 'script' AND file.map_hash IS NULL
        AND upload.state = 'ready' LIMIT 1`;
    return this.#sql.exec(query).toArray().length > 0;
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

  delete(upload: number): void {
    this.#sql.exec("DELETE FROM file WHERE upload = ?", upload);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM file");
  }

  #selectPlaced(condition: string, ...values: string[]): readonly PlacedFile[] {
    return this.#selectRows(condition, ...values).map((row) => ({
      ...toFile(row),
      ...toPlace(row),
    }));
  }

  #selectRows(condition: string, ...values: (string | null)[]): readonly PlacedRow[] {
    return this.#sql
      .exec<PlacedRow>(
        `SELECT file.*, upload.release, upload.dist
         FROM file JOIN upload ON upload.n = file.upload
         WHERE ${condition} AND upload.state = 'ready'
         ORDER BY file.upload DESC, file.n LIMIT ${MAX_NAMESAKES}`,
        ...values,
      )
      .toArray();
  }
}

function toPlace({ release, dist }: PlacedRow): Pick<PlacedFile, "release" | "dist"> {
  return omitUndefined({ release: release ?? undefined, dist: dist ?? undefined });
}

function toWaitingFile(row: FileRow): WaitingFile {
  return {
    ...toFile(row),
    entry: JSON.parse(row.entry ?? '{"in":"upload"}') as FileEntry,
    isDone: row.done === 1,
    attempts: row.attempts,
  };
}

function toFile(row: FileRow): StoredFile {
  return {
    upload: row.upload,
    n: row.n,
    kind: row.kind,
    url: row.url,
    bytes: row.bytes,
    problems: row.problems === null ? [] : (JSON.parse(row.problems) as string[]),
    ...omitUndefined({
      debugId: row.debug_id ?? undefined,
      mapUrl: row.map_url ?? undefined,
      mapHash: row.map_hash ?? undefined,
      refusal: row.refusal ?? undefined,
      sources: row.sources ?? undefined,
      sourcesWithText: row.with_text ?? undefined,
    }),
  };
}
