/**
 * The formats of the record in KV.
 *
 *     pack      u32 length of the header | header | parts of maps, one after another
 *     header    {"v":1,"slices":[{"hash":"…","bytes":948211,"facts":{…},"first":0,"sizes":[…]}]}
 *     upload    gzip({"v":1,"upload":{…},"files":[…]})
 *     releases  {"v":1,"releases":[…]}
 */
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import * as v from "valibot";
import { parseJsonText } from "../../../core/decode/parse-json.ts";
import { releaseFactsSchema } from "../../../core/release/release-facts.ts";
import { defineStored } from "../../../core/schema/stored.ts";
import {
  code,
  list,
  number,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  version1,
} from "../../../core/schema/stored-object.ts";
import { concat } from "../../../core/symbolication/codec.ts";
import type { PackedSlice } from "../tables/map-table.ts";
import { fileSchema } from "../tables/stored-file.ts";

const packSchema = storedObject({
  v: version1,
  slices: list(
    storedObject({
      hash: code(),
      /** The size of the whole map. */
      bytes: number,
      /** `MapFacts` */
      facts: storedObject({
        debugId: v.optional(code()),
        sources: number,
        sourcesWithText: number,
        problems: list(text()),
      }),
      first: number,
      /** Of the parts that follow the header. */
      sizes: list(number),
    }),
  ),
});
const uploadSchema = storedObject({
  v: version1,
  upload: storedObject({
    id: code(),
    checksum: code(),
    release: v.optional(text()),
    dist: v.optional(text()),
    tool: v.optional(text()),
    name: v.optional(text()),
    url: v.optional(text()),
    uploadedMs: timeMs,
    problem: v.optional(text()),
  }),
  files: list(fileSchema),
});

/** The header of a pack. */
export const PACK = defineStored<StoredValue<typeof packSchema>>({
  name: "the pack of maps",
  version: 1,
  schema: packSchema,
});

/** An upload in KV. */
export const UPLOAD = defineStored<StoredValue<typeof uploadSchema>>({
  name: "the upload",
  version: 1,
  schema: uploadSchema,
});
/** An upload in KV. */
export type UploadRecord = Omit<StoredValue<typeof uploadSchema>, "v">;

const releasesSchema = storedObject({ v: version1, releases: list(releaseFactsSchema) });

/** The facts of all releases in KV. */
export const RELEASES = defineStored<StoredValue<typeof releasesSchema>>({
  name: "the record of releases",
  version: 1,
  schema: releasesSchema,
});

const LENGTH_BYTES = 4;

export function encodePack(slices: readonly PackedSlice[]): Uint8Array {
  const header = Buffer.from(
    PACK.encode({
      v: 1,
      slices: slices.map(({ parts, ...slice }) => ({
        ...slice,
        sizes: parts.map(({ length }) => length),
      })),
    }),
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  return concat([length, header, ...slices.flatMap(({ parts }) => parts)]);
}

/** The slices of a pack; null for a damaged one. Throws `Unreadable` for a later version. */
export function decodePack(value: ArrayBuffer): readonly PackedSlice[] | null {
  const bytes = Buffer.from(value);
  if (bytes.length < LENGTH_BYTES) return null;
  let at = LENGTH_BYTES + bytes.readUInt32LE(0);
  const header = PACK.parseOrNull(parseJsonText(bytes.toString("utf8", LENGTH_BYTES, at)), false);
  if (header === null) return null;
  return header.slices.map(({ sizes, ...slice }) => ({
    ...slice,
    parts: sizes.map((size) => {
      at += size;
      return bytes.subarray(at - size, at);
    }),
  }));
}

export function encodeUpload(record: UploadRecord): Uint8Array {
  return gzipSync(UPLOAD.encode({ v: 1, ...record }));
}

/** The upload of a value; null for a damaged one. Throws `Unreadable` for a later version. */
export function decodeUpload(value: ArrayBuffer): UploadRecord | null {
  return UPLOAD.parseOrNull(parseJsonText(inflate(value)), false);
}

function inflate(value: ArrayBuffer): string {
  try {
    return gunzipSync(Buffer.from(value)).toString("utf8");
  } catch {
    return "";
  }
}
