/** All SQLite tables of the object. Synchronous. */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { decodeText, parseJsonText } from "../../../core/decode/parse-json.ts";
import {
  decodeFunctionTable,
  type FunctionTable,
} from "../../../core/symbolication/names/function-table.ts";
import { NAMES_VERSION } from "../../../core/symbolication/parse-functions.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import { RELEASES_COPY, toArtifactPackKey, toArtifactUploadKey, toCopyKey } from "../../kv/keys.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { upsert } from "../../sqlite/table.ts";
import { ARTIFACT_SCHEMA } from "./artifact-schema.ts";
import { ChunkTable } from "./chunk-table.ts";
import { FileTable } from "./file-table.ts";
import { MapTable } from "./map-table.ts";
import { PackTable } from "./pack-table.ts";
import { rawDeflate } from "./raw-deflate.ts";
import { ReadyFiles } from "./ready-files.ts";
import { ReleaseFactsTable } from "./release-facts-table.ts";
import { createScratchTable, type Scratch } from "./scratch-table.ts";
import { UploadTable } from "./upload-table.ts";

/** The environment of the parts of the object. */
export interface ArtifactDeps {
  readonly project: string;
  readonly tables: ArtifactTables;
  readonly storage: DurableObjectStorage;
  readonly kv: () => KVNamespace;
  readonly nowMs: () => number;
}

export class ArtifactTables {
  readonly chunks: ChunkTable;
  readonly uploads: UploadTable;
  readonly files: FileTable;
  readonly readyFiles: ReadyFiles;
  readonly maps: MapTable;
  readonly functions: SourceFunctionTable;
  readonly packs: PackTable;
  readonly releases: ReleaseFactsTable;
  readonly failures: FailureTable;
  readonly inflation: InflationTable;
  readonly pageHosts: PageHostTable;
  readonly scratch: Scratch;
  readonly transaction: (change: () => void) => void;
  /** Returns the number of row changes since the object started. */
  readonly countChanges: () => number;

  readonly #project: string;
  readonly #database: Database;

  constructor(
    storage: DurableObjectStorage,
    project: string,
    database: Database = openDatabase(storage, ARTIFACT_SCHEMA),
  ) {
    this.#project = project;
    this.#database = database;
    this.packs = new PackTable(storage);
    this.chunks = new ChunkTable(storage);
    this.uploads = new UploadTable(storage);
    this.files = new FileTable(storage);
    this.readyFiles = new ReadyFiles(storage);
    this.maps = new MapTable(storage);
    this.functions = new SourceFunctionTable(storage);
    this.releases = new ReleaseFactsTable(storage);
    this.failures = new FailureTable(storage);
    this.inflation = new InflationTable(storage);
    this.pageHosts = new PageHostTable(storage);
    this.scratch = createScratchTable(storage);
    this.transaction = (change) => storage.transactionSync(change);
    this.countChanges = () =>
      storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n;
  }

  /** Deletes chunks of a finished upload, except those that other uploads use. */
  deleteChunks(sha1s: readonly string[]): void {
    const kept = this.uploads.listUnpaired().flatMap(({ chunks }) => chunks);
    const used = new Set([...this.listUsedChunks(), ...kept]);
    this.chunks.delete(sha1s.filter((sha1) => !used.has(sha1) && !this.chunks.isExpected(sha1)));
  }

  /** Deletes the oldest chunks of unpaired files above the limits. */
  limitUnpaired(): void {
    let bytes = 0;
    for (const [at, { n, chunks }] of this.uploads.listUnpaired().entries()) {
      bytes += chunks.reduce((sum, sha1) => sum + (this.chunks.getSize(sha1) ?? 0), 0);
      const { maxUnpairedBytes, maxUnpairedFiles } = artifactLimits;
      if (bytes <= maxUnpairedBytes && at < maxUnpairedFiles) continue;
      this.uploads.clearChunks(n);
      this.deleteChunks(chunks);
    }
  }

  /** The chunks of unfinished uploads. */
  listUsedChunks(): ReadonlySet<string> {
    return new Set(this.uploads.listUnfinished().flatMap(({ chunks }) => chunks));
  }

  /** True if there is anything that a page could show. */
  hasContent(): boolean {
    const isEmpty = this.uploads.isEmpty() && this.releases.isEmpty();
    return !isEmpty || this.failures.list().length > 0;
  }

  /** Deletes an upload, and the maps that no other upload has. */
  deleteUpload(n: number): void {
    const own = this.files.listOwnMaps(n);
    const upload = this.uploads.get(n);
    this.transaction(() => {
      this.uploads.delete(n);
      this.files.delete(n);
      for (const hash of own) this.deleteMap(hash);
      this.deleteChunks(upload?.chunks ?? []);
      // KV has no record of a failed upload.
      if (upload && upload.state !== "failed")
        this.packs.addDeletedKeys([toArtifactUploadKey(this.#project, upload)]);
    });
  }

  /** Deletes maps without an upload: their upload was deleted during the conversion. */
  deleteOrphanMaps(beforeMs: number): void {
    for (const hash of this.maps.listOrphans(beforeMs))
      this.transaction(() => this.deleteMap(hash));
  }

  deleteMap(hash: string): void {
    this.maps.delete(hash);
    this.functions.delete(hash);
    this.packs.removeMap(hash);
  }

  /** The keys of the record in KV. */
  listKeys(): readonly string[] {
    const uploads = this.uploads.list().map((one) => toArtifactUploadKey(this.#project, one));
    const packs = this.packs.listNames().map((name) => toArtifactPackKey(this.#project, name));
    return [...uploads, ...packs, toCopyKey(this.#project, RELEASES_COPY)];
  }

  wipe(): void {
    this.#database.wipe(["reported"]);
    this.scratch.clear();
    this.releases.forgetDeploys();
  }
}

/** A failure: a sentence, and when it happened. */
interface UploadFailure {
  readonly atMs: number;
  readonly detail: string;
}

/** SQLite table of the newest failures of uploads, which upload tools do not show. Synchronous. */
class FailureTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds a failure, unless the newest one is the same, and deletes the oldest above the limit. */
  add(detail: string, nowMs: number): void {
    if (this.list()[0]?.detail === detail) return;
    this.#sql.exec("INSERT INTO failure(at_ms, detail) VALUES (?, ?)", nowMs, detail);
    this.#sql.exec(
      "DELETE FROM failure WHERE n <= (SELECT max(n) FROM failure) - ?",
      artifactLimits.listedFailures,
    );
  }

  /** Newest first. */
  list(): readonly UploadFailure[] {
    return this.#sql
      .exec<{ at_ms: number; detail: string }>("SELECT at_ms, detail FROM failure ORDER BY n DESC")
      .toArray()
      .map(({ at_ms, detail }) => ({ atMs: at_ms, detail }));
  }

  /** Replaces the sentences that `change` changes. */
  change(change: (detail: string) => string): void {
    const rows = this.#sql.exec<{ n: number; detail: string }>("SELECT n, detail FROM failure");
    for (const { n, detail } of rows.toArray()) {
      const changed = change(detail);
      if (changed === detail) continue;
      this.#sql.exec("UPDATE failure SET detail = ? WHERE n = ?", changed, n);
    }
  }
}

const SAVE_SENDER = upsert("upload_sender", ["upload"], ["sender"]);
const SAVE_INFLATION = upsert("inflation", ["sender"], ["hour", "bytes"]);

/**
 * SQLite tables of the bytes that each sender's uploads inflate to in the current hour, and of the
 * senders of uploads that are not opened yet. Synchronous.
 */
class InflationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Notes who sent an upload, by its id. */
  setSender(upload: string, sender = ""): void {
    this.#sql.exec(SAVE_SENDER, upload, sender);
  }

  /**
   * Counts the bytes that an upload is about to inflate to, and forgets its sender. False, without
   * counting, if its sender then exceeds `maxInflatedBytesPerHour`.
   */
  charge(upload: string, bytes: number, nowMs: number): boolean {
    const remove = "DELETE FROM upload_sender WHERE upload = ? RETURNING sender";
    const [{ sender } = { sender: "" }] = this.#sql.exec<{ sender: string }>(remove, upload);
    const hour = Math.floor(nowMs / HOUR_MS);
    this.#sql.exec("DELETE FROM inflation WHERE hour < ?", hour);
    const query = "SELECT bytes FROM inflation WHERE sender = ?";
    const [row] = this.#sql.exec<{ bytes: number }>(query, sender);
    const sum = (row?.bytes ?? 0) + bytes;
    if (sum > artifactLimits.maxInflatedBytesPerHour) return false;
    this.#sql.exec(SAVE_INFLATION, sender, hour, sum);
    return true;
  }
}

const SAVE_PAGE_HOST = upsert("page_host", ["host"], ["at_ms"]);

/** Hosts that are kept: those that reported last. */
const MAX_HOSTS = 500;
const MAX_HOST_CHARS = 255;
/** The time of a host is stored at most this often. */
const REPEAT_MS = 86_400_000;

/**
 * SQLite table of the hosts of pages that reported stacks: scripts on them belong to the project.
 * Not recorded in KV, because each report names its host again. Synchronous.
 */
class PageHostTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(host: string, nowMs: number): void {
    const knownMs = this.#getTime(host) ?? Number.NEGATIVE_INFINITY;
    if (host.length > MAX_HOST_CHARS || nowMs - knownMs < REPEAT_MS) return;
    this.#sql.exec(SAVE_PAGE_HOST, host, nowMs);
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

const SAVE_FUNCTIONS = upsert("source_functions", ["hash", "source"], ["version", "functions"]);

/** The largest inflated row. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * SQLite table of the functions of sources, by map and source. A row is written when a frame first
 * needs it, and deleted with its map. Not in the record in KV: it can be read again. Synchronous.
 */
class SourceFunctionTable {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * The functions of a source; null if it has none that can be read. Undefined if it was not read,
   * or by another version.
   */
  get(hash: string, source: number): FunctionTable | null | undefined {
    const [row] = this.#storage.sql
      .exec<{ functions: ArrayBuffer | null }>(
        "SELECT functions FROM source_functions WHERE hash = ? AND source = ? AND version = ?",
        hash,
        source,
        NAMES_VERSION,
      )
      .toArray();
    if (row === undefined || row.functions === null) return row && null;
    const bytes = rawDeflate.inflate(new Uint8Array(row.functions), MAX_BYTES);
    return (bytes && decodeFunctionTable(parseJsonText(decodeText(bytes)))) ?? undefined;
  }

  put(hash: string, source: number, functions: FunctionTable | null): void {
    const json = functions && new TextEncoder().encode(JSON.stringify(functions));
    const bytes = json && rawDeflate.deflate(json);
    this.#storage.sql.exec(SAVE_FUNCTIONS, hash, source, NAMES_VERSION, bytes);
  }

  delete(hash: string): void {
    this.#storage.sql.exec("DELETE FROM source_functions WHERE hash = ?", hash);
  }
}
