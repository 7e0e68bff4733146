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
import type { ReleaseFacts } from "../../../core/ports/source-maps-port.ts";
import { concat } from "../../../core/symbolication/codec.ts";
import type { PackedSlice } from "../tables/map-table.ts";
import type { NewFile } from "../tables/stored-file.ts";
import type { StoredUpload } from "../tables/upload-table.ts";

/** An upload in KV. */
export interface UploadRecord {
  readonly upload: Pick<
    StoredUpload,
    "id" | "checksum" | "release" | "dist" | "tool" | "name" | "url" | "uploadedMs" | "problem"
  >;
  readonly files: readonly NewFile[];
}

const LENGTH_BYTES = 4;

export function encodePack(slices: readonly PackedSlice[]): Uint8Array {
  const header = Buffer.from(
    JSON.stringify({
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

/** The slices of a pack; null if the value is not a pack of this version. */
export function decodePack(value: ArrayBuffer): readonly PackedSlice[] | null {
  const bytes = Buffer.from(value);
  try {
    const end = LENGTH_BYTES + bytes.readUInt32LE(0);
    const header = JSON.parse(bytes.toString("utf8", LENGTH_BYTES, end)) as {
      readonly v: unknown;
      readonly slices: readonly (Omit<PackedSlice, "parts"> & { readonly sizes: number[] })[];
    };
    if (header.v !== 1) return null;
    let at = end;
    return header.slices.map(({ sizes, ...slice }) => ({
      ...slice,
      parts: sizes.map((size) => {
        at += size;
        return bytes.subarray(at - size, at);
      }),
    }));
  } catch {
    return null;
  }
}

export function encodeUpload(record: UploadRecord): Uint8Array {
  return gzipSync(JSON.stringify({ v: 1, ...record }));
}

/** The upload of a value; null if it is not one of this version. */
export function decodeUpload(value: ArrayBuffer): UploadRecord | null {
  try {
    const json = gunzipSync(Buffer.from(value)).toString("utf8");
    const record = JSON.parse(json) as UploadRecord & { readonly v: unknown };
    return record.v === 1 ? { upload: record.upload, files: record.files } : null;
  } catch {
    return null;
  }
}

export function encodeReleases(releases: readonly ReleaseFacts[]): string {
  return JSON.stringify({ v: 1, releases });
}

/** The facts of releases; none for another version. */
export function decodeReleases(value: unknown): readonly ReleaseFacts[] {
  const record = value as { readonly v?: unknown; readonly releases?: ReleaseFacts[] } | null;
  return record?.v === 1 ? (record.releases ?? []) : [];
}
