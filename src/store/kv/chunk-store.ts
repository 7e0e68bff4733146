/** The record as KV holds it: its chunks, one or all, and what else a project has there. */
import { omitUndefined } from "../../core/omit-undefined.ts";
import { decodeChunk } from "./chunk.ts";
import { chunkPrefix, type ParsedPosition, parseChunkKey } from "./keys.ts";

/** One chunk of the record. */
export interface ChunkInfo extends Omit<ParsedPosition, "line"> {
  readonly key: string;
  /** When its first report came, ms; absent where it has none. */
  readonly firstMs?: number;
  /** Until when KV keeps it, ms. */
  readonly expiresAtMs?: number;
  /** The digests in it; absent when there are too many to say. */
  readonly digests?: readonly string[];
}

/** Every chunk of a project, or of one UTC day, up to a thousand at a time, in the order of their keys. */
export async function* listChunks(
  kv: KVNamespace,
  project: string,
  day = "",
): AsyncGenerator<readonly ChunkInfo[]> {
  for await (const keys of listKeys(kv, `${chunkPrefix(project)}${day.replaceAll("-", "")}`)) {
    yield keys.flatMap(({ name, metadata, expiration }) => {
      const parsed = parseChunkKey(project, name);
      if (parsed === null) return [];
      const expiresAtMs = expiration === undefined ? undefined : expiration * 1000;
      return {
        key: name,
        ...parsed,
        ...parseChunkMetadata(metadata),
        ...omitUndefined({ expiresAtMs }),
      };
    });
  }
}

/** Every key with this prefix, up to a thousand at a time. A page may be empty. */
export async function* listKeys(
  kv: KVNamespace,
  prefix: string,
): AsyncGenerator<readonly KVNamespaceListKey<unknown>[]> {
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix, cursor });
    yield page.keys;
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
}

/**
 * The lines of a chunk; null when KV has none under this key. `cacheTtl` is for how many seconds KV may keep it near its
 * reader.
 */
export async function readChunk(
  kv: KVNamespace,
  key: string,
  options: { readonly cacheTtl?: number } = {},
): Promise<readonly string[] | null> {
  const bytes = await kv.get(key, { type: "arrayBuffer", ...options });
  if (bytes === null) return null;
  return decodeChunk(bytes).catch((cause: unknown) => {
    throw new UnreadableChunkError(`${key} is no chunk`, { cause });
  });
}

/** What KV has under a chunk's key is none: nobody can read it, now or later. */
export class UnreadableChunkError extends Error {}

/** What a chunk's metadata says, as far as it says it. */
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
