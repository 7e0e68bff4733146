/** All SQLite tables of the object. Synchronous. */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { toArtifactPackKey, toArtifactReleasesKey, toArtifactUploadKey } from "../../kv/keys.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { ARTIFACT_SCHEMA } from "./artifact-schema.ts";
import { ChunkTable } from "./chunk-table.ts";
import { FailureTable } from "./failure-table.ts";
import { FileTable } from "./file-table.ts";
import { InflationTable } from "./inflation-table.ts";
import { MapTable } from "./map-table.ts";
import { PackTable } from "./pack-table.ts";
import { PageHostTable } from "./page-host-table.ts";
import { ReadyFiles } from "./ready-files.ts";
import { ReleaseFactsTable } from "./release-facts-table.ts";
import { createScratchTable, type Scratch } from "./scratch-table.ts";
import { SourceFunctionTable } from "./source-function-table.ts";
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
    return [...uploads, ...packs, toArtifactReleasesKey(this.#project)];
  }

  wipe(): void {
    this.#database.wipe(["reported"]);
    this.scratch.clear();
  }
}
