// Packs files into a tar (POSIX.1-1988 ustar).

import { Buffer } from "node:buffer";

const BLOCK_BYTES = 512;

/** The archive. Paths have at most 100 bytes. */
export function packTar(files: readonly { path: string; bytes: Uint8Array }[]): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [
    createHeader(path, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}

function createHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), at);
  header.write(path, 0, 100);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write("        0", 148);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total: number, byte: number) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
