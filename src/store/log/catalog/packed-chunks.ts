/**
 * The chunks of a run, packed: 24 bytes for each.
 *
 *     8 bytes chunk number · 4 hour · 4 expiry · 4 upload (seconds since 1970) · 4 lines
 */
import { HOUR_MS, parseUtcHour, toUtcHour } from "../../../core/utc-time.ts";

export const CHUNK_BYTES = 24;

/** The expiry time of a chunk that does not expire. */
const MAX_SECONDS = 0xffffffff;

/** A chunk in KV. Times in ms. */
export interface UploadedChunk {
  readonly chunk: number;
  /** `2026112117` */
  readonly hour: string;
  readonly lineCount: number;
  readonly uploadedMs: number;
  readonly expiresAtMs: number;
}

/** Packs chunks in order. Times are rounded down to seconds. */
export function packChunks(chunks: readonly UploadedChunk[]): Uint8Array {
  const bytes = new Uint8Array(chunks.length * CHUNK_BYTES);
  const view = new DataView(bytes.buffer);
  chunks.forEach(({ chunk, hour, lineCount, uploadedMs, expiresAtMs }, n) => {
    const at = n * CHUNK_BYTES;
    view.setFloat64(at, chunk);
    view.setUint32(at + 8, parseUtcHour(hour) / HOUR_MS);
    view.setUint32(at + 12, toSeconds(expiresAtMs));
    view.setUint32(at + 16, toSeconds(uploadedMs));
    view.setUint32(at + 20, lineCount);
  });
  return bytes;
}

/** Unpacks chunks, in order. */
export function* unpackChunks(packed: ArrayBuffer): Generator<UploadedChunk> {
  const view = new DataView(packed);
  // Most chunks have the hour of the one before.
  let [lastHour, hour] = [-1, ""];
  for (let at = 0; at + CHUNK_BYTES <= packed.byteLength; at += CHUNK_BYTES) {
    const hours = view.getUint32(at + 8);
    if (hours !== lastHour) [lastHour, hour] = [hours, toUtcHour(hours * HOUR_MS)];
    yield {
      chunk: view.getFloat64(at),
      hour,
      expiresAtMs: view.getUint32(at + 12) * 1000,
      uploadedMs: view.getUint32(at + 16) * 1000,
      lineCount: view.getUint32(at + 20),
    };
  }
}

/** A chunk by its number; undefined if it is not among the packed ones. */
export function findPackedChunk(packed: ArrayBuffer, chunk: number): UploadedChunk | undefined {
  const view = new DataView(packed);
  for (let at = 0; at + CHUNK_BYTES <= packed.byteLength; at += CHUNK_BYTES) {
    if (view.getFloat64(at) !== chunk) continue;
    for (const found of unpackChunks(packed.slice(at, at + CHUNK_BYTES))) return found;
  }
  return undefined;
}

function toSeconds(ms: number): number {
  return Math.min(Math.max(0, Math.floor(ms / 1000)), MAX_SECONDS);
}
