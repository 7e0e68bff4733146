/** Bodies whose Content-Encoding is false or malformed. */
import { deflateRawSync, gzipSync } from "node:zlib";
import { joined } from "./bytes.ts";
import { ANSWERED, anEvent, coded, eventsOf, type Hostile, MARK } from "./hostile-row.ts";

const good = eventsOf([anEvent("encodings")]);

/** Every wrong use of Content-Encoding. */
export const hostileEncodings: readonly Hostile[] = [
  ...["gzip", "deflate", "br", "zstd"].map((coding) => ({
    name: `plain text that says ${coding}`,
    ...coded(coding),
    body: good,
    status: ANSWERED,
  })),
  ...["gzip", "deflate", "br", "zstd"].map((coding) => ({
    name: `random bytes that say ${coding}`,
    ...coded(coding),
    body: new Uint8Array([0x1f, 0x8b, 0xff, 0xff, 0x00, 0x28, 0xb5, 0x2f, 0xfd, 0xff]),
    status: 415,
    reason: "bad-encoding",
  })),
  { name: "half a gzip", ...coded("gzip"), body: gzipSync(good).subarray(0, 30), status: 415 },
  {
    name: "a gzip without its checksum",
    ...coded("gzip"),
    body: gzipSync(good).subarray(0, -8),
    status: 415,
  },
  {
    name: "text behind a gzip",
    ...coded("gzip"),
    body: joined(gzipSync(good), MARK),
    status: ANSWERED,
  },
  { name: "raw deflate", ...coded("deflate"), body: deflateRawSync(good), status: ANSWERED },
  { name: "gzip that says nothing", body: gzipSync(good), status: ANSWERED },
  { name: "gzip of nothing", ...coded("gzip"), body: gzipSync(""), status: 400, reason: "empty" },
  { name: "nothing that says gzip", ...coded("gzip"), body: "", status: 400, reason: "empty" },
  { name: "an unknown coding over binary", ...coded(MARK), body: gzipSync(good), status: 415 },
  {
    name: "a hundred codings",
    ...coded("gzip,".repeat(100)),
    body: gzipSync(good),
    status: ANSWERED,
  },
  {
    name: "a coding with quotes and commas",
    ...coded('"gzip",,;q=0'),
    body: good,
    status: ANSWERED,
  },
];
