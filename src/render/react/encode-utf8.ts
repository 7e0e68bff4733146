/** Encodes texts as UTF-8: one call into the runtime for each text, one copy of the result. */

const encoder = new TextEncoder();
/** The maximum bytes of UTF-8 for a UTF-16 unit. */
const MAX_BYTES_PER_CHAR = 3;
/** Reused for every call: enough for 349,525 units. Few flushes have more. */
const scratchBuffer = new Uint8Array(1024 * 1024);

/**
 * The concatenated bytes of `texts`. Each is encoded separately: half of a surrogate pair becomes
 * U+FFFD even if the next text begins with the other half.
 */
export function encodeUtf8(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const maxBytes = texts.reduce((sum, { length }) => sum + MAX_BYTES_PER_CHAR * length, 0);
  const bytes = maxBytes <= scratchBuffer.length ? scratchBuffer : new Uint8Array(maxBytes);
  let length = 0;
  for (const text of texts) length += encoder.encodeInto(text, bytes.subarray(length)).written;
  return bytes.slice(0, length);
}
