/** Access to bytes that the runtime provides: compression, and reads of a stored file. */

/** Raw deflate (RFC 1951): `node:zlib` in a Durable Object, `identityCodec` in the browser. */
export interface Codec {
  deflate(bytes: Uint8Array): Uint8Array;
  /**
   * The inflated bytes; null if the input is not a deflate stream, or inflates to more than
   * `maxBytes`.
   */
  inflate(bytes: Uint8Array, maxBytes: number): Uint8Array | null;
}

/** Stores bytes as they are, for maps that are converted and read in the same process. */
export const identityCodec: Codec = {
  deflate: (bytes) => bytes,
  inflate: (bytes, maxBytes) => (bytes.length <= maxBytes ? bytes : null),
};

/** A file that is read in parts, such as rows of a database. */
export interface ByteRange {
  readonly length: number;
  /** The bytes from `offset`, at most `length` of them: fewer at the end of the file. */
  read(offset: number, length: number): Uint8Array;
  /**
   * The same file for a pass from start to end, which takes less memory: the bytes of a read are
   * valid until 2 MB more were read.
   */
  openPass?(): ByteRange;
}

/** The parts one after another. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A file in memory. Reads are views of `bytes`. */
export function toByteRange(bytes: Uint8Array): ByteRange {
  return {
    length: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  };
}
