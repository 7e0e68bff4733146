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
import type { ContentEncodingFailure } from "./failures.ts";

type DecodeResult = Result<Uint8Array<ArrayBuffer>, ContentEncodingFailure>;

/** A proxy that compresses what was compressed makes two; more are nobody's. */
const MAX_ENCODINGS = 2;

const EXPECTED_ENCODINGS = `Content-Encoding gzip, deflate, br, zstd or none, at most ${MAX_ENCODINGS} of them`;

/**
 * The body without the codings of its `Content-Encoding` (`""` without the header), the last one undone first. May be empty.
 * Fails for data that is not in the coding it names, for a coding that is not known, and for what inflates to more than
 * `limits.maxInflatedBytes`. Never throws.
 */
export function decodeContentEncoding(body: Uint8Array<ArrayBuffer>, header: string): DecodeResult {
  const encodings = parseEncodings(header);
  if (encodings.length === 0) return decodeUnlabeled(body);
  if (encodings.length > MAX_ENCODINGS) return passIfJson(body) ?? failWith(EXPECTED_ENCODINGS);
  let bytes = body;
  for (const encoding of encodings.toReversed()) {
    const decoded = decode(bytes, encoding);
    if (!decoded.ok || decoded.value.length === 0) return decoded;
    bytes = decoded.value;
  }
  return ok(bytes);
}

/** Real SDKs have sent an empty header and `UTF-8`; both mean nothing. */
function parseEncodings(header: string): readonly string[] {
  return header
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim().replace(/^x-/, ""))
    .filter((encoding) => !["", "identity", "utf-8", "utf8"].includes(encoding));
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
function decode(bytes: Uint8Array<ArrayBuffer>, encoding: string): DecodeResult {
  const decompress = INFLATERS.get(encoding);
  if (decompress === undefined) return passIfJson(bytes) ?? failWith(EXPECTED_ENCODINGS);
  return (
    inflate(bytes, decompress) ??
    passIfJson(bytes) ??
    // HTTP's deflate has zlib's header, which some senders leave out.
    (encoding === "deflate" ? inflate(bytes, inflateRawSync) : undefined) ??
    failWith(`a body in ${encoding}, as its Content-Encoding or its first bytes say`)
  );
}

/**
 * First bytes of a coding whose header is missing. No format of ours begins so: JSON and envelopes are text, and a request
 * of OTLP in protobuf begins with 0a, its only field. 1f would be field 3 of wire type 7, which does not exist; 28 b5 2f
 * would be field 5, a number, which neither request has.
 */
const MAGIC_NUMBERS: readonly { readonly coding: string; readonly bytes: readonly number[] }[] = [
  { coding: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { coding: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

function decodeUnlabeled(bytes: Uint8Array<ArrayBuffer>): DecodeResult {
  const found = MAGIC_NUMBERS.find((magic) => magic.bytes.every((byte, at) => bytes[at] === byte));
  return found === undefined ? (decodeBase64(bytes) ?? ok(bytes)) : decode(bytes, found.coding);
}

/** The first characters of zlib's header, `78` and a level, in base64. */
const ZLIB_IN_BASE64 = /^e[AFJN][A-Za-z\d+/\r\n]+={0,2}$/;

/**
 * Sentry's SDKs before envelopes sent events as base64 of zlib of JSON. Undefined for any other body: "e" is field 12 in
 * protobuf, and no JSON.
 */
function decodeBase64(bytes: Uint8Array<ArrayBuffer>): DecodeResult | undefined {
  if (bytes[0] !== 0x65) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").trim();
  if (!ZLIB_IN_BASE64.test(text)) return undefined;
  const inflated = inflate(Buffer.from(text, "base64"), inflateSync);
  return inflated?.ok ? passIfJson(inflated.value) : inflated;
}

/**
 * In one step, with the cap inside: workerd's `DecompressionStream` takes in and inflates all that is written to it before
 * a reader could say stop (a 1.5 MB bomb held 1.5 GB), and needs four times the CPU. Undefined for data that is not in the
 * coding.
 */
function inflate(bytes: Uint8Array, decompress: Inflater): DecodeResult | undefined {
  const max = limits.maxInflatedBytes;
  try {
    const { buffer, byteOffset, length } = decompress(bytes, { maxOutputLength: max });
    return ok(new Uint8Array(buffer as ArrayBuffer, byteOffset, length));
  } catch (error) {
    // Node and workerd agree on the class for what is over `maxOutputLength`, and on nothing else.
    if (!(error instanceof RangeError)) return undefined;
    return fail({ reason: "too-large", limit: "maxInflatedBytes", max });
  }
}

const WHITESPACE_BYTES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const JSON_START_BYTES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The bytes as they are, where they begin as JSON or an envelope does; no other coding begins so. */
function passIfJson(bytes: Uint8Array<ArrayBuffer>): DecodeResult | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITESPACE_BYTES.has(bytes[at])) at += 1;
  return JSON_START_BYTES.has(bytes[at]) ? ok(bytes) : undefined;
}

function failWith(expected: string): DecodeResult {
  return fail({ reason: "bad-encoding", expected });
}
