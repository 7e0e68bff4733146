// A KV namespace that fails by a plan: an HTTP service in this process with the protocol of
// workerd's kvNamespace binding (workerd/src/workerd/api/kv.c++: PUT, GET and DELETE of `/<key>`,
// metadata in `CF-KV-Metadata`, lists, bulk reads). It survives the kills of workerd and keeps KV's
// rules: one write a second for each key, and reads that are up to a minute old, also of a missing
// key.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../port.ts";
import { isWithin, type Plan } from "./plan.ts";
import { viewOf } from "./stale-view.ts";

/** KV takes one write a second per key. */
const WRITE_EVERY_MS = 1_000;

type Value = { bytes: Buffer; metadata: string | undefined };

type Stage = "put" | "stored";

export type FaultyKv = Awaited<ReturnType<typeof startKv>>;

/** Starts the service on a free port, at first without the faults of the plan. */
export async function startKv(plan: Plan) {
  const values: Map<string, Value> = new Map();
  const view = viewOf(values);
  const writes: Map<string, { attempts: number; lastMs: number }> = new Map();
  const chunks: Map<string, string> = new Map();
  const changed: string[] = [];
  const figures = {
    puts: 0,
    underFire: 0,
    refused: 0,
    quota: 0,
    tooSoon: 0,
    answersLost: 0,
    slow: 0,
  };
  let beganMs: number | null = null;
  let ambush: { stage: Stage; strike: () => void } | null = null;
  const delays: Set<() => void> = new Set();

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://kv");
    const key = decodeURIComponent(url.pathname.slice(1));
    // After a kill the connection is closed.
    response.on("error", () => {});
    if (request.method === "PUT") return put(key, request, response);
    if (request.method === "GET") return key === "" ? list(url, response) : get(key, response);
    if (request.method === "POST" && key === "bulk/get") return getAll(request, response);
    if (request.method === "DELETE") {
      values.delete(key);
      return end(response, 204);
    }
    end(response, 501);
  });

  async function put(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await bodyOf(request);
    // An incomplete body, cut off by a kill, is not a put.
    if (bytes === null) return;
    const metadata = textOf(request.headers["cf-kv-metadata"]);
    const now = performance.now();
    const write = writes.get(key) ?? { attempts: 0, lastMs: -Infinity };
    writes.set(key, { ...write, attempts: write.attempts + 1 });
    figures.puts++;
    if (beganMs !== null) figures.underFire++;
    if (key.startsWith("chunk/")) watch(key, bytes, metadata);
    if (key.startsWith("chunk/") && ambush?.stage === "put") return strike(response);
    if (beganMs !== null && isWithin(plan.droughts, now - beganMs)) {
      figures.quota++;
      return end(response, 429);
    }
    if (now - write.lastMs < WRITE_EVERY_MS) {
      figures.tooSoon++;
      return end(response, 429);
    }
    const fate = beganMs === null ? "ok" : plan.fateOf(key, write.attempts + 1);
    if (fate === "too-many" || fate === "broken") {
      figures.refused++;
      return end(response, fate === "broken" ? 500 : 429);
    }
    if (fate === "slow" || fate === "hangs") figures.slow++;
    writes.set(key, { attempts: write.attempts + 1, lastMs: now });
    await delay(plan.delayMs(fate, key, write.attempts + 1));
    values.set(key, { bytes, metadata });
    if (key.startsWith("chunk/") && ambush?.stage === "stored") return strike(response);
    if (fate !== "answer-lost") return end(response, 200);
    figures.answersLost++;
    response.destroy();
  }

  function get(key: string, response: ServerResponse) {
    const value = view.read(key);
    if (value === undefined) return end(response, 404);
    const { bytes, metadata } = value;
    response.writeHead(200, metadata === undefined ? {} : { "CF-KV-Metadata": metadata });
    response.end(bytes);
  }

  /** Every key with a prefix, on one page. */
  function list({ searchParams }: URL, response: ServerResponse) {
    const prefix = searchParams.get("prefix") ?? "";
    const limit = Number(searchParams.get("key_count_limit") ?? 1_000);
    const after = searchParams.get("cursor") ?? "";
    const names = [...values.keys()].filter((name) => name.startsWith(prefix) && name > after);
    const page = names.sort().slice(0, limit);
    const keys = page.map((name) => ({ name, metadata: values.get(name)?.metadata }));
    const isComplete = page.length === names.length;
    response.writeHead(200, { "Content-Type": "application/json" });
    const cursor = isComplete ? {} : { cursor: page.at(-1) };
    response.end(JSON.stringify({ keys, list_complete: isComplete, ...cursor, cacheStatus: null }));
  }

  /** Several values, all of them JSON. */
  async function getAll(request: IncomingMessage, response: ServerResponse) {
    const { keys } = JSON.parse(String(await bodyOf(request)));
    const read = (key: string) => view.read(key)?.bytes.toString("utf8") ?? "null";
    response.writeHead(200, { "Content-Type": "application/json" });
    const found = keys.map((key: string) => [key, JSON.parse(read(key))]);
    response.end(JSON.stringify(Object.fromEntries(found)));
  }

  /** Records a chunk whose bytes or metadata differ from an earlier put. */
  function watch(key: string, bytes: Buffer, metadata: string | undefined = "") {
    const hash = createHash("sha256").update(bytes).update(metadata).digest("hex");
    if ((chunks.get(key) ?? hash) !== hash) changed.push(key);
    chunks.set(key, hash);
  }

  function strike(response: ServerResponse) {
    const { strike } = ambush ?? { strike() {} };
    ambush = null;
    strike();
    response.destroy();
  }

  function delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(go, ms);
      function go() {
        clearTimeout(timer);
        delays.delete(go);
        resolve();
      }
      delays.add(go);
    });
  }

  const port = await listen(server, 0, "127.0.0.1");
  return {
    port,
    /** The stored values, without faults. */
    values,
    /** Keys of chunks that were put again with other bytes, once for each such put. */
    changed,
    figures,
    reads: view.figures,
    /** Starts the faults of the plan. */
    begin() {
      beganMs = performance.now();
    },
    /** Ends the faults. Delayed puts are stored at once. */
    calm() {
      beganMs = null;
      ambush = null;
      for (const go of [...delays]) go();
    },
    /** From now on reads are up to date. */
    refresh: view.refresh,
    /** Cancels `lieInWait`. */
    relent() {
      ambush = null;
    },
    /**
     * Calls `strike` once, during the next put of a chunk, and leaves that put without an answer.
     */
    lieInWait(stage: Stage, strike: () => void) {
      ambush = { stage, strike };
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function end(response: ServerResponse, status: number) {
  response.writeHead(status);
  response.end();
}

function textOf(header: string | string[] | undefined) {
  return Array.isArray(header) ? header.join() : header;
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
