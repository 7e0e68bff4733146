/** Bodies whose Content-Encoding is false or malformed. */
import { deflateRawSync, gzipSync } from "node:zlib";
import { concatBytes } from "#support/bytes.ts";
import {
  createEvent,
  createEventEnvelope,
  HANDLED_STATUSES,
  type Hostile,
  PLANTED_SECRET,
  withEncoding,
} from "./hostile-row.ts";

const good = createEventEnvelope([createEvent("encodings")]);

/** Every wrong use of Content-Encoding. */
export const hostileEncodings: readonly Hostile[] = [
  ...["gzip", "deflate", "br", "zstd"].map((coding) => ({
    name: `plain text that says ${coding}`,
    ...withEncoding(coding),
    body: good,
    status: HANDLED_STATUSES,
  })),
  ...["gzip", "deflate", "br", "zstd"].map((coding) => ({
    name: `random bytes that say ${coding}`,
    ...withEncoding(coding),
    body: new Uint8Array([0x1f, 0x8b, 0xff, 0xff, 0x00, 0x28, 0xb5, 0x2f, 0xfd, 0xff]),
    status: 415,
    reason: "bad-encoding",
  })),
  {
    name: "half a gzip",
    ...withEncoding("gzip"),
    body: gzipSync(good).subarray(0, 30),
    status: 415,
  },
  {
    name: "a gzip without its checksum",
    ...withEncoding("gzip"),
    body: gzipSync(good).subarray(0, -8),
    status: 415,
  },
  {
    name: "text behind a gzip",
    ...withEncoding("gzip"),
    body: concatBytes(gzipSync(good), PLANTED_SECRET),
    status: HANDLED_STATUSES,
  },
  {
    name: "raw deflate",
    ...withEncoding("deflate"),
    body: deflateRawSync(good),
    status: HANDLED_STATUSES,
  },
  { name: "gzip that says nothing", body: gzipSync(good), status: HANDLED_STATUSES },
  {
    name: "gzip of nothing",
    ...withEncoding("gzip"),
    body: gzipSync(""),
    status: 400,
    reason: "empty",
  },
  {
    name: "nothing that says gzip",
    ...withEncoding("gzip"),
    body: "",
    status: 400,
    reason: "empty",
  },
  {
    name: "an unknown coding over binary",
    ...withEncoding(PLANTED_SECRET),
    body: gzipSync(good),
    status: 415,
  },
  {
    name: "a hundred codings",
    ...withEncoding("gzip,".repeat(100)),
    body: gzipSync(good),
    status: HANDLED_STATUSES,
  },
  {
    name: "a coding with quotes and commas",
    ...withEncoding('"gzip",,;q=0'),
    body: good,
    status: HANDLED_STATUSES,
  },
];
