/** Texts as UTF-8: a call into the runtime for each of them, and one copy of all. */

const encoder = new TextEncoder();
/** A UTF-16 unit is at most so many bytes of UTF-8. */
const MAX_BYTES_PER_CHAR = 3;
/** Room to encode into, again and again: enough for 349,525 units, and few flushes have more. `encoded` copies out of it before it returns. */
const scratchBuffer = new Uint8Array(1024 * 1024);

/**
 * The bytes of these texts, one behind the other. Each text by itself: half of a surrogate pair becomes U+FFFD even where the next
 * text begins with the other half.
 */
export function encodeUtf8(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const maxBytes = texts.reduce((sum, { length }) => sum + MAX_BYTES_PER_CHAR * length, 0);
  const bytes = maxBytes <= scratchBuffer.length ? scratchBuffer : new Uint8Array(maxBytes);
  let length = 0;
  for (const text of texts) length += encoder.encodeInto(text, bytes.subarray(length)).written;
  return bytes.slice(0, length);
}
