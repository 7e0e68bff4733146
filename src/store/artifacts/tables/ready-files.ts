/**
 * The files of all ready uploads: which one has a debug id, a URL or a name. Reads the tables
 * `file` and `upload`. Synchronous.
 */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import {
  getFileName,
  listMapUrls,
  removeQuery,
} from "../../../core/symbolication/file-candidates.ts";
import {
  type FileRow,
  type StoredFile,
  toFile,
  toWaitingFile,
  type WaitingFile,
} from "./stored-file.ts";

/** Hundreds of releases may have the same name; a release has few uploads. */
const IN_RELEASE = "file.upload IN (SELECT n FROM upload WHERE release IS ?)";
/** Files with one name that are compared, newest first: more than an upload can have. */
const MAX_NAMESAKES = 2_000;

/** A file, and the build and the time of its ready upload. */
export interface PlacedFile extends StoredFile {
  /** Unix ms. */
  readonly uploadedMs: number;
  readonly release?: string;
  readonly dist?: string;
}

/** A script that was uploaded without its map. */
export type SeparateScript = Pick<
  PlacedFile,
  "url" | "mapUrl" | "release" | "dist" | "debugId" | "uploadedMs"
>;

type PlacedRow = FileRow & { uploaded_ms: number; release: string | null; dist: string | null };

/** A map that no script of its release was converted with. */
const HAS_NO_SCRIPT = `file.kind = 'map' AND NOT EXISTS (
  SELECT 1 FROM file AS script JOIN upload AS other ON other.n = script.upload
  WHERE script.map_hash = file.map_hash AND script.kind = 'script'
    AND other.release IS upload.release)`;

export class ReadyFiles {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Files of ready uploads with a debug id, newest upload first. */
  listByDebugId(debugId: string): readonly PlacedFile[] {
    return this.#selectPlaced("(file.debug_id = ?1 OR file.other_debug_id = ?1)", debugId);
  }

  /**
   * The maps that may belong to a script that was uploaded without one, newest upload first: at one
   * of the URLs that it names, whatever the query, of the same release and dist, from about the
   * same time, and without another script or another debug id.
   */
  listSeparateMaps(script: SeparateScript): readonly PlacedFile[] {
    const { release, dist, debugId, uploadedMs } = script;
    const urls = listMapUrls(script.url, script.mapUrl).map(removeQuery);
    const names = [...new Set(urls.map(getFileName))];
    return names
      .flatMap((name) =>
        this.#selectPlaced(
          `file.name = ? AND upload.release IS ? AND file.map_hash IS NOT NULL AND ${HAS_NO_SCRIPT}`,
          name,
          release ?? null,
        ),
      )
      .filter(
        (map) =>
          urls.includes(removeQuery(map.url)) &&
          map.dist === dist &&
          Math.abs(map.uploadedMs - uploadedMs) <= artifactLimits.maxPairMs &&
          (debugId === undefined || map.debugId === undefined || map.debugId === debugId),
      );
  }

  /**
   * Scripts of ready uploads with this name, the last segment of their URL, and maps of such
   * scripts that were uploaded without them, newest upload first. `release`: null for uploads
   * without one, absent for all releases, where maps are listed only if there is no script.
   */
  listScripts(name: string, release?: string | null): readonly PlacedFile[] {
    // Two queries, each in the order of an index: a project may have 100,000 files of one name.
    const ofRelease = release === undefined ? "" : ` AND ${IN_RELEASE}`;
    const select = (condition: string, own: string) =>
      this.#selectPlaced(
        `file.name = ? AND ${condition}${ofRelease}`,
        ...(release === undefined ? [own] : [own, release]),
      );
    const scripts = select("file.kind = 'script'", name);
    if (release === undefined && scripts.length > 0) return scripts;
    const maps = select(HAS_NO_SCRIPT, `${name}.map`);
    if (maps.length === 0) return scripts;
    return [...scripts, ...maps].toSorted((a, b) => b.upload - a.upload);
  }

  /** True if the URL of a file of a ready upload names this host, in lower case. */
  hasHost(host: string): boolean {
    // A range of the index; a port or a path follows the host.
    const query = `SELECT 1 FROM file JOIN upload ON upload.n = file.upload
      WHERE file.url >= ?1 || '/' AND file.url < ?1 || ';' AND upload.state = 'ready'
        AND substr(file.url, length(?1) + 1, 1) IN ('/', ':') LIMIT 1`;
    return ["https://", "http://", "https://www.", "http://www."].some((scheme) => {
      const rows = this.#sql.exec(query, `${scheme}${host}`).toArray();
      return rows.length > 0;
    });
  }

  /** Scripts of ready uploads without a map, of a release or with a debug id, newest first. */
  listScriptsWithoutMap(
    release: string | undefined,
    debugId: string | undefined,
  ): readonly (WaitingFile & Pick<PlacedFile, "release" | "dist" | "uploadedMs">)[] {
    return this.#selectRows(
      `file.kind = 'script' AND file.map_hash IS NULL AND file.refusal IS NULL
         AND (upload.release IS ? OR file.debug_id = ?)`,
      release ?? null,
      debugId ?? null,
    ).map((row) => ({ ...toWaitingFile(row), ...toPlace(row), uploadedMs: row.uploaded_ms }));
  }

  /** True if a script of a ready upload has a debug id and no map. */
  hasScriptWithoutMap(): boolean {
    const query = `SELECT 1 FROM file JOIN upload ON upload.n = file.upload
      WHERE file.debug_id IS NOT NULL AND file.kind = 'script' AND file.map_hash IS NULL
        AND upload.state = 'ready' LIMIT 1`;
    return this.#sql.exec(query).toArray().length > 0;
  }

  #selectPlaced(condition: string, ...values: (string | null)[]): readonly PlacedFile[] {
    return this.#selectRows(condition, ...values).map((row) => ({
      ...toFile(row),
      ...toPlace(row),
      uploadedMs: row.uploaded_ms,
    }));
  }

  #selectRows(condition: string, ...values: (string | null)[]): readonly PlacedRow[] {
    return this.#sql
      .exec<PlacedRow>(
        `SELECT file.*, upload.release, upload.dist, upload.uploaded_ms
         FROM file JOIN upload ON upload.n = file.upload
         WHERE ${condition} AND upload.state = 'ready'
         ORDER BY file.upload DESC, file.n LIMIT ${MAX_NAMESAKES}`,
        ...values,
      )
      .toArray();
  }
}

function toPlace({ release, dist }: PlacedRow): Pick<PlacedFile, "release" | "dist"> {
  return { release: release ?? undefined, dist: dist ?? undefined };
}
