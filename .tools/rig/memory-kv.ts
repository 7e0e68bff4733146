// A KV namespace in this process. It counts operations and bytes, and can delay puts. No value
// expires.

import { setTimeout as sleep } from "node:timers/promises";
import { end, type KvValue, serveKv } from "./kv-server.ts";

/** Operations so far. A bulk read counts each key, as Cloudflare bills it. */
export interface KvFigures {
  reads: number;
  writes: number;
  chunkWrites: number;
  /** Bytes of the chunks so far: keys, values and metadata. */
  chunkBytes: number;
}

export type MemoryKv = Awaited<ReturnType<typeof startMemoryKv>>;

/** Starts the service on a free port with these values. */
export async function startMemoryKv(values: Map<string, KvValue>) {
  const figures: KvFigures = { reads: 0, writes: 0, chunkWrites: 0, chunkBytes: 0 };
  /** `putMs` delays the response to a put. */
  const settings = { putMs: 0 };
  const server = await serveKv({
    values,
    async put(key, value, response) {
      figures.writes++;
      if (key.startsWith("chunk/")) {
        figures.chunkWrites++;
        figures.chunkBytes += measureSize(key, value);
      }
      if (settings.putMs > 0) await sleep(settings.putMs);
      values.set(key, value);
      end(response, 200);
    },
    read(key) {
      figures.reads++;
      return values.get(key);
    },
  });
  return { ...server, figures, settings };
}

/** The bytes that Cloudflare bills for a value: key, value and metadata. */
export function measureSize(key: string, { bytes, metadata }: KvValue): number {
  return key.length + bytes.length + (metadata?.length ?? 0);
}
