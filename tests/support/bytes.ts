// Request bodies, from text or values.

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text, or of a value's JSON. */
export function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encoder.encode(typeof body === "string" ? body : JSON.stringify(body)));
}

/** Concatenates several pieces of text or bytes. */
export function concatBytes(...pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  return new Uint8Array(Buffer.concat(parts));
}
