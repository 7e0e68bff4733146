/**
 * Reads zip archives and artifact bundles, which are a zip after eight bytes (`SYSB`, version 2).
 * Reads the central directory, then one entry at a time. Does not support zip64, encryption and
 * archives in several files. Source: PKWARE APPNOTE 6.3.10 § 4.3.
 */

import { decodeText } from "../decode/parse-json.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ByteRange, Codec } from "../symbolication/codec.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { computeCrc32 } from "./crc32.ts";

/** A file in a zip. Sizes are as declared: `readZipEntry` checks them. */
export interface ZipEntry {
  /** The path as the archive names it. It is never used to open a file. */
  readonly path: string;
  /** 0 is stored, 8 is deflate. */
  readonly method: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly crc32: number;
  /** The offset of the local header from the first byte of the range. */
  readonly offset: number;
}

/** Why an archive or an entry cannot be read. `detail` is a sentence with the byte offset. */
export interface ZipProblem {
  readonly reason: "invalid-zip";
  readonly detail: string;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** A size or offset with this value is in a zip64 record. */
const ZIP64 = 0xffffffff;

/**
 * The files of a zip, without folders. Entries may not overlap, so that together they are not
 * larger than the archive. Fails if the archive is cut off, has more than
 * `artifactLimits.maxArchiveEntries` entries, or uses zip64.
 */
export function readZipDirectory(range: ByteRange): Result<readonly ZipEntry[], ZipProblem> {
  const end = findEnd(range);
  if (end === null)
    return failAt(range.length, "the end of central directory record, which is missing");
  if (end.entries > artifactLimits.maxArchiveEntries) {
    return failAt(
      end.at + 10,
      `at most ${artifactLimits.maxArchiveEntries} entries, not ${end.entries}`,
    );
  }
  const start = end.at - end.directoryBytes;
  if (start < 0 || end.offset === ZIP64)
    return failAt(end.at, "a central directory inside the file, without zip64");
  const { maxArchiveDirectoryBytes } = artifactLimits;
  if (end.directoryBytes > maxArchiveDirectoryBytes)
    return failAt(end.at, `a central directory of at most ${maxArchiveDirectoryBytes} bytes`);
  // Offsets count from the first byte of the archive, which may begin after other bytes.
  const shift = start - end.offset;
  const directory = range.read(start, end.directoryBytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < end.entries; index++) {
    const entry = readEntry(directory, at, shift);
    if (typeof entry === "string") return failAt(start + at, entry);
    if (entry.isFile) entries.push(entry.entry);
    at = entry.next;
  }
  const overlap = findOverlap(entries, start);
  if (overlap !== undefined) {
    return failAt(
      Math.max(0, overlap.offset),
      `the data of "${overlap.path}" before the next entry begins`,
    );
  }
  return ok(entries);
}

interface DirectoryEnd {
  readonly at: number;
  readonly entries: number;
  readonly directoryBytes: number;
  readonly offset: number;
}

/** The last end record whose comment reaches the end of the file. */
function findEnd(range: ByteRange): DirectoryEnd | null {
  const from = Math.max(0, range.length - END_BYTES - MAX_COMMENT_BYTES);
  const tail = range.read(from, range.length - from);
  const view = toView(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail[at] !== 0x50 || view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) !== tail.length) continue;
    return {
      at: from + at,
      entries: view.getUint16(at + 10, true),
      directoryBytes: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
  }
  return null;
}

/** The entry at `at` of the directory, or what was expected there. */
function readEntry(
  directory: Uint8Array,
  at: number,
  shift: number,
): { readonly entry: ZipEntry; readonly isFile: boolean; readonly next: number } | string {
  if (at + ENTRY_BYTES > directory.length) return "an entry of the central directory";
  const view = toView(directory);
  if (view.getUint32(at, true) !== ENTRY_SIGNATURE) return "an entry of the central directory";
  const pathEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true);
  const next = pathEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > directory.length) return "the end of an entry of the central directory";
  const entry = {
    path: decodeText(directory.subarray(at + ENTRY_BYTES, pathEnd)),
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    compressedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true) + shift,
  };
  const isZip64 = entry.compressedBytes === ZIP64 || entry.bytes === ZIP64;
  if (isZip64) return `sizes below 4 GB for "${entry.path}"`;
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) return `"${entry.path}" without encryption`;
  return { entry, isFile: !entry.path.endsWith("/"), next };
}

/** An entry that reaches into the next one or into the directory. */
function findOverlap(entries: readonly ZipEntry[], end: number): ZipEntry | undefined {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  return sorted.find((entry, index) => {
    const limit = sorted[index + 1]?.offset ?? end;
    return entry.offset < 0 || entry.offset + LOCAL_BYTES + entry.compressedBytes > limit;
  });
}

/** The offset of an entry's data. Fails if its local header or its method is unknown. */
export function findZipData(
  range: ByteRange,
  { path, method, offset }: ZipEntry,
): Result<number, ZipProblem> {
  const header = range.read(offset, LOCAL_BYTES);
  const view = toView(header);
  if (header.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL_SIGNATURE)
    return failAt(offset, `the local header of "${path}"`);
  if (method !== STORED && method !== DEFLATED)
    return failAt(offset, `"${path}" stored or deflated, not by method ${method}`);
  return ok(offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true));
}

/**
 * The contents of an entry. Fails if they are more than `maxBytes`, or if size or checksum differ
 * from the directory.
 */
export function readZipEntry(
  range: ByteRange,
  entry: ZipEntry,
  codec: Codec,
  maxBytes: number,
): Result<Uint8Array, ZipProblem> {
  const { path, method, offset } = entry;
  if (entry.bytes > maxBytes)
    return failAt(offset, `at most ${maxBytes} bytes in "${path}", not ${entry.bytes}`);
  const data = findZipData(range, entry);
  if (!data.ok) return data;
  const { value: start } = data;
  const compressed = range.read(start, entry.compressedBytes);
  if (compressed.length < entry.compressedBytes)
    return failAt(start, `${entry.compressedBytes} bytes of "${path}"`);
  const bytes = method === STORED ? compressed : codec.inflate(compressed, entry.bytes);
  if (bytes === null || bytes.length !== entry.bytes)
    return failAt(start, `deflated data of "${path}" that inflates to ${entry.bytes} bytes`);
  if (computeCrc32(bytes) !== entry.crc32)
    return failAt(start, `contents of "${path}" that match their checksum`);
  return ok(bytes);
}

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function failAt(offset: number, expected: string) {
  return fail<ZipProblem>({
    reason: "invalid-zip",
    detail: `The zip is invalid at byte ${offset}: expected ${expected}.`,
  });
}
