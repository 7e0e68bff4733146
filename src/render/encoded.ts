/** Texts as bytes of UTF-8, by one copy and a call into the runtime for each of them. */

const encoder = new TextEncoder();
/** A UTF-16 unit is at most so many bytes of UTF-8. */
const BYTES_PER_UNIT = 3;
/** Room that is used again and again: what is in it is copied before anything else runs. Few pages are larger. */
const room = new Uint8Array(1024 * 1024);

/** The bytes of these texts, one behind the other; half of a surrogate pair is written as U+FFFD, also where the next text has the other half. */
export function encoded(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const most = texts.reduce((sum, { length }) => sum + BYTES_PER_UNIT * length, 0);
  const bytes = most <= room.length ? room : new Uint8Array(most);
  let length = 0;
  for (const text of texts) length += encoder.encodeInto(text, bytes.subarray(length)).written;
  return bytes.slice(0, length);
}
