/**
 * A request's body as bytes, capped while it is read and again while it is inflated, so that neither an endless body nor a
 * decompression bomb is ever held. `Content-Length` is a hint, never believed. Workers hand over request bodies as they
 * were sent, `Content-Encoding` not undone.
 */
import { limits } from "../core/limits.ts";
import { fail, type Result } from "../core/result.ts";
import { type CodingFailure, undoCodings } from "./content-coding.ts";

/** Why there are no bytes. `body-cut`: the sender went away before the end. */
export type BodyFailure =
  | CodingFailure
  | { readonly reason: "too-large"; readonly limit: "maxBodyBytes"; readonly max: number }
  | { readonly reason: "empty" }
  | { readonly reason: "body-cut" };

/** The decoded body of a request, at most `limits.maxInflatedBytes` bytes. Consumes the request. Never rejects. */
export async function readBody(request: Request): Promise<Result<Uint8Array, BodyFailure>> {
  const max = limits.maxBodyBytes;
  const told = Number(request.headers.get("content-length") ?? 0);
  if (told > max) return fail({ reason: "too-large", limit: "maxBodyBytes", max });
  if (request.body === null) return fail({ reason: "empty" });
  const sent = await readAll(request.body, max);
  if (sent === "over") return fail({ reason: "too-large", limit: "maxBodyBytes", max });
  if (sent === "broken") return fail({ reason: "body-cut" });
  if (sent.length === 0) return fail({ reason: "empty" });
  const body = undoCodings(sent, request.headers.get("content-encoding") ?? "");
  return body.ok && body.value.length === 0 ? fail({ reason: "empty" }) : body;
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
