/** Accepts uploads: bundles that consist of chunks, and files that are uploaded alone. */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type {
  ArtifactFile,
  AssembleState,
  BundleToAssemble,
  SingleUpload,
  UploadRefusal,
} from "../../../core/ports/source-maps-port.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toArtifactFile } from "../queries/summarize.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { StoredUpload } from "../tables/upload-table.ts";
import type { Conversions } from "./conversions.ts";
import { type ReceivedBody, readPieces, receiveBody } from "./receive-body.ts";

/** Paths of the requests with a body. `SINGLE_PATH` has the members of `SingleUpload` as its query. */
export const CHUNKS_PATH = "/chunks";
export const SINGLE_PATH = "/single";

/** Bundles up to this size are converted before the response. */
const SMALL_BUNDLE_BYTES = 2 * 1024 * 1024;
/** A response waits at most this long for a conversion. */
const MAX_WAIT_MS = 25_000;
const POLL_MS = 100;
/** How long a request for a failed bundle gets its problem. sentry-cli asks for a minute. */
const FAILED_ANSWER_MS = 300_000;

export class Uploads {
  readonly #deps;
  /** Bodies are read one after another: each may take megabytes of memory. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly tables: ArtifactTables;
    readonly conversions: Conversions;
    readonly nowMs: () => number;
    /** Called when an upload was added: the alarm converts it. */
    readonly onAdded: () => Promise<void>;
  }) {
    this.#deps = deps;
  }

  /** Stores all chunks of a body, or none. */
  async storeChunks(
    body: ReadableStream<Uint8Array>,
    contentType: string,
  ): Promise<Result<{ readonly chunks: number }, UploadRefusal>> {
    const { tables, nowMs } = this.#deps;
    const received = await this.#readAlone(() => receiveChunks(body, contentType));
    if (!received.ok) return this.#refuse(received);
    const { value: chunks } = received;
    const added = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (tables.chunks.countBytes() + added > artifactLimits.maxPendingBytes)
      return this.#refuse(refuseFull());
    tables.transaction(() => {
      for (const { sha1, bytes } of chunks) tables.chunks.put(sha1, bytes, nowMs());
    });
    return ok({ chunks: chunks.length });
  }

  /** Stores a file, converts it, and describes what it contains. */
  async storeSingle(
    body: ReadableStream<Uint8Array>,
    single: SingleUpload,
  ): Promise<Result<{ readonly files: readonly ArtifactFile[] }, UploadRefusal>> {
    const { tables, nowMs } = this.#deps;
    const added: string[] = [];
    const received = await this.#readAlone(() =>
      receiveBody(body, (sha1, bytes) => {
        if (tables.chunks.countBytes() + bytes.length > artifactLimits.maxPendingBytes)
          return false;
        if (tables.chunks.getSize(sha1) === undefined) added.push(sha1);
        tables.chunks.put(sha1, bytes, nowMs());
        return true;
      }),
    );
    if (!received.ok) {
      tables.deleteChunks(added);
      return this.#refuse(received);
    }
    const id = this.#addSingle(received.value, single);
    await this.#deps.onAdded();
    const upload = await this.#waitFor(id);
    if (upload?.problem !== undefined)
      return fail({ reason: "invalid-upload", detail: upload.problem });
    const files = upload === undefined ? [] : tables.files.list(upload.n);
    return ok({ files: files.map(toArtifactFile) });
  }

  /** Assembles a bundle, or returns the missing chunks or the state of the conversion. */
  async assemble(bundle: BundleToAssemble): Promise<AssembleState> {
    const { tables, nowMs } = this.#deps;
    const { checksum, chunks, release, dist, tool, sender } = bundle;
    const id = createUploadId(bundle);
    const known = tables.uploads.find(id);
    if (known !== undefined && !this.#isObsolete(known)) {
      await this.#deps.onAdded();
      return this.#convertSmall(id);
    }
    if (known !== undefined) tables.deleteUpload(known.n);
    const upload = { id, checksum, chunks, uploadedMs: nowMs() };
    const facts = { release, dist, tool };
    const same = tables.uploads.findReady(checksum);
    if (same !== undefined && same.name === undefined && same.problem === undefined) {
      tables.transaction(() => {
        const n = tables.uploads.add({ ...upload, ...facts, chunks: [], state: "created" });
        tables.files.copy(same.n, n);
        tables.uploads.setReady(n);
      });
      await this.#deps.onAdded();
      return { state: "ok", missingChunks: [] };
    }
    const sizes = chunks.map((sha1) => tables.chunks.getSize(sha1));
    const missingChunks = [...new Set(chunks.filter((_, n) => sizes[n] === undefined))];
    if (missingChunks.length > 0) {
      tables.chunks.expect(chunks);
      return { state: "not_found", missingChunks };
    }
    const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    if (bytes === 0) return failState("The bundle is empty.");
    if (bytes > artifactLimits.maxBundleBytes) {
      return failState(
        `The bundle has ${bytes} bytes; at most ${artifactLimits.maxBundleBytes} are accepted.`,
      );
    }
    tables.transaction(() => {
      tables.uploads.add({ ...upload, ...facts, state: "created" });
      tables.inflation.setSender(id, sender);
    });
    await this.#deps.onAdded();
    return this.#convertSmall(id);
  }

  /** A tool that asks long after an upload failed must send it again. */
  #isObsolete({ problem, uploadedMs }: StoredUpload): boolean {
    return problem !== undefined && this.#deps.nowMs() - uploadedMs > FAILED_ANSWER_MS;
  }

  /** Converts a small bundle that is next in the queue, and returns the state. */
  async #convertSmall(id: string): Promise<AssembleState> {
    const { tables, conversions, nowMs } = this.#deps;
    const untilMs = nowMs() + MAX_WAIT_MS;
    for (;;) {
      const upload = tables.uploads.find(id);
      const isNext = upload !== undefined && tables.uploads.listUnfinished()[0]?.id === id;
      if (!isNext || nowMs() >= untilMs || countBytes(tables, upload) > SMALL_BUNDLE_BYTES)
        return toAssembleState(upload);
      await conversions.runSome();
    }
  }

  #addSingle({ checksum, chunks }: ReceivedBody, single: SingleUpload): string {
    const { tables, nowMs } = this.#deps;
    const { name = "", sender, ...facts } = single;
    const id = createUploadId({ checksum, name, ...facts });
    const known = tables.uploads.find(id);
    if (known !== undefined && known.state !== "failed") return id;
    tables.transaction(() => {
      if (known !== undefined) tables.deleteUpload(known.n);
      const upload = { id, checksum, chunks, uploadedMs: nowMs(), state: "created" } as const;
      tables.uploads.add({ ...upload, ...facts, name });
      tables.inflation.setSender(id, sender);
    });
    return id;
  }

  /** Resolves when an upload is finished, or after a while. */
  async #waitFor(id: string): Promise<StoredUpload | undefined> {
    const { tables, conversions, nowMs } = this.#deps;
    const untilMs = nowMs() + MAX_WAIT_MS;
    for (;;) {
      const upload = tables.uploads.find(id);
      if (!isUnfinished(upload) || nowMs() >= untilMs) return upload;
      const [first] = tables.uploads.listUnfinished();
      // Alarms convert larger ones; each alarm has separate CPU time.
      const isSmall = first?.id === id && countBytes(tables, first) <= SMALL_BUNDLE_BYTES;
      if (isSmall) await conversions.runSome();
      else await scheduler.wait(POLL_MS);
    }
  }

  #readAlone<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#reading.then(read);
    this.#reading = result.catch(() => undefined);
    return result;
  }

  /** Upload plugins do not print why a request failed, so the desk shows it. */
  #refuse<T extends UploadRefusal>(refusal: T): T {
    this.#deps.tables.failures.add(refusal.detail, this.#deps.nowMs());
    return refusal;
  }
}

function isUnfinished(upload: StoredUpload | undefined): boolean {
  return upload?.state === "created" || upload?.state === "converting";
}

function countBytes({ chunks }: ArtifactTables, upload: StoredUpload): number {
  return upload.chunks.reduce((sum, sha1) => sum + (chunks.getSize(sha1) ?? 0), 0);
}

/** The same bytes for another release, dist or URL are another upload. */
function createUploadId(
  upload: Pick<StoredUpload, "checksum" | "release" | "dist" | "name" | "url">,
): string {
  const { checksum, release = "", dist = "", name = null, url = null } = upload;
  return hash("sha1", JSON.stringify([checksum, release, dist, name, url]));
}

function toAssembleState(upload: StoredUpload | undefined): AssembleState {
  if (upload?.problem !== undefined) return failState(upload.problem);
  const state = upload?.state === "ready" ? "ok" : "created";
  return { state, missingChunks: [] };
}

function failState(detail: string): AssembleState {
  return { state: "error", missingChunks: [], detail };
}

function refuseFull() {
  const { maxPendingBytes } = artifactLimits;
  return fail({
    reason: "storage-full",
    detail: `Unfinished uploads have reached their limit of ${maxPendingBytes} bytes. Try again later.`,
  } as const);
}

// Reads chunks of bundles from the body of a request and verifies each.

/** A verified chunk. */
interface ReceivedChunk {
  readonly sha1: string;
  readonly bytes: Uint8Array;
}

type Received = Result<readonly ReceivedChunk[], UploadRefusal>;

/** A field of a multipart body: `file_gzip` is compressed, `file` is not. */
const FIELDS = ["file_gzip", "file"] as const;

/**
 * The chunks of a multipart body, each a file named by its SHA-1. Fails with `invalid-upload` if
 * one is not what its name says, and with `upload-too-large`.
 */
async function receiveChunks(
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<Received> {
  const { maxChunkBodyBytes, chunksPerRequest } = artifactLimits;
  const pieces = readPieces(body);
  let count = 0;
  const limited = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      count += value.length;
      if (count > maxChunkBodyBytes) throw new Error("the body is too large");
      controller.enqueue(value.slice());
    },
  });
  const response = new Response(limited, { headers: { "content-type": contentType } });
  const form = await response.formData().catch(() => null);
  void pieces.return(undefined);
  if (count > maxChunkBodyBytes)
    return refuse("upload-too-large", `A request may have at most ${maxChunkBodyBytes} bytes.`);
  if (form === null)
    return refuse("invalid-upload", "The body is not complete multipart/form-data.");
  const files = FIELDS.flatMap((field) => form.getAll(field).map((file) => ({ field, file })));
  if (files.length === 0)
    return refuse("invalid-upload", "The body has no file in a field file_gzip or file.");
  if (files.length > chunksPerRequest)
    return refuse("upload-too-large", `A request may have at most ${chunksPerRequest} chunks.`);
  const chunks: ReceivedChunk[] = [];
  for (const { field, file } of files) {
    if (typeof file === "string")
      return refuse("invalid-upload", `The field ${field} has no file name.`);
    const chunk = readChunk(file.name, Buffer.from(await file.arrayBuffer()), field);
    if (!chunk.ok) return chunk;
    chunks.push(chunk.value);
  }
  return ok(chunks);
}

function readChunk(
  name: string,
  sent: Uint8Array,
  field: (typeof FIELDS)[number],
): Result<ReceivedChunk, UploadRefusal> {
  const { chunkBytes } = artifactLimits;
  const bytes = field === "file" ? sent : gunzip(sent, chunkBytes);
  const label = `The chunk ${JSON.stringify(name.slice(0, 60))}`;
  if (bytes === "invalid") return refuse("invalid-upload", `${label} is not valid gzip.`);
  if (bytes === "too-large" || bytes.length > chunkBytes)
    return refuse("upload-too-large", `${label} has more than ${chunkBytes} bytes.`);
  const sha1 = hash("sha1", bytes);
  if (sha1 !== name.toLowerCase())
    return refuse("invalid-upload", `${label} has the SHA-1 ${sha1}.`);
  return ok({ sha1, bytes });
}

function gunzip(bytes: Uint8Array, maxOutputLength: number): Uint8Array | "invalid" | "too-large" {
  try {
    return gunzipSync(bytes, { maxOutputLength });
  } catch (error) {
    return error instanceof RangeError ? "too-large" : "invalid";
  }
}

function refuse<R extends UploadRefusal["reason"]>(reason: R, detail: string) {
  return fail({ reason, detail });
}
