/** Raw deflate by `node:zlib`. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Codec } from "../../../core/symbolication/codec.ts";

export const nodeCodec: Codec = {
  deflate: (bytes) => deflateRawSync(bytes),
  inflate(bytes, maxBytes) {
    try {
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes) });
    } catch {
      return null;
    }
  },
};
