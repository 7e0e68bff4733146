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

/** All bytes of a stream; `over` as soon as they are more than `maxBytes`, `broken` when the stream fails. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | "over" | "broken"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return join(chunks, length);
      length += value.length;
      if (length > maxBytes) {
        await reader.cancel();
        return "over";
      }
      chunks.push(value);
    }
  } catch {
    return "broken";
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
