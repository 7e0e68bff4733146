/** Raw deflate by `node:zlib`. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Codec } from "../../../core/symbolication/codec.ts";

/** workerd doubles its buffer from this size on, and fails if the next size is above the limit. */
const FIRST_BUFFER_BYTES = 16 * 1024;

export const nodeCodec: Codec = {
  deflate: (bytes) => deflateRawSync(bytes),
  inflate(bytes, maxBytes) {
    let maxOutputLength = FIRST_BUFFER_BYTES;
    while (maxOutputLength < maxBytes) maxOutputLength *= 2;
    try {
      const inflated = inflateRawSync(bytes, { maxOutputLength });
      return inflated.length <= maxBytes ? inflated : null;
    } catch {
      return null;
    }
  },
};
