/**
 * Lists the files of a tar archive: ustar, with the long names of GNU tar and pax. Sources: POSIX
 * `pax` § ustar Interchange Format and § pax Extended Header; GNU tar manual § Basic Tar Format.
 */

import { decodeText } from "../decode/parse-json.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ByteRange } from "../symbolication/codec.ts";
import { artifactLimits } from "./artifact-limits.ts";

/** A file in a tar. */
export interface TarEntry {
  /** The path as the archive names it. It is never used to open a file. */
  readonly path: string;
  /** The offset of the contents from the first byte of the range. */
  readonly offset: number;
  readonly bytes: number;
}

/** Why an archive cannot be read. `detail` is a sentence with the byte offset. */
export interface TarProblem {
  readonly reason: "invalid-tar";
  readonly detail: string;
}

const BLOCK_BYTES = 512;
/** A long name, or the records of one pax header. */
const MAX_EXTENSION_BYTES = 64 * 1024;

/** The types of ustar and its extensions that matter here. Folders and links have other types. */
const FILE_TYPES = new Set(["0", "\0", "7"]);
const PAX_HEADER = "x";
const GNU_LONG_NAME = "L";

/**
 * The regular files of a tar; a file that is stored twice counts as its last one. Fails if the
 * archive is cut off, a checksum differs, or it has more than `artifactLimits.maxArchiveEntries`
 * entries.
 */
export function readTarDirectory(range: ByteRange): Result<readonly TarEntry[], TarProblem> {
  const files = new Map<string, TarEntry>();
  let longName: string | undefined;
  let at = 0;
  let pathChars = 0;
  for (let count = 0; at + BLOCK_BYTES <= range.length; count++) {
    if (count > artifactLimits.maxArchiveEntries)
      return failAt(at, `at most ${artifactLimits.maxArchiveEntries} entries`);
    const header = range.read(at, BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return ok([...files.values()]);
    const bytes = readOctal(header, 124, 12);
    if (bytes === null || !hasValidChecksum(header)) return failAt(at, "a tar header");
    const offset = at + BLOCK_BYTES;
    if (offset + bytes > range.length) return failAt(offset, `${bytes} bytes of contents`);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === PAX_HEADER || type === GNU_LONG_NAME) {
      if (bytes > MAX_EXTENSION_BYTES)
        return failAt(at, `an extended header of at most ${MAX_EXTENSION_BYTES} bytes`);
      const extension = decodeText(range.read(offset, bytes));
      longName = type === PAX_HEADER ? readPaxPath(extension) : extension.replace(/\0.*$/s, "");
    } else {
      const path = longName ?? readName(header);
      pathChars += path.length;
      if (pathChars > artifactLimits.maxArchiveDirectoryBytes)
        return failAt(at, `paths of at most ${artifactLimits.maxArchiveDirectoryBytes} characters`);
      if (FILE_TYPES.has(type) && !path.endsWith("/")) files.set(path, { path, offset, bytes });
      longName = undefined;
    }
    at = offset + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
  }
  // Some writers omit the two empty blocks at the end.
  return at === range.length && at > 0
    ? ok([...files.values()])
    : failAt(at, "a tar header or the end of the archive");
}

/** True if the first block of a file is a tar header. */
export function isTarHeader(block: Uint8Array): boolean {
  return block.length >= BLOCK_BYTES && block[0] !== 0 && hasValidChecksum(block);
}

/** The sum of the header's bytes, with spaces instead of the checksum itself. */
function hasValidChecksum(header: Uint8Array): boolean {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    if (at < 148 || at >= 156) sum += header[at] as number;
  }
  return readOctal(header, 148, 8) === sum;
}

/** A number in octal digits; null for anything else, such as the base 256 of files above 8 GB. */
function readOctal(header: Uint8Array, at: number, length: number): number | null {
  const text = readText(header, at, length).trim();
  return /^[0-7]{0,12}$/.test(text) ? Number.parseInt(text || "0", 8) : null;
}

function readText(header: Uint8Array, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return decodeText(end === -1 ? field : field.subarray(0, end));
}

function readName(header: Uint8Array): string {
  const isUstar = readText(header, 257, 6).startsWith("ustar");
  const prefix = isUstar ? readText(header, 345, 155) : "";
  const name = readText(header, 0, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The value of `path` in records `<length> <key>=<value>\n`. */
function readPaxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
}

function failAt(offset: number, expected: string) {
  return fail<TarProblem>({
    reason: "invalid-tar",
    detail: `The tar is invalid at byte ${offset}: expected ${expected}.`,
  });
}
