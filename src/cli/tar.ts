// Packs files into a tar (POSIX.1-1988 ustar).

import { Buffer } from "node:buffer";

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** The archive. Throws for a path that has no place in a header: most paths of 255 bytes have one. */
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
  const { prefix, name } = splitPath(path);
  header.write(name, 0, NAME_BYTES);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write("        0", 148);
  header.write("ustar\0" + "00", 257);
  header.write(prefix, 345, PREFIX_BYTES);
  const sum = header.reduce((total: number, byte: number) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A long path is divided at a slash. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= NAME_BYTES) return { prefix: "", name: path };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) > NAME_BYTES) continue;
    if (name === "" || Buffer.byteLength(prefix) > PREFIX_BYTES) break;
    return { prefix, name };
  }
  throw new RangeError(`The path is too long for a tar: ${path}`);
}
