/**
 * A KV namespace as seen from one location: values and misses are served from a cache for a minute
 * after a read. Two views of one namespace are two locations. Source: Workers KV › Concepts › How
 * KV works: "eventually consistent", negative lookups.
 */
import { withKvMethods } from "./faulty-kv.ts";

const CACHED_MS = 60_000;

/**
 * A stale view of `kv`. Writes pass through without refreshing the cache. `nowMs` is the test's
 * clock.
 */
export function createStaleKv(kv: KVNamespace, nowMs: () => number): KVNamespace {
  const cache = new Map<string, { atMs: number; bytes: ArrayBuffer | null }>();
  const get = async (key: string, options?: { readonly type?: string }) => {
    let entry = cache.get(key);
    if (entry === undefined || nowMs() - entry.atMs >= CACHED_MS) {
      entry = { atMs: nowMs(), bytes: await kv.get(key, "arrayBuffer") };
      cache.set(key, entry);
    }
    return entry.bytes === null ? null : decode(entry.bytes, options?.type);
  };
  return withKvMethods(kv, { get });
}

function decode(bytes: ArrayBuffer, type = "text"): unknown {
  if (type === "arrayBuffer") return bytes.slice(0);
  const text = new TextDecoder().decode(bytes);
  return type === "json" ? JSON.parse(text) : text;
}
