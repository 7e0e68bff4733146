/** Reads chunks of bundles from the body of a request and verifies each. */
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type { UploadRefusal } from "../../../core/ports/source-maps-port.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { readPieces } from "./receive-body.ts";

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
export async function receiveChunks(
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
