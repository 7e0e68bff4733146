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

interface KvOptions {
  values: Map<string, KvValue>;
  /** Stores the value, and answers with `end` or closes the connection. */
  put(key: string, value: KvValue, response: ServerResponse): Promise<void>;
  /** Finds the value for a read; by default the stored one. */
  read?(key: string): KvValue | undefined;
}

/** Serves the values on a free port. */
export async function serveKv(options: KvOptions) {
  const { values, put, read = (key) => values.get(key) } = options;
  let sorted: string[] = [];
  let isSorted = false;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://kv");
    const key = decodeURIComponent(url.pathname.slice(1));
    // The connection is closed after a kill.
    response.on("error", () => {});
    if (request.method === "PUT") return store(key, request, response);
    if (request.method === "GET") return key === "" ? list(url, response) : get(key, response);
    if (request.method === "POST" && key === "bulk/get") return getAll(request, response);
    if (request.method !== "DELETE") return end(response, 501);
    values.delete(key);
    isSorted = false;
    end(response, 204);
  });

  async function store(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await readBody(request);
    // An incomplete body, cut off by a kill, is not a put.
    if (bytes === null) return;
    const isKnown = values.has(key);
    await put(key, { bytes, metadata: request.headers["cf-kv-metadata"]?.toString() }, response);
    isSorted &&= isKnown;
  }

  function get(key: string, response: ServerResponse) {
    const value = read(key);
    if (value === undefined) return end(response, 404);
    const { bytes, metadata } = value;
    response.writeHead(200, metadata === undefined ? {} : { "CF-KV-Metadata": metadata });
    response.end(bytes);
  }

  function list({ searchParams }: URL, response: ServerResponse) {
    const prefix = searchParams.get("prefix") ?? "";
    const limit = Number(searchParams.get("key_count_limit") ?? MAX_PAGE);
    const after = searchParams.get("cursor") ?? "";
    if (!isSorted || sorted.length !== values.size) sorted = [...values.keys()].sort();
    isSorted = true;
    const begin = sorted.findIndex((name) => name.startsWith(prefix) && name > after);
    const found = begin < 0 ? [] : sorted.slice(begin, begin + limit + 1);
    const names = found.filter((name) => name.startsWith(prefix));
    const page = names.slice(0, limit);
    const keys = page.map((name) => ({ name, metadata: values.get(name)?.metadata }));
    const isComplete = names.length <= limit;
    const cursor = isComplete ? {} : { cursor: page.at(-1) };
    endJson(response, { keys, list_complete: isComplete, ...cursor, cacheStatus: null });
  }

  /** Several JSON values. */
  async function getAll(request: IncomingMessage, response: ServerResponse) {
    const { keys } = JSON.parse(String(await readBody(request)));
    const parse = (key: string) => JSON.parse(read(key)?.bytes.toString("utf8") ?? "null");
    endJson(response, Object.fromEntries(keys.map((key: string) => [key, parse(key)])));
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
