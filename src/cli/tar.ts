/** Packs files into a tar (POSIX.1-2001 `pax` § ustar Interchange Format). */

import { Buffer } from "node:buffer";

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;

/** The archive. A long path is in an extended header of its own (§ pax Extended Header). */
export function packTar(files: readonly { path: string; bytes: Uint8Array }[]): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [
    ...(Buffer.byteLength(path) <= NAME_BYTES ? [] : pack("pax", createRecord(path), "x")),
    ...pack(path, bytes),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}

/** A file in whole blocks. */
function pack(path: string, bytes: Uint8Array, type = "0"): readonly Uint8Array[] {
  const rest = Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1));
  return [createHeader(path, bytes.length, type), bytes, rest];
}

/** `25 path=assets/a/long/name` and a line feed: the number is the length of the record. */
function createRecord(path: string): Buffer {
  const text = ` path=${path}\n`;
  const bytes = Buffer.byteLength(text);
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length++;
  return Buffer.from(length + text);
}

function createHeader(path: string, size: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), at);
  header.write(path, 0, NAME_BYTES);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(`        ${type}`, 148);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total: number, byte: number) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
