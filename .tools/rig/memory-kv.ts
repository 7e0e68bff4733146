// A KV namespace in this process. It counts operations and bytes, and can delay puts. No value
// expires.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { end, type KvValue, serveKv } from "./kv-server.ts";

/** Operations so far. A bulk read counts each key, as Cloudflare bills it. */
export interface KvFigures {
  reads: number;
  writes: number;
  chunkWrites: number;
  deletes: number;
  lists: number;
  /** Bytes of the chunks so far: keys, values and metadata. */
  chunkBytes: number;
}

export interface MemoryKv {
  port: number;
  values: Map<string, KvValue>;
  figures: KvFigures;
  /** The delay of the response to a put. */
  putMs: number;
  stop(): void;
}

/** Starts the service on a free port with these values. */
export async function startMemoryKv(values: Map<string, KvValue> = new Map()): Promise<MemoryKv> {
  const figures: KvFigures = {
    ...{ reads: 0, writes: 0, chunkWrites: 0, deletes: 0, lists: 0 },
    chunkBytes: 0,
  };
  let sorted: string[] | null = null;
  async function put(key: string, value: KvValue, response: ServerResponse) {
    figures.writes++;
    if (key.startsWith("chunk/")) {
      figures.chunkWrites++;
      figures.chunkBytes += measureSize(key, value);
    }
    if (kv.putMs > 0) await sleep(kv.putMs);
    if (!values.has(key)) sorted = null;
    values.set(key, value);
    end(response, 200);
  }

  function read(key: string) {
    figures.reads++;
    return values.get(key);
  }

  function remove(key: string) {
    figures.deletes++;
    if (values.delete(key)) sorted = null;
  }

  function list(prefix: string, after: string, limit: number) {
    figures.lists++;
    sorted ??= [...values.keys()].sort();
    let at = findFirst(sorted, prefix > after ? prefix : after);
    if (sorted[at] === after) at++;
    const names: string[] = [];
    while (names.length < limit && sorted[at]?.startsWith(prefix)) names.push(sorted[at++] ?? "");
    return { names, isComplete: !sorted[at]?.startsWith(prefix) };
  }

  const readMetadata = (key: string) => values.get(key)?.metadata;
  const server = await serveKv({ put, read, remove, list, readMetadata });
  const kv: MemoryKv = {
    ...server,
    ...{ values, figures, putMs: 0 },
  };
  return kv;
}

/** The bytes that Cloudflare bills for a value: key, value and metadata. */
export function measureSize(key: string, { bytes, metadata }: KvValue): number {
  return key.length + bytes.length + (metadata?.length ?? 0);
}

/** The index of the first name that does not sort before `wanted`. */
function findFirst(names: readonly string[], wanted: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
