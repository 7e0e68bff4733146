/**
 * A request's body as bytes, capped while it is read and again while it is inflated, so that neither an endless body nor a
 * decompression bomb is ever held. `Content-Length` is a hint, never believed. Workers hand over request bodies as they
 * were sent, `Content-Encoding` not undone.
 */
import { gunzipSync, inflateSync } from "node:zlib";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";

/** Why there are no bytes. `body-cut`: the sender went away before the end. */
export type BodyFailure =
  | {
      readonly reason: "too-large";
      readonly limit: "maxBodyBytes" | "maxInflatedBytes";
      readonly max: number;
    }
  | { readonly reason: "bad-encoding"; readonly expected: string }
  | { readonly reason: "empty" }
  | { readonly reason: "body-cut" };

/** The decoded body of a request, at most `limits.maxInflatedBytes` bytes. Consumes the request. Never rejects. */
export async function readBody(request: Request): Promise<Result<Uint8Array, BodyFailure>> {
  const coding = codingOf(request.headers.get("content-encoding") ?? "");
  if (coding === undefined) return badEncoding("Content-Encoding gzip, deflate or none");
  const max = limits.maxBodyBytes;
  const told = Number(request.headers.get("content-length") ?? 0);
  if (told > max) return fail({ reason: "too-large", limit: "maxBodyBytes", max });
  if (request.body === null) return fail({ reason: "empty" });
  const sent = await readAll(request.body, max);
  if (sent === "over") return fail({ reason: "too-large", limit: "maxBodyBytes", max });
  if (sent === "broken") return fail({ reason: "body-cut" });
  if (sent.length === 0) return fail({ reason: "empty" });
  return coding === "identity" ? ok(sent) : inflate(sent, coding);
}

function badEncoding(expected: string): Result<Uint8Array, BodyFailure> {
  return fail({ reason: "bad-encoding", expected });
}

type Coding = "identity" | "gzip" | "deflate";

/** Real SDKs have sent an empty header and `UTF-8`; both mean nothing. Undefined for what is not understood. */
function codingOf(header: string): Coding | undefined {
  const codings = header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim().replace(/^x-/, ""))
    .filter((coding) => !["", "identity", "utf-8", "utf8"].includes(coding));
  const [coding, another] = codings;
  if (coding === undefined) return "identity";
  if (another !== undefined) return undefined;
  return coding === "gzip" || coding === "deflate" ? coding : undefined;
}

/**
 * In one step, with the cap inside: workerd's `DecompressionStream` takes in and inflates all that is written to it before
 * a reader could say stop (a 1.5 MB bomb held 1.5 GB), and needs four times the CPU.
 */
function inflate(bytes: Uint8Array, coding: "gzip" | "deflate"): Result<Uint8Array, BodyFailure> {
  const max = limits.maxInflatedBytes;
  try {
    const options = { maxOutputLength: max };
    const inflated = coding === "gzip" ? gunzipSync(bytes, options) : inflateSync(bytes, options);
    if (inflated.length === 0) return fail({ reason: "empty" });
    return ok(new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.length));
  } catch (error) {
    // Node and workerd agree on the class for what is over `maxOutputLength`, and on nothing else.
    if (error instanceof RangeError) {
      return fail({ reason: "too-large", limit: "maxInflatedBytes", max });
    }
    return badEncoding(`a body in the Content-Encoding it names, ${coding}`);
  }
}

const FIRST_ROOM_BYTES = 16 * 1024;

/**
 * All bytes of a stream; `over` as soon as they are more than `maxBytes`, `broken` when the stream fails. Copied as they come:
 * a body that drips byte by byte would otherwise hold a buffer of its own for each of them.
 */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | "over" | "broken"> {
  let bytes = new Uint8Array(FIRST_ROOM_BYTES);
  let length = 0;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, length);
      if (length + value.length > maxBytes) {
        await reader.cancel();
        return "over";
      }
      bytes = withRoom(bytes, length, value.length);
      bytes.set(value, length);
      length += value.length;
    }
  } catch {
    return "broken";
  }
}

/** The same bytes, in a buffer that takes `more`. */
function withRoom(
  bytes: Uint8Array<ArrayBuffer>,
  length: number,
  more: number,
): Uint8Array<ArrayBuffer> {
  if (length + more <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(bytes.length * 2, length + more));
  larger.set(bytes.subarray(0, length));
  return larger;
}
