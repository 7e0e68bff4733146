// The HTTP protocol of workerd's kvNamespace binding (workerd/src/workerd/api/kv.c++): PUT, GET and
// DELETE of `/<key>`, metadata in `CF-KV-Metadata`, lists, bulk reads. The values are in this
// process, and none expires.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
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
export async function serveKv({ values, put, read = (key) => values.get(key) }: KvOptions) {
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
    end(response, 204);
  });

  async function store(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await buffer(request).catch(() => undefined);
    // An incomplete body, cut off by a kill, is not a put.
    if (bytes === undefined) return;
    await put(key, { bytes, metadata: request.headers["cf-kv-metadata"]?.toString() }, response);
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
    const names = [...values.keys()]
      .filter((name) => name.startsWith(prefix) && name > after)
      .sort();
    const page = names.slice(0, limit);
    const keys = page.map((name) => ({ name, metadata: values.get(name)?.metadata }));
    const isComplete = names.length <= limit;
    const cursor = isComplete ? {} : { cursor: page.at(-1) };
    endJson(response, { keys, list_complete: isComplete, ...cursor, cacheStatus: null });
  }

  /** Several JSON values. */
  async function getAll(request: IncomingMessage, response: ServerResponse) {
    const { keys }: { keys: string[] } = JSON.parse(String(await buffer(request)));
    const parse = (key: string) => JSON.parse(read(key)?.bytes.toString("utf8") ?? "null");
    endJson(response, Object.fromEntries(keys.map((key) => [key, parse(key)])));
  }

  return {
    values,
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

export type CountingKv = Awaited<ReturnType<typeof serveCountingKv>>;

/** Serves the values, and counts the operations: a bulk read counts each key, as on the bill. */
export async function serveCountingKv(values: Map<string, KvValue>) {
  const figures = { kvReads: 0, kvWrites: 0 };
  const server = await serveKv({
    values,
    async put(key, value, response) {
      figures.kvWrites++;
      values.set(key, value);
      end(response, 200);
    },
    read(key) {
      figures.kvReads++;
      return values.get(key);
    },
  });
  return { ...server, figures };
}
