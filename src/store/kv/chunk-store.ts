/** Chunks in KV: listing, reading and writing them. */
import { withTimeout } from "../with-timeout.ts";
import { type ChunkLines, createChunkMetadata, decodeChunk, encodeChunk } from "./chunk.ts";
import { type ParsedPosition, parseChunkKey, toChunkPrefix } from "./keys.ts";
import type { LineInfo } from "./line-info.ts";
import { formatExtraIdsLine } from "./stored-json.ts";

const PUT_TIMEOUT_MS = 20_000;

/** A chunk as KV lists it. */
export interface ChunkInfo extends Omit<ParsedPosition, "line"> {
  readonly key: string;
  /** When its first report was received, ms; absent without a report. */
  readonly firstMs?: number;
  /** When KV deletes it, ms. */
  readonly expiresAtMs?: number;
  /** The digests in it; absent if there are too many for the metadata. */
  readonly digests?: readonly string[];
}

/**
 * Up to 1,000 chunks of a project, ordered by key. `cursor` is the `next` of the page before it;
 * `next` is absent for the last page.
 */
export async function listChunkPage(
  kv: KVNamespace,
  project: string,
  cursor?: string,
): Promise<{ readonly chunks: readonly ChunkInfo[]; readonly next?: string }> {
  const { keys, next } = await listKeyPage(kv, toChunkPrefix(project), cursor);
  const chunks = keys.flatMap(({ name, metadata, expiration }) => {
    const parsed = parseChunkKey(project, name);
    if (parsed === null) return [];
    const expiresAtMs = expiration === undefined ? undefined : expiration * 1000;
    return { key: name, ...parsed, ...parseChunkMetadata(metadata), expiresAtMs };
  });
  return { chunks, next };
}

/** Up to 1,000 keys with a prefix. A page may be empty. `next` is absent for the last one. */
export async function listKeyPage(
  kv: KVNamespace,
  prefix: string,
  cursor = "",
): Promise<{ readonly keys: readonly KVNamespaceListKey<unknown>[]; readonly next?: string }> {
  const page = await kv.list({ prefix, cursor: cursor === "" ? null : cursor });
  return { keys: page.keys, ...(!page.list_complete && { next: page.cursor }) };
}

/**
 * The lines of a chunk; null if KV has no such key. `cacheTtl`: seconds that KV caches the value
 * near its reader. Rejects with `UnreadableChunkError` if the value is not a chunk.
 */
export async function readChunk(
  kv: KVNamespace,
  key: string,
  options: { readonly cacheTtl?: number } = {},
): Promise<readonly string[] | null> {
  const bytes = await readChunkBytes(kv, key, options);
  if (bytes === null) return null;
  return decodeChunk(bytes).catch((cause: unknown) => {
    throw new UnreadableChunkError(`${key} is not a chunk`, { cause });
  });
}

/** The value of a chunk, compressed; null if KV has no such key. */
export function readChunkBytes(
  kv: KVNamespace,
  key: string,
  options: { readonly cacheTtl?: number } = {},
): Promise<ArrayBuffer | null> {
  return kv.get(key, { type: "arrayBuffer", ...options });
}

/** The value under a chunk's key is not a chunk. Reading it again does not help. */
export class UnreadableChunkError extends Error {}

/** Writes a chunk with its metadata. `infos` are those of the lines, if the caller has them. */
export async function putChunk(
  kv: KVNamespace,
  key: string,
  { lines, extraIds, infos }: ChunkLines & { readonly infos?: readonly LineInfo[] },
  expiry: { readonly expirationTtl: number } | { readonly expiration: number },
): Promise<void> {
  const metadata = createChunkMetadata(lines, infos);
  const bytes = await encodeChunk(
    extraIds.length > 0 ? [...lines, formatExtraIdsLine(extraIds)] : lines,
  );
  await withTimeout(kv.put(key, bytes, { metadata, ...expiry }), PUT_TIMEOUT_MS);
}

function parseChunkMetadata(metadata: unknown): Pick<ChunkInfo, "firstMs" | "digests"> {
  if (typeof metadata !== "object" || metadata === null) return {};
  const { firstMs, digests } = metadata as { firstMs?: unknown; digests?: unknown };
  return {
    ...(typeof firstMs === "number" && { firstMs }),
    ...(Array.isArray(digests) && {
      digests: digests.map((pair: unknown) => String([pair].flat(2)[0])),
    }),
  };
}
