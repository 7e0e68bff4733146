/**
 * What undoes a body's `Content-Encoding`, each step under `limits.maxInflatedBytes`. Where a header is wrong and the body
 * itself is clear, the body is believed: a proxy undoes a coding and leaves the header, a sender forgets to name one.
 * Source: RFC 9110 § 8.4.1; gzip RFC 1952, deflate RFC 1950, br RFC 7932, zstd RFC 8878.
 */
import { Buffer } from "node:buffer";
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { CodingFailure } from "./failures.ts";

type Decoded = Result<Uint8Array<ArrayBuffer>, CodingFailure>;

/** A proxy that compresses what was compressed makes two; more are nobody's. */
const MAX_CODINGS = 2;

const TAKEN = `Content-Encoding gzip, deflate, br, zstd or none, at most ${MAX_CODINGS} of them`;

/**
 * The body without the codings of its `Content-Encoding` (`""` without the header), the last one undone first. May be empty.
 * Fails for data that is not in the coding it names, for a coding that is not known, and for what inflates to more than
 * `limits.maxInflatedBytes`. Never throws.
 */
export function undoCodings(sent: Uint8Array<ArrayBuffer>, header: string): Decoded {
  const codings = codingsOf(header);
  if (codings.length === 0) return undoUnnamed(sent);
  if (codings.length > MAX_CODINGS) return asJson(sent) ?? badEncoding(TAKEN);
  let bytes = sent;
  for (const coding of codings.toReversed()) {
    const undone = undo(bytes, coding);
    if (!undone.ok || undone.value.length === 0) return undone;
    bytes = undone.value;
  }
  return ok(bytes);
}

/** Real SDKs have sent an empty header and `UTF-8`; both mean nothing. */
function codingsOf(header: string): readonly string[] {
  return header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim().replace(/^x-/, ""))
    .filter((coding) => !["", "identity", "utf-8", "utf8"].includes(coding));
}

type Inflater = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
) => { buffer: ArrayBufferLike; byteOffset: number; length: number };

const INFLATERS: ReadonlyMap<string, Inflater> = new Map<string, Inflater>([
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** The coding is tried first: a long body in br may begin with a "[" of its own. */
function undo(bytes: Uint8Array<ArrayBuffer>, coding: string): Decoded {
  const inflater = INFLATERS.get(coding);
  if (inflater === undefined) return asJson(bytes) ?? badEncoding(TAKEN);
  return (
    inflate(bytes, inflater) ??
    asJson(bytes) ??
    // HTTP's deflate has zlib's header, which some senders leave out.
    (coding === "deflate" ? inflate(bytes, inflateRawSync) : undefined) ??
    badEncoding(`a body in ${coding}, as its Content-Encoding or its first bytes say`)
  );
}

/**
 * First bytes of a coding whose header is missing. No format of ours begins so: JSON and envelopes are text, and a request
 * of OTLP in protobuf begins with 0a, its only field. 1f would be field 3 of wire type 7, which does not exist; 28 b5 2f
 * would be field 5, a number, which neither request has.
 */
const MAGIC: readonly { readonly coding: string; readonly bytes: readonly number[] }[] = [
  { coding: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { coding: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

function undoUnnamed(bytes: Uint8Array<ArrayBuffer>): Decoded {
  const found = MAGIC.find((magic) => magic.bytes.every((byte, at) => bytes[at] === byte));
  return found === undefined ? (undoBase64(bytes) ?? ok(bytes)) : undo(bytes, found.coding);
}

/** The first characters of zlib's header, `78` and a level, in base64. */
const ZLIB_IN_BASE64 = /^e[AFJN][A-Za-z\d+/\r\n]+={0,2}$/;

/**
 * Sentry's SDKs before envelopes sent events as base64 of zlib of JSON. Undefined for any other body: "e" is field 12 in
 * protobuf, and no JSON.
 */
function undoBase64(bytes: Uint8Array<ArrayBuffer>): Decoded | undefined {
  if (bytes[0] !== 0x65) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").trim();
  if (!ZLIB_IN_BASE64.test(text)) return undefined;
  const inflated = inflate(Buffer.from(text, "base64"), inflateSync);
  return inflated?.ok ? asJson(inflated.value) : inflated;
}

/**
 * In one step, with the cap inside: workerd's `DecompressionStream` takes in and inflates all that is written to it before
 * a reader could say stop (a 1.5 MB bomb held 1.5 GB), and needs four times the CPU. Undefined for data that is not in the
 * coding.
 */
function inflate(bytes: Uint8Array, inflater: Inflater): Decoded | undefined {
  const max = limits.maxInflatedBytes;
  try {
    const { buffer, byteOffset, length } = inflater(bytes, { maxOutputLength: max });
    return ok(new Uint8Array(buffer as ArrayBuffer, byteOffset, length));
  } catch (error) {
    // Node and workerd agree on the class for what is over `maxOutputLength`, and on nothing else.
    if (!(error instanceof RangeError)) return undefined;
    return fail({ reason: "too-large", limit: "maxInflatedBytes", max });
  }
}

const WHITE_SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BRACES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The bytes as they are, where they begin as JSON or an envelope does; no other coding begins so. */
function asJson(bytes: Uint8Array<ArrayBuffer>): Decoded | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITE_SPACE.has(bytes[at])) at += 1;
  return BRACES.has(bytes[at]) ? ok(bytes) : undefined;
}

function badEncoding(expected: string): Decoded {
  return fail({ reason: "bad-encoding", expected });
}
