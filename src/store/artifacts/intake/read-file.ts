/**
 * Reads the files of an upload. A large file is inflated piece by piece into one buffer of its
 * declared size: `inflateRawSync` would take up to three times the memory.
 */
import { createHash } from "node:crypto";
import { computeCrc32 } from "../../../core/artifacts/crc32.ts";
import { findZipData, readZipEntry, type ZipEntry } from "../../../core/artifacts/zip.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import type { FileEntry } from "../tables/file-table.ts";
import { nodeCodec } from "../tables/node-codec.ts";

/** The bytes of a file, or why it cannot be read. */
export type ReadFile = Result<Uint8Array, { readonly reason: string; readonly detail: string }>;

/** Files up to this size are inflated at once. */
const SMALL_FILE_BYTES = 256 * 1024;
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
  return isSmall ? readZipEntry(range, entry, nodeCodec, maxBytes) : readLargeEntry(range, entry);
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
  const start = findZipData(range, entry);
  if (!start.ok) return start;
  const bytes = await inflate(range, start.value, entry);
  if (bytes === null || computeCrc32(bytes) !== entry.crc32) {
    const detail =
      `The zip is invalid at byte ${start.value}: expected deflated data of "${entry.path}" that ` +
      `inflates to ${entry.bytes} bytes and matches its checksum.`;
    return fail({ reason: "invalid-zip", detail });
  }
  return ok(bytes);
}

/** Null if the data inflates to another size, or is not deflated. */
async function inflate(
  range: ByteRange,
  start: number,
  { bytes: size, compressedBytes }: ZipEntry,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(size);
  let length = 0;
  const pieces = readPieces(range, start, compressedBytes);
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const inflated = source.pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = inflated.getReader({ mode: "byob" });
  try {
    // Every read has the same buffer: thousands of them would wait to be collected.
    for (let buffer = new ArrayBuffer(BUFFER_BYTES); ; ) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return length === size ? bytes : null;
      if (length + value.length > size) return null;
      bytes.set(value, length);
      length += value.length;
      buffer = value.buffer;
    }
  } catch {
    return null;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function* readPieces(range: ByteRange, start: number, length: number): Generator<Uint8Array> {
  for (let at = 0; at < length; at += PIECE_BYTES) {
    yield range.read(start + at, Math.min(PIECE_BYTES, length - at));
  }
}
