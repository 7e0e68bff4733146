/**
 * A KV namespace as seen from one location: values and misses are served from a cache for a minute
 * after a read. Two views of one namespace are two locations. Source: Workers KV › Concepts › How
 * KV works: "eventually consistent", negative lookups.
 */
import { kvWith } from "./faulty-kv.ts";

const CACHED_MS = 60_000;

/**
 * A stale view of `kv`. Writes pass through without refreshing the cache. `nowMs` is the test's
 * clock.
 */
export function staleKv(kv: KVNamespace, nowMs: () => number): KVNamespace {
  const cache = new Map<string, { atMs: number; bytes: ArrayBuffer | null }>();
  const get = async (key: string, options?: { readonly type?: string }) => {
    let read = cache.get(key);
    if (read === undefined || nowMs() - read.atMs >= CACHED_MS) {
      read = { atMs: nowMs(), bytes: await kv.get(key, "arrayBuffer") };
      cache.set(key, read);
    }
    return read.bytes === null ? null : decoded(read.bytes, options?.type);
  };
  return kvWith(kv, { get });
}

function decoded(bytes: ArrayBuffer, type = "text"): unknown {
  if (type === "arrayBuffer") return bytes.slice(0);
  const text = new TextDecoder().decode(bytes);
  return type === "json" ? JSON.parse(text) : text;
}
