/**
 * The files of all ready uploads: which one has a debug id, a URL or a name. Reads the tables
 * `file` and `upload`. Synchronous.
 */
import { omitUndefined } from "../../../core/omit-undefined.ts";
import {
  type FileRow,
  type StoredFile,
  toFile,
  toWaitingFile,
  type WaitingFile,
} from "./stored-file.ts";

/** Hundreds of releases may have the same URL; a release has few uploads. */
const IN_RELEASE = "file.upload IN (SELECT n FROM upload WHERE release = ?)";
/** Files with one name that are compared, newest first. */
const MAX_NAMESAKES = 200;

/** A file and the release of its ready upload. */
export interface PlacedFile extends StoredFile {
  readonly release?: string;
  readonly dist?: string;
}

type PlacedRow = FileRow & { release: string | null; dist: string | null };

export class ReadyFiles {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
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
