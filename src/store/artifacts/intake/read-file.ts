/**
 * Reads the files of an upload. Inflates a large file piece by piece, since `inflateRawSync` takes
 * up to three times its size in memory. A large map is never in memory as a whole.
 */
import { createHash } from "node:crypto";
import { computeCrc32 } from "../../../core/artifacts/crc32.ts";
import { findZipData, readZipEntry, type ZipEntry } from "../../../core/artifacts/zip.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { type ByteRange, toByteRange } from "../../../core/symbolication/codec.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import type { Scratch } from "../tables/scratch-table.ts";
import type { FileEntry } from "../tables/stored-file.ts";

/** The bytes of a file, or why it cannot be read. */
export type ReadFile = Result<Uint8Array, { readonly reason: string; readonly detail: string }>;

/** Files up to this size are inflated at once. */
const SMALL_FILE_BYTES = 256 * 1024;
/** Maps up to this size are read at once. */
const SMALL_MAP_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const BUFFER_BYTES = 64 * 1024;

/** The bytes of a file. Fails above `maxBytes`, or if an archive is not what it declares. */
export async function readFile(
  range: ByteRange,
  entry: FileEntry,
  maxBytes: number,
): Promise<ReadFile> {
  if (entry.in !== "zip") {
    const { offset, bytes } = entry.in === "tar" ? entry : { offset: 0, bytes: range.length };
    if (bytes > maxBytes) {
      const detail = `The file has ${bytes} bytes; at most ${maxBytes} are accepted.`;
      return fail({ reason: "too-large", detail });
    }
    return ok(range.read(offset, bytes));
  }
  const isSmall = entry.bytes <= SMALL_FILE_BYTES || entry.bytes > maxBytes || entry.method === 0;
  return isSmall ? readZipEntry(range, entry, rawDeflate, maxBytes) : readLargeEntry(range, entry);
}

/**
 * SHA-1, in hex, of a file as its upload stores it: compressed, if the archive is. Equal files that
 * were compressed by the same tool have equal hashes.
 */
export function hashStoredFile(range: ByteRange, entry: FileEntry): string {
  const [offset, length] =
    entry.in === "upload"
      ? [0, range.length]
      : [entry.offset, entry.in === "tar" ? entry.bytes : entry.compressedBytes];
  const hash = createHash("sha1").update(entry.in === "zip" ? String(entry.method) : "");
  const data = entry.in === "zip" ? findZipData(range, entry) : ok(offset);
  const start = data.ok ? data.value : offset;
  for (const piece of readPieces(range, start, length)) hash.update(piece);
  return hash.digest("hex");
}

async function readLargeEntry(range: ByteRange, entry: ZipEntry): Promise<ReadFile> {
  const bytes = new Uint8Array(entry.bytes);
  const inflated = await inflate(range, entry, (piece, at) => bytes.set(piece, at));
  return inflated.ok ? ok(bytes) : inflated;
}

/** A file that is read in parts. `close` deletes its inflated copy. */
export interface OpenFile extends ByteRange {
  readonly close: () => void;
}

/**
 * Opens a file of an upload. A large deflated one is inflated into `scratch`, one at a time. Fails
 * as `readFile` does.
 */
export async function openFile(
  range: ByteRange,
  entry: FileEntry,
  maxBytes: number,
  scratch: Scratch,
): Promise<Result<OpenFile, { readonly reason: string; readonly detail: string }>> {
  const size = entry.in === "upload" ? range.length : entry.bytes;
  if (size <= SMALL_MAP_BYTES || size > maxBytes) {
    const bytes = await readFile(range, entry, maxBytes);
    return bytes.ok ? ok({ ...toByteRange(bytes.value), close: () => undefined }) : bytes;
  }
  if (entry.in !== "zip") return ok(openPart(range, entry.in === "tar" ? entry.offset : 0, size));
  if (entry.method === 0) {
    const start = findZipData(range, entry);
    if (!start.ok) return start;
    let crc32 = 0;
    for (const piece of readPieces(range, start.value, size)) crc32 = computeCrc32(piece, crc32);
    const isWhole = crc32 === entry.crc32 && entry.compressedBytes === size;
    return isWhole ? ok(openPart(range, start.value, size)) : failWith(entry, start.value);
  }
  scratch.clear();
  const row = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  const inflated = await inflate(range, entry, (piece) => {
    for (let rest = piece; rest.length > 0; ) {
      const taken = rest.subarray(0, PIECE_BYTES - filled);
      row.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < PIECE_BYTES) continue;
      scratch.add(row);
      filled = 0;
    }
  });
  if (inflated.ok && filled > 0) scratch.add(row.subarray(0, filled));
  if (inflated.ok)
    return ok({ ...openPart(scratch.open(), 0, size), close: () => scratch.clear() });
  scratch.clear();
  return inflated;
}

/** The file is read from its start to its end, several times. */
function openPart(whole: ByteRange, start: number, length: number): OpenFile {
  const range = whole.openPass?.() ?? whole;
  return {
    length,
    read: (offset, count) => range.read(start + offset, Math.min(count, length - offset)),
    close: () => undefined,
  };
}

/** Fails if the data inflates to another size, is not deflated, or has another checksum. */
async function inflate(
  range: ByteRange,
  entry: ZipEntry,
  write: (piece: Uint8Array, at: number) => void,
): Promise<Result<null, { readonly reason: string; readonly detail: string }>> {
  const start = findZipData(range, entry);
  if (!start.ok) return start;
  const { bytes: size, compressedBytes } = entry;
  let length = 0;
  let crc32 = 0;
  const pieces = readPieces(range, start.value, compressedBytes);
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      // The stream continues to read while the piece waits, so the piece needs a copy.
      else controller.enqueue(value.slice());
    },
  });
  const inflated = source.pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = inflated.getReader({ mode: "byob" });
  try {
    // All reads share a buffer: otherwise thousands of buffers would wait for garbage collection.
    for (let buffer = new ArrayBuffer(BUFFER_BYTES); ; ) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) break;
      if (length + value.length > size) return failWith(entry, start.value);
      write(value, length);
      crc32 = computeCrc32(value, crc32);
      length += value.length;
      buffer = value.buffer;
    }
  } catch {
    return failWith(entry, start.value);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const isWhole = length === size && crc32 === entry.crc32;
  return isWhole ? ok(null) : failWith(entry, start.value);
}

function failWith({ path, bytes }: ZipEntry, start: number) {
  const detail =
    `The zip is invalid at byte ${start}: expected deflated data of "${path}" that ` +
    `inflates to ${bytes} bytes and matches its checksum.`;
  return fail({ reason: "invalid-zip", detail });
}

/** Each piece is valid until the next one. */
function* readPieces(whole: ByteRange, start: number, length: number): Generator<Uint8Array> {
  const range = whole.openPass?.() ?? whole;
  for (let at = 0; at < length; at += PIECE_BYTES)
    yield range.read(start + at, Math.min(PIECE_BYTES, length - at));
}
