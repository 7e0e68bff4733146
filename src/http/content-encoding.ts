/**
 * Decodes `Content-Encoding`, each step limited to `limits.maxInflatedBytes`. If the header
 * contradicts a body that is clearly JSON, the body counts: some proxies decode without removing
 * the header, and some senders omit it. Source: RFC 9110 § 8.4.1; gzip RFC 1952, deflate RFC 1950,
 * br RFC 7932, zstd RFC 8878.
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

/** A compressing proxy can add a second encoding; no sender uses more. */
const MAX_ENCODINGS = 2;

const EXPECTED_ENCODINGS = `Content-Encoding gzip, deflate, br, zstd or none, at most ${MAX_ENCODINGS} of them`;

/**
 * Decodes a body by its `Content-Encoding` (`""` without the header), last encoding first. The
 * result may be empty. Fails for data that does not match the encoding, unknown encodings, and
 * results over `limits.maxInflatedBytes`. Never throws.
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

/** Some SDKs send an empty header or `UTF-8`; both mean no encoding. */
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

/** Decompresses first, because a Brotli body may start with "[" too. */
function decode(bytes: Uint8Array<ArrayBuffer>, encoding: string): DecodeResult {
  const decompress = INFLATERS.get(encoding);
  if (decompress === undefined) return passIfJson(bytes) ?? failWith(EXPECTED_ENCODINGS);
  return (
    inflate(bytes, decompress) ??
    passIfJson(bytes) ??
    // HTTP's deflate has a zlib header, which some senders omit.
    (encoding === "deflate" ? inflate(bytes, inflateRawSync) : undefined) ??
    failWith(`a body encoded as ${encoding}, according to Content-Encoding or the first bytes`)
  );
}

/**
 * First bytes of encodings with a missing header. No supported format starts this way: JSON and
 * envelopes are text, and OTLP protobuf starts with 0a, its only field. 1f would be field 3 of wire
 * type 7, which does not exist; 28 b5 2f would be field 5, a number, which no request has.
 */
const MAGIC_NUMBERS: readonly { readonly coding: string; readonly bytes: readonly number[] }[] = [
  { coding: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { coding: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

function decodeUnlabeled(bytes: Uint8Array<ArrayBuffer>): DecodeResult {
  const found = MAGIC_NUMBERS.find((magic) => magic.bytes.every((byte, at) => bytes[at] === byte));
  return found === undefined ? (decodeBase64(bytes) ?? ok(bytes)) : decode(bytes, found.coding);
}

/** The start of zlib's header, `78` and a level, in base64. */
const ZLIB_IN_BASE64 = /^e[AFJN][A-Za-z\d+/\r\n]+={0,2}$/;

/**
 * Old Sentry SDKs send events as base64 of zlib of JSON. Undefined for other bodies: "e" is field
 * 12 in protobuf, and not JSON.
 */
function decodeBase64(bytes: Uint8Array<ArrayBuffer>): DecodeResult | undefined {
  if (bytes[0] !== 0x65) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").trim();
  if (!ZLIB_IN_BASE64.test(text)) return undefined;
  const inflated = inflate(Buffer.from(text, "base64"), inflateSync);
  return inflated?.ok ? passIfJson(inflated.value) : inflated;
}

/**
 * Decompresses in one step with a size limit: workerd's `DecompressionStream` inflates all input
 * before a reader can stop it (a 1.5 MB bomb used 1.5 GB), and needs four times the CPU. Undefined
 * if the data do not match the encoding.
 */
function inflate(bytes: Uint8Array, decompress: Inflater): DecodeResult | undefined {
  const max = limits.maxInflatedBytes;
  try {
    const { buffer, byteOffset, length } = decompress(bytes, { maxOutputLength: max });
    return ok(new Uint8Array(buffer as ArrayBuffer, byteOffset, length));
  } catch (error) {
    // Node and workerd share only this error class for results over `maxOutputLength`.
    if (!(error instanceof RangeError)) return undefined;
    return fail({ reason: "too-large", limit: "maxInflatedBytes", max });
  }
}

const WHITESPACE_BYTES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const JSON_START_BYTES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The bytes unchanged if they start like JSON or an envelope, which no encoding does. */
function passIfJson(bytes: Uint8Array<ArrayBuffer>): DecodeResult | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITESPACE_BYTES.has(bytes[at])) at += 1;
  return JSON_START_BYTES.has(bytes[at]) ? ok(bytes) : undefined;
}

function failWith(expected: string): DecodeResult {
  return fail({ reason: "bad-encoding", expected });
}
