/** Raw deflate by `node:zlib`. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Codec } from "../../../core/symbolication/codec.ts";

/**
 * workerd grows its buffer in steps of up to 32 kB, and fails if the next step is above the limit:
 * 49,000 bytes need a limit of 81,944.
 */
const BUFFER_STEP_BYTES = 64 * 1024;

/**
 * For source code, it takes a third of the time of level 6, the default, half of that of level 5,
 * and 3 to 6 % more bytes than level 5. Compression is most of a conversion.
 */
const LEVEL = 4;

export const rawDeflate: Codec = {
  deflate: (bytes) => deflateRawSync(bytes, { level: LEVEL }),
  inflate(bytes, maxBytes) {
    try {
      const maxOutputLength = maxBytes + BUFFER_STEP_BYTES;
      const inflated = inflateRawSync(bytes, { maxOutputLength });
      return inflated.length <= maxBytes ? inflated : null;
    } catch {
      return null;
    }
  },
};
