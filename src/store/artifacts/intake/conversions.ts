/**
 * Converts uploads file by file. The state is in SQLite after each file, so an evicted object
 * continues after that file. One file is converted at a time.
 */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import { yieldToRequests } from "../../yield-to-requests.ts";
import type { ArtifactDeps, ArtifactTables } from "../tables/artifact-tables.ts";
import type { WaitingFile } from "../tables/stored-file.ts";
import type { StoredUpload } from "../tables/upload-table.ts";
import { openChunks } from "./chunk-range.ts";
import { convertFile, markFileFailed } from "./convert-file.ts";
import { openUpload } from "./open-upload.ts";
import { isUnpairedFile } from "./separate-files.ts";
import { openSourceFiles, type SourceFiles } from "./source-files.ts";

/** Attempts to read an upload or to convert a file. An attempt fails if the object is evicted. */
const MAX_ATTEMPTS = 3;
/** A run ends after these bytes: a request of an object may use 30 s of CPU. */
const BYTES_PER_RUN = 4 * 1024 * 1024;
const FILES_PER_RUN = 100;

export class Conversions {
  readonly #deps;
  #running: Promise<boolean> | null = null;

  constructor(
    deps: Pick<ArtifactDeps, "tables" | "storage" | "nowMs"> & {
      /** Called before a large file is converted. */
      readonly freeMemory: () => void;
      /** Called when an upload is ready or has failed. */
      readonly onFinished: (upload: StoredUpload) => void;
    },
  ) {
    this.#deps = deps;
  }

  /**
   * Converts some files of the oldest upload. Resolves to true if work remains. Concurrent calls
   * share one run.
   */
  runSome(): Promise<boolean> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<boolean> {
    const { tables, nowMs } = this.#deps;
    const [upload] = tables.uploads.listUnfinished();
    if (upload === undefined) return false;
    const range = openChunks(tables.chunks, upload.chunks);
    if (upload.state === "created" && !(await this.#open(upload, range))) return true;
    const sources = openSourceFiles(tables.files, upload.n, range);
    let bytes = 0;
    for (let count = 0; count < FILES_PER_RUN; count++) {
      const file = tables.files.getNextWaiting(upload.n);
      if (file === undefined) {
        this.#finish(upload);
        return tables.uploads.listUnfinished().length > 0;
      }
      bytes += countInput(tables, file);
      if (count > 0 && bytes > BYTES_PER_RUN) return true;
      let refusal: string | undefined;
      try {
        refusal = await this.#convert(file, range, sources);
      } catch (error) {
        if (tables.uploads.get(upload.n) !== undefined) throw error;
      }
      if (tables.uploads.get(upload.n) === undefined) {
        tables.deleteOrphanMaps(nowMs() + 1);
        return true;
      }
      // The other files of such an archive would only cost time.
      if (refusal !== undefined && upload.name !== undefined && file.entry.in !== "upload") {
        this.#fail(upload, refusal);
        tables.deleteOrphanMaps(nowMs() + 1);
        return true;
      }
      await yieldToRequests();
    }
    return true;
  }

  /** Adds the files of an upload. False if it failed. */
  async #open(upload: StoredUpload, range: ByteRange): Promise<boolean> {
    const { tables, storage, nowMs } = this.#deps;
    const attempts = tables.uploads.countAttempt(upload.n);
    if (attempts > MAX_ATTEMPTS) {
      this.#fail(upload, "The upload could not be read after several attempts.");
      return false;
    }
    // Without this line, an object that runs out of memory would retry forever.
    await storage.sync();
    const files = openUpload(upload, range);
    if (!files.ok) {
      this.#fail(upload, files.detail);
      return false;
    }
    const bytes = files.value.reduce((sum, file) => sum + file.bytes, 0);
    if (!tables.inflation.charge(upload.id, bytes, nowMs())) {
      this.#fail(upload, TOO_MANY_BYTES);
      return false;
    }
    tables.transaction(() => {
      tables.files.add(upload.n, files.value);
      tables.uploads.startConverting(upload.n);
    });
    return true;
  }

  /** Resolves to a sentence if a map of the upload is none. */
  async #convert(
    file: WaitingFile,
    range: ByteRange,
    sources: SourceFiles | null,
  ): Promise<string | undefined> {
    const { tables, storage, nowMs, freeMemory } = this.#deps;
    if (countInput(tables, file) > BYTES_PER_RUN) freeMemory();
    if (tables.files.countAttempt(file) > MAX_ATTEMPTS) {
      markFileFailed(tables, file);
      return undefined;
    }
    await storage.sync();
    return convertFile({ tables, nowMs, sources }, file, range);
  }

  #finish(upload: StoredUpload): void {
    const { tables, nowMs } = this.#deps;
    const files = tables.files.list(upload.n);
    const refused = files.find(({ refusal }) => refusal !== undefined);
    const isUsable = files.some(({ mapHash }) => mapHash !== undefined);
    const problem =
      refused && !isUsable
        ? `No source map can be read. ${refused.url}: ${refused.refusal}`
        : undefined;
    tables.transaction(() => {
      tables.uploads.setReady(
        upload.n,
        problem,
        isUnpairedFile(tables, files) ? upload.chunks : [],
      );
      tables.deleteChunks(upload.chunks);
      tables.limitUnpaired();
      const detail = problem ?? (refused && `${refused.url}: ${refused.refusal}`);
      if (detail !== undefined) tables.failures.add(nameUpload(upload, detail), nowMs());
    });
    this.#deps.onFinished(upload);
  }

  #fail(upload: StoredUpload, problem: string): void {
    const { tables, nowMs } = this.#deps;
    tables.transaction(() => {
      tables.uploads.setFailed(upload.n, problem);
      tables.files.delete(upload.n);
      tables.deleteChunks(upload.chunks);
      tables.failures.add(nameUpload(upload, problem), nowMs());
    });
    this.#deps.onFinished(upload);
  }
}

const TOO_MANY_BYTES =
  `The files of this token's uploads have more than ${artifactLimits.maxInflatedBytesPerHour} ` +
  "bytes in this hour, after decompression. Try again in the next hour.";

/** The bytes that a file and its map may take. A script has one of the upload's maps. */
function countInput({ files }: ArtifactTables, file: WaitingFile): number {
  if (file.kind !== "script") return file.bytes;
  const maps = files.listMaps(file.upload).map(({ bytes }) => bytes);
  return file.bytes + Math.max(0, ...maps);
}

function nameUpload({ release, tool }: StoredUpload, detail: string): string {
  const parts = [release, tool].filter((part) => part !== undefined);
  const text = parts.length === 0 ? detail : `${parts.join(", ")}: ${detail}`;
  return text.slice(0, artifactLimits.maxUrlChars);
}
