/**
 * Decodes `Content-Encoding`, each step limited to `limits.maxInflatedBytes`. If the header
 * contradicts a body that is clearly JSON, the body counts: some proxies decode without removing
 * the header, and some senders omit it. Source: RFC 9110 § 8.4.1; gzip RFC 1952, deflate RFC 1950,
 * br RFC 7932, zstd RFC 8878.
 */
import { Buffer } from "node:buffer";
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { ContentEncodingFailure } from "./failures.ts";

/** Decoded bytes; with `isCut`, the beginning of a longer body. */
interface DecodedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}

type DecodeResult = Result<DecodedBytes, ContentEncodingFailure>;

/** A compressing proxy can add a second encoding; no sender uses more. */
const MAX_ENCODINGS = 2;

const EXPECTED_ENCODINGS = `Content-Encoding gzip, deflate, br, zstd or none, at most ${MAX_ENCODINGS} of them`;

/**
 * Decodes a body by its `Content-Encoding` (`""` without the header), last encoding first. The
 * result may be empty. Of a body that was cut before, and of a result over
 * `limits.maxInflatedBytes`, it is the beginning. Fails for data that does not match the encoding
 * and for unknown encodings. Never throws.
 */
export function decodeContentEncoding(
  body: Uint8Array<ArrayBuffer>,
  header: string,
  isCut: boolean,
): DecodeResult {
  const sent = { bytes: body, isCut };
  const encodings = parseEncodings(header);
  if (encodings.length === 0) return decodeUnlabeled(sent);
  if (encodings.length > MAX_ENCODINGS) return passIfJson(sent) ?? failWith(EXPECTED_ENCODINGS);
  let current: DecodedBytes = sent;
  for (const encoding of encodings.toReversed()) {
    const decoded = decode(current, encoding);
    if (!decoded.ok || decoded.value.bytes.length === 0) return decoded;
    current = decoded.value;
  }
  return ok(current);
}

/** Some SDKs send an empty header or `UTF-8`; both mean no encoding. */
function parseEncodings(header: string): readonly string[] {
  return header
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim().replace(/^x-/, ""))
    .filter((encoding) => !["", "identity", "utf-8", "utf8"].includes(encoding));
}

type Inflate = (
  bytes: Uint8Array,
  options: { maxOutputLength: number; finishFlush?: number },
) => { buffer: ArrayBufferLike; byteOffset: number; length: number };

/** Decompresses; `flush` is the operation that accepts data without an end. zstd has none. */
interface Inflater {
  readonly inflate: Inflate;
  readonly flush?: number;
}

const GZIP: Inflater = { inflate: gunzipSync, flush: constants.Z_SYNC_FLUSH };
const ZLIB: Inflater = { inflate: inflateSync, flush: constants.Z_SYNC_FLUSH };
const RAW_DEFLATE: Inflater = { inflate: inflateRawSync, flush: constants.Z_SYNC_FLUSH };

const INFLATERS: ReadonlyMap<string, Inflater> = new Map<string, Inflater>([
  ["gzip", GZIP],
  ["deflate", ZLIB],
  ["br", { inflate: brotliDecompressSync, flush: constants.BROTLI_OPERATION_FLUSH }],
  ["zstd", { inflate: zstdDecompressSync }],
]);

/** Decompresses first, because a Brotli body may start with "[" too. */
function decode(sent: DecodedBytes, encoding: string): DecodeResult {
  const inflater = INFLATERS.get(encoding);
  if (inflater === undefined) return passIfJson(sent) ?? failWith(EXPECTED_ENCODINGS);
  return (
    inflate(sent, inflater) ??
    passIfJson(sent) ??
    // HTTP's deflate has a zlib header, which some senders omit.
    (encoding === "deflate" ? inflate(sent, RAW_DEFLATE) : undefined) ??
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

function decodeUnlabeled(sent: DecodedBytes): DecodeResult {
  const { bytes } = sent;
  const found = MAGIC_NUMBERS.find((magic) => magic.bytes.every((byte, at) => bytes[at] === byte));
  return found === undefined ? (decodeBase64(sent) ?? ok(sent)) : decode(sent, found.coding);
}

/** The start of zlib's header, `78` and a level, in base64. */
const ZLIB_IN_BASE64 = /^e[AFJN][A-Za-z\d+/\r\n]+={0,2}$/;

/**
 * Old Sentry SDKs send events as base64 of zlib of JSON. Undefined for other bodies: "e" is field
 * 12 in protobuf, and not JSON.
 */
function decodeBase64({ bytes, isCut }: DecodedBytes): DecodeResult | undefined {
  if (bytes[0] !== 0x65) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").trim();
  if (!ZLIB_IN_BASE64.test(text)) return undefined;
  const inflated = inflate({ bytes: Buffer.from(text, "base64"), isCut }, ZLIB);
  return inflated?.ok && !inflated.value.isCut ? passIfJson(inflated.value) : inflated;
}

/**
 * The beginnings of compressed data that are decompressed if the whole is too large. Most data
 * compress less than the first needs to fit; deflate never compresses more than the second needs
 * (1,032 to 1).
 */
const BEGINNING_BYTES = [limits.maxInflatedBytes / 32, limits.maxInflatedBytes / 1_050];

/**
 * Decompresses in one step with a size limit: workerd's `DecompressionStream` inflates all input
 * before a reader can stop it (a 1.5 MB bomb used 1.5 GB), and needs four times the CPU. Undefined
 * if the data do not match the encoding.
 */
function inflate(sent: DecodedBytes, inflater: Inflater): DecodeResult | undefined {
  const whole = tryInflate(sent.bytes, inflater, sent.isCut);
  if (whole === undefined) return undefined;
  if (whole !== "too-large") return ok({ bytes: whole, isCut: sent.isCut });
  for (const length of BEGINNING_BYTES) {
    const bytes = tryInflate(sent.bytes.subarray(0, length), inflater, true);
    const hasBytes = bytes !== undefined && bytes !== "too-large" && bytes.length > 0;
    if (hasBytes) return ok({ bytes, isCut: true });
  }
  return fail({ reason: "too-large", limit: "maxInflatedBytes", max: limits.maxInflatedBytes });
}

function tryInflate(
  sent: Uint8Array,
  { inflate: decompress, flush }: Inflater,
  isCut: boolean,
): Uint8Array<ArrayBuffer> | "too-large" | undefined {
  const options = {
    maxOutputLength: limits.maxInflatedBytes,
    ...(isCut && { finishFlush: flush }),
  };
  try {
    const { buffer, byteOffset, length } = decompress(sent, options);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  } catch (error) {
    // Node and workerd share only this error class for results over `maxOutputLength`.
    return error instanceof RangeError ? "too-large" : undefined;
  }
}

const WHITESPACE_BYTES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const JSON_START_BYTES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The bytes unchanged if they start like JSON or an envelope, which no encoding does. */
function passIfJson(sent: DecodedBytes): DecodeResult | undefined {
  const { bytes } = sent;
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITESPACE_BYTES.has(bytes[at])) at += 1;
  return JSON_START_BYTES.has(bytes[at]) ? ok(sent) : undefined;
}

function failWith(expected: string): DecodeResult {
  return fail({ reason: "bad-encoding", expected });
}
