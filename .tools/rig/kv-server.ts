// The HTTP protocol of workerd's kvNamespace binding (workerd/src/workerd/api/kv.c++): PUT, GET and
// DELETE of `/<key>`, metadata in `CF-KV-Metadata`, lists, bulk reads. The caller keeps the
// stored values.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../local/port.ts";

const MAX_PAGE = 1_000;

export interface KvValue {
  bytes: Buffer;
  metadata: string | undefined;
}

interface KvOperations {
  /** Stores the value, and answers with `end` or closes the connection. */
  put(key: string, value: KvValue, response: ServerResponse): unknown;
  read(key: string): KvValue | undefined;
  remove(key: string): void;
  /** Up to `limit` keys with the prefix and after `after`, in order, and whether these are all. */
  list(prefix: string, after: string, limit: number): { names: string[]; isComplete: boolean };
  readMetadata(key: string): string | undefined;
}

/** Serves the operations on a free port. */
export async function serveKv(operations: KvOperations) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://kv");
    const key = decodeURIComponent(url.pathname.slice(1));
    // The connection is closed after a kill.
    response.on("error", () => {});
    if (request.method === "PUT") return put(key, request, response);
    if (request.method === "GET") return key === "" ? list(url, response) : get(key, response);
    if (request.method === "POST" && key === "bulk/get") return getAll(request, response);
    if (request.method !== "DELETE") return end(response, 501);
    operations.remove(key);
    end(response, 204);
  });

  async function put(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await readBody(request);
    // An incomplete body, cut off by a kill, is not a put.
    if (bytes === null) return;
    const metadata = request.headers["cf-kv-metadata"]?.toString();
    await operations.put(key, { bytes, metadata }, response);
  }

  function get(key: string, response: ServerResponse) {
    const value = operations.read(key);
    if (value === undefined) return end(response, 404);
    const { bytes, metadata } = value;
    response.writeHead(200, metadata === undefined ? {} : { "CF-KV-Metadata": metadata });
    response.end(bytes);
  }

  function list({ searchParams }: URL, response: ServerResponse) {
    const prefix = searchParams.get("prefix") ?? "";
    const limit = Number(searchParams.get("key_count_limit") ?? MAX_PAGE);
    const after = searchParams.get("cursor") ?? "";
    const { names, isComplete } = operations.list(prefix, after, limit);
    const keys = names.map((name) => ({ name, metadata: operations.readMetadata(name) }));
    const cursor = isComplete ? {} : { cursor: names.at(-1) };
    endJson(response, { keys, list_complete: isComplete, ...cursor, cacheStatus: null });
  }

  /** Several JSON values. */
  async function getAll(request: IncomingMessage, response: ServerResponse) {
    const { keys } = JSON.parse(String(await readBody(request)));
    const read = (key: string) => operations.read(key)?.bytes.toString("utf8") ?? "null";
    endJson(response, Object.fromEntries(keys.map((key: string) => [key, JSON.parse(read(key))])));
  }

  return {
    port: await listen(server, 0, "127.0.0.1"),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A response without a body. */
export function end(response: ServerResponse, status: number) {
  response.writeHead(status);
  response.end();
}

function endJson(response: ServerResponse, body: object) {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The whole body; null if the connection closed before its end. */
async function readBody(request: IncomingMessage) {
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}
