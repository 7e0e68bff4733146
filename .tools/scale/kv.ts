// A KV namespace in this process with the protocol of workerd's kvNamespace binding
// (workerd/src/workerd/api/kv.c++). It counts operations and bytes, and can take its time. No value
// expires.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../port.ts";

export interface Value {
  bytes: Buffer;
  metadata: string | undefined;
}

/** Operations so far. A bulk read counts each key, as Cloudflare bills it. */
export interface KvFigures {
  reads: number;
  writes: number;
  chunkWrites: number;
  deletes: number;
  lists: number;
  /** Of the chunks so far: keys, values and metadata. */
  chunkBytes: number;
}

export interface MemoryKv {
  port: number;
  values: Map<string, Value>;
  figures: KvFigures;
  /** The answer to a put comes so much later. */
  putMs: number;
  stop(): void;
}

const MAX_PAGE = 1_000;

/** Starts the service on a free port with these values. */
export async function startMemoryKv(values: Map<string, Value> = new Map()): Promise<MemoryKv> {
  const figures: KvFigures = {
    ...{ reads: 0, writes: 0, chunkWrites: 0, deletes: 0, lists: 0 },
    chunkBytes: 0,
  };
  let sorted: string[] | null = null;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://kv");
    const key = decodeURIComponent(url.pathname.slice(1));
    // After a kill the connection is closed.
    response.on("error", () => {});
    if (request.method === "PUT") return put(key, request, response);
    if (request.method === "GET") return key === "" ? list(url, response) : get(key, response);
    if (request.method === "POST" && key === "bulk/get") return getAll(request, response);
    if (request.method !== "DELETE") return end(response, 501);
    figures.deletes++;
    if (values.delete(key)) sorted = null;
    end(response, 204);
  });

  async function put(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await bodyOf(request);
    // An incomplete body, cut off by a kill, is not a put.
    if (bytes === null) return;
    const metadata = request.headers["cf-kv-metadata"]?.toString();
    const value = { bytes, metadata };
    figures.writes++;
    if (key.startsWith("chunk/")) {
      figures.chunkWrites++;
      figures.chunkBytes += sizeOf(key, value);
    }
    if (kv.putMs > 0) await sleep(kv.putMs);
    if (!values.has(key)) sorted = null;
    values.set(key, value);
    end(response, 200);
  }

  function get(key: string, response: ServerResponse) {
    figures.reads++;
    const value = values.get(key);
    if (value === undefined) return end(response, 404);
    const { bytes, metadata } = value;
    response.writeHead(200, metadata === undefined ? {} : { "CF-KV-Metadata": metadata });
    response.end(bytes);
  }

  function list({ searchParams }: URL, response: ServerResponse) {
    figures.lists++;
    sorted ??= [...values.keys()].sort();
    const prefix = searchParams.get("prefix") ?? "";
    const limit = Number(searchParams.get("key_count_limit") ?? MAX_PAGE);
    const after = searchParams.get("cursor") ?? "";
    let at = firstAtLeast(sorted, prefix > after ? prefix : after);
    if (sorted[at] === after) at++;
    const page: string[] = [];
    while (page.length < limit && sorted[at]?.startsWith(prefix)) page.push(sorted[at++] ?? "");
    const keys = page.map((name) => ({ name, metadata: values.get(name)?.metadata }));
    const isComplete = !sorted[at]?.startsWith(prefix);
    response.writeHead(200, { "Content-Type": "application/json" });
    const cursor = isComplete ? {} : { cursor: page.at(-1) };
    response.end(JSON.stringify({ keys, list_complete: isComplete, ...cursor, cacheStatus: null }));
  }

  /** Several values, all of them JSON. */
  async function getAll(request: IncomingMessage, response: ServerResponse) {
    const { keys } = JSON.parse(String(await bodyOf(request)));
    figures.reads += keys.length;
    const read = (key: string) => values.get(key)?.bytes.toString("utf8") ?? "null";
    response.writeHead(200, { "Content-Type": "application/json" });
    const found = keys.map((key: string) => [key, JSON.parse(read(key))]);
    response.end(JSON.stringify(Object.fromEntries(found)));
  }

  const kv: MemoryKv = {
    port: await listen(server, 0, "127.0.0.1"),
    ...{ values, figures, putMs: 0 },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return kv;
}

/** The bytes that Cloudflare bills for a value: key, value and metadata. */
export function sizeOf(key: string, { bytes, metadata }: Value): number {
  return key.length + bytes.length + (metadata?.length ?? 0);
}

/** The place of the first name that does not sort before `wanted`. */
function firstAtLeast(names: readonly string[], wanted: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function end(response: ServerResponse, status: number) {
  response.writeHead(status);
  response.end();
}

/** The whole body; null when the connection closed before its end. */
async function bodyOf(request: IncomingMessage) {
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}
