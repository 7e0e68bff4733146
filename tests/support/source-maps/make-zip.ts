/** Makes zips and artifact bundles. */
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** An artifact bundle: eight bytes, then a zip whose offsets count from the first byte. */
export function makeBundle(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Uint8Array {
  return Buffer.concat([Buffer.from("SYSB\x02\0\0\0", "latin1"), makeZip(files, 8)]);
}

/** A zip of deflated files. `shift` is added to its offsets. */
export function makeZip(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  shift = 0,
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = shift;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, tail, name]));
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), end]);
}
