/** Reads the body of a file that is uploaded alone, and cuts it into chunks as it arrives. */
import { createHash, hash } from "node:crypto";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type { UploadRefusal } from "../../../core/ports/source-maps-port.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { concat } from "../../../core/symbolication/codec.ts";

/** A body whose chunks are stored. */
export interface ReceivedBody {
  /** The SHA-1 of all bytes, in hex. */
  readonly checksum: string;
  /** The SHA-1 of each chunk, in order. */
  readonly chunks: readonly string[];
}

const GZIP = [0x1f, 0x8b];
const PIECE_BYTES = 64 * 1024;

/**
 * Passes the chunks of a body, inflated if it is gzip, to `store`, which returns false if there is
 * no room. The bytes are valid during the call only, so `store` copies them. Fails with
 * `upload-too-large`, `storage-full` and, if gzip ends early or the body is empty, with
 * `invalid-upload`.
 */
export async function receiveBody(
  body: ReadableStream<Uint8Array>,
  store: (sha1: string, bytes: Uint8Array) => boolean,
): Promise<Result<ReceivedBody, UploadRefusal>> {
  const whole = createHash("sha1");
  const chunks: string[] = [];
  let total = 0;
  const chunk = new Uint8Array(artifactLimits.chunkBytes);
  let count = 0;
  const flush = (): boolean => {
    const bytes = chunk.subarray(0, count);
    count = 0;
    const sha1 = hash("sha1", bytes);
    chunks.push(sha1);
    return store(sha1, bytes);
  };
  try {
    for await (const part of inflateGzip(body)) {
      whole.update(part);
      total += part.length;
      if (total > artifactLimits.maxBundleBytes) return refuseSize();
      for (let rest = part; rest.length > 0; ) {
        const taken = rest.subarray(0, artifactLimits.chunkBytes - count);
        chunk.set(taken, count);
        count += taken.length;
        rest = rest.subarray(taken.length);
        if (count === artifactLimits.chunkBytes && !flush()) return refuseFull();
      }
    }
  } catch (error) {
    return fail({ reason: "invalid-upload", detail: `The body cannot be read: ${String(error)}` });
  }
  if (count > 0 && !flush()) return refuseFull();
  if (total === 0) return fail({ reason: "invalid-upload", detail: "The body is empty." });
  return ok({ checksum: whole.digest("hex"), chunks });
}

/** The body, inflated if it begins as gzip does. Each piece is valid until the next one. */
async function* inflateGzip(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = readPieces(body);
  const first = await readStart(pieces);
  if (!GZIP.every((byte, at) => first[at] === byte)) {
    yield first;
    yield* pieces;
    return;
  }
  const compressed = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value.slice());
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
  const inflated = compressed.pipeThrough(new DecompressionStream("gzip"));
  yield* readPieces(inflated as ReadableStream<Uint8Array>);
}

/**
 * The pieces of a body, each valid until the next one. Rejects if the sender pauses for `pauseMs`,
 * because other uploads wait for this one. All reads share a buffer: for a map of 64 MB, thousands
 * would wait for garbage collection.
 */
export async function* readPieces(
  stream: ReadableStream<Uint8Array>,
  pauseMs: number = artifactLimits.maxPauseMs,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: "byob" });
  try {
    for (let buffer = new ArrayBuffer(PIECE_BYTES); ; ) {
      const { done, value } = await limitTime(reader.read(new Uint8Array(buffer)), pauseMs);
      if (done) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    // Without await: the body of a sender that pauses may not end.
    reader.cancel().catch(() => undefined);
  }
}

async function limitTime<T>(result: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no bytes for ${ms / 1_000} s`)), ms);
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** A copy of the first bytes: two or more, unless the stream ends. */
async function readStart(pieces: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array();
  while (start.length < GZIP.length) {
    const { done, value } = await pieces.next();
    if (done) break;
    start = concat([start, value]);
  }
  return start;
}

function refuseSize() {
  const detail = `The upload has more than ${artifactLimits.maxBundleBytes} bytes.`;
  return fail({ reason: "upload-too-large", detail } as const);
}

function refuseFull() {
  const detail = `Unfinished uploads have reached their limit of ${artifactLimits.maxPendingBytes} bytes.`;
  return fail({ reason: "storage-full", detail } as const);
}
