/** Bodies that are small when compressed and large when decompressed. */
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { limits } from "#src/core/limits.ts";
import { concatBytes } from "#support/bytes.ts";
import {
  createEvent,
  createEventEnvelope,
  HANDLED_STATUSES,
  type Hostile,
  PLANTED_SECRET,
  withEncoding,
} from "./hostile-row.ts";

const MEBIBYTE = 1024 * 1024;
const zeros = (mebibytes: number) => new Uint8Array(mebibytes * MEBIBYTE);

/** JSON that resembles a report and decompresses to many megabytes. */
const inflated = (text: string) => () => gzipSync(text, { level: 1 });
const filled = (piece: string) =>
  piece.repeat(Math.floor((limits.maxInflatedBytes - 100) / piece.length));

function brotli(body: string | Uint8Array) {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/**
 * A zstd frame of blocks that each repeat one byte 128 Ki times in four bytes (RFC 8878 § 3.1.1.2):
 * 1 MB decompresses to 32 GB.
 */
function zstdBomb(): Uint8Array {
  const block = [0x02, 0x00, 0x10, 0x20];
  const blocks = new Uint8Array(MEBIBYTE).map((_, at) => block[at % block.length] ?? 0);
  return concatBytes(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), blocks);
}

const bombs: readonly Hostile[] = [
  {
    name: "gzip",
    ...withEncoding("gzip"),
    body: () => gzipSync(zeros(16)),
    status: 413,
    reason: "too-large",
  },
  {
    name: "gzip in twelve members of 32 MiB",
    ...withEncoding("gzip"),
    body() {
      const member = gzipSync(zeros(32), { level: 1 });
      return concatBytes(...Array.from({ length: 12 }, () => member));
    },
    status: 413,
    reason: "too-large",
  },
  {
    name: "gzip of 50,000 members of nothing",
    ...withEncoding("gzip"),
    body: () => concatBytes(...Array.from({ length: 50_000 }, () => gzipSync(""))),
    status: 400,
    reason: "empty",
  },
  {
    name: "deflate",
    ...withEncoding("deflate"),
    body: () => deflateSync(zeros(16)),
    status: 413,
    reason: "too-large",
  },
  { name: "br", ...withEncoding("br"), body: () => brotli(zeros(16)), status: 413 },
  { name: "zstd", ...withEncoding("zstd"), body: () => zstdCompressSync(zeros(16)), status: 413 },
  { name: "zstd of 32 GB", ...withEncoding("zstd"), body: zstdBomb, status: 413 },
  {
    name: "gzip in gzip",
    ...withEncoding("gzip, gzip"),
    body: () => gzipSync(gzipSync(zeros(16))),
    status: 413,
  },
  {
    name: "br in gzip in deflate",
    ...withEncoding("br, gzip, deflate"),
    body: () => deflateSync(gzipSync(brotli(zeros(16)))),
    status: 415,
  },
  {
    name: "gzip that its header does not name",
    body: () => gzipSync(zeros(16)),
    status: 413,
  },
  {
    name: "zstd of 32 GB that its header does not name",
    body: zstdBomb,
    status: 413,
  },
  {
    name: "deflate in base 64",
    body: () => deflateSync(zeros(16)).toString("base64"),
    status: 413,
  },
  {
    name: "gzip that is a bomb inside",
    ...withEncoding("gzip"),
    body: () => gzipSync(gzipSync(zeros(16))),
    status: HANDLED_STATUSES,
  },
];

const inside: readonly Hostile[] = [
  {
    name: "8 MB of opened arrays",
    ...withEncoding("gzip"),
    body: inflated(filled("[")),
    status: 400,
    reason: "too-deep",
  },
  {
    name: "8 MB of empty arrays",
    ...withEncoding("gzip"),
    body: () => gzipSync(`[${filled("[],")}0]`, { level: 1 }),
    status: 413,
    reason: "too-large",
  },
  {
    name: "8 MB of numbers in an array",
    ...withEncoding("gzip"),
    body: () => gzipSync(`[${filled("0,")}0]`, { level: 1 }),
    status: 413,
    reason: "too-many-items",
  },
  {
    name: "8 MB of white space in an object",
    ...withEncoding("gzip"),
    body: () => gzipSync(`{"message":"${PLANTED_SECRET}"${filled(" ")}}`, { level: 1 }),
    status: 413,
    reason: "too-large",
  },
  {
    name: "a line of 4 MB that is an event",
    ...withEncoding("gzip"),
    body: () => gzipSync(JSON.stringify(createEvent("x".repeat(4 * MEBIBYTE)))),
    status: 413,
    reason: "too-large",
  },
  {
    name: "a line of 4 MB as an envelope's item",
    ...withEncoding("gzip"),
    body: () => gzipSync(createEventEnvelope([createEvent("x".repeat(2 * MEBIBYTE))])),
    status: 413,
    reason: "too-large",
  },
  {
    name: "a line of 4 MB as an envelope's header",
    ...withEncoding("gzip"),
    body: () => gzipSync(`{"dsn":"${"x".repeat(4 * MEBIBYTE)}"}\n{"type":"event"}\n{}`),
    status: 413,
  },
  {
    name: "a line of 4 MB as an item's header",
    ...withEncoding("gzip"),
    body: () => gzipSync(`{}\n{"type":"event","x":"${"x".repeat(4 * MEBIBYTE)}"}\n{}`),
    status: 400,
    reason: "framing",
  },
  {
    name: "8 MB of newlines behind a header",
    ...withEncoding("gzip"),
    body: () => gzipSync(`{}\n${filled("\n")}`, { level: 1 }),
    status: [200, 413],
  },
  {
    name: "a string of 8 MB in an array",
    ...withEncoding("gzip"),
    body: () => gzipSync(`["${filled("x")}"]`, { level: 1 }),
    status: 400,
    reason: "not-an-object",
  },
];

/** Compression bombs, and bodies that exceed the limit when decompressed. */
export const hostileBombs: readonly Hostile[] = [...bombs, ...inside];
