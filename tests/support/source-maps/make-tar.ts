/** Makes tar archives (ustar). */
import { Buffer } from "node:buffer";

const BLOCK_BYTES = 512;

/** A tar of regular files. */
export function makeTar(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Uint8Array {
  const parts = files.flatMap(({ path, bytes }) => {
    const header = Buffer.alloc(BLOCK_BYTES);
    header.write(path, 0);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        0", 148);
    header.write("ustar\0", 257);
    const sum = header.reduce((total: number, byte: number) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
    return [header, bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}
