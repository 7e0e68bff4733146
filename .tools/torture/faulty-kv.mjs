// A KV namespace that misbehaves by a plan: an HTTP service in this process, which speaks what workerd's kvNamespace binding
// speaks (workerd/src/workerd/api/kv.c++: PUT, GET and DELETE of `/<key>`, metadata in `CF-KV-Metadata`, lists, bulk reads). It lives on when
// workerd is killed, and keeps KV's own rules: one write a second a key; what was read is served for up to a minute, and so
// is what was not there.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { listen } from "../port.mjs";
import { isWithin } from "./plan.mjs";
import { viewOf } from "./stale-view.mjs";

/** KV takes one write a second per key. */
const WRITE_EVERY_MS = 1_000;

/** @typedef {{ bytes: Buffer, metadata: string | undefined }} Value */
/** @typedef {"put" | "stored"} Stage */
/** @typedef {Awaited<ReturnType<typeof startKv>>} FaultyKv */

/**
 * Starts the service on a free port, at first without any fault of the plan.
 *
 * @param {import("./plan.mjs").Plan} plan
 */
export async function startKv(plan) {
  /** @type {Map<string, Value>} */
  const values = new Map();
  const view = viewOf(values);
  /** @type {Map<string, { attempts: number, lastMs: number }>} */
  const writes = new Map();
  /** @type {Map<string, string>} */
  const chunks = new Map();
  /** @type {string[]} */
  const changed = [];
  const figures = {
    puts: 0,
    underFire: 0,
    refused: 0,
    quota: 0,
    tooSoon: 0,
    answersLost: 0,
    slow: 0,
  };
  /** @type {number | null} */
  let beganMs = null;
  /** @type {{ stage: Stage, strike: () => void } | null} */
  let ambush = null;
  /** @type {Set<() => void>} */
  const delays = new Set();

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://kv");
    const key = decodeURIComponent(url.pathname.slice(1));
    // What comes after a kill has nobody to answer to.
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

  /** @param {string} key @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async function put(key, request, response) {
    const bytes = await bodyOf(request);
    // A body that was cut off by a kill was never a put.
    if (bytes === null) return;
    const metadata = textOf(request.headers["cf-kv-metadata"]);
    const now = performance.now();
    const write = writes.get(key) ?? { attempts: 0, lastMs: -Infinity };
    writes.set(key, { ...write, attempts: write.attempts + 1 });
    figures.puts++;
    if (beganMs !== null) figures.underFire++;
    if (key.startsWith("c/")) watch(key, bytes, metadata);
    if (key.startsWith("c/") && ambush?.stage === "put") return strike(response);
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
    if (key.startsWith("c/") && ambush?.stage === "stored") return strike(response);
    if (fate !== "answer-lost") return end(response, 200);
    figures.answersLost++;
    response.destroy();
  }

  /** @param {string} key @param {import("node:http").ServerResponse} response */
  function get(key, response) {
    const value = view.read(key);
    if (value === undefined) return end(response, 404);
    const { bytes, metadata } = value;
    response.writeHead(200, metadata === undefined ? {} : { "CF-KV-Metadata": metadata });
    response.end(bytes);
  }

  /** Every key with a prefix, on one page. @param {URL} url @param {import("node:http").ServerResponse} response */
  function list({ searchParams }, response) {
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

  /** Several values that are JSON. @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async function getAll(request, response) {
    const { keys } = JSON.parse(String(await bodyOf(request)));
    const read = (/** @type {string} */ key) => view.read(key)?.bytes.toString("utf8") ?? "null";
    response.writeHead(200, { "Content-Type": "application/json" });
    const found = keys.map((/** @type {string} */ key) => [key, JSON.parse(read(key))]);
    response.end(JSON.stringify(Object.fromEntries(found)));
  }

  /** Notes a chunk whose bytes or metadata are not those of an earlier put. @param {string} key @param {Buffer} bytes
   * @param {string | undefined} metadata */
  function watch(key, bytes, metadata = "") {
    const hash = createHash("sha256").update(bytes).update(metadata).digest("hex");
    if ((chunks.get(key) ?? hash) !== hash) changed.push(key);
    chunks.set(key, hash);
  }

  /** @param {import("node:http").ServerResponse} response */
  function strike(response) {
    const { strike } = ambush ?? { strike() {} };
    ambush = null;
    strike();
    response.destroy();
  }

  /** @param {number} ms @returns {Promise<void>} */
  function delay(ms) {
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
    /** What stands there: a namespace that nobody can be wrong about. */
    values,
    /** Keys of chunks that were put with other bytes than before, once for each such put. */
    changed,
    figures,
    reads: view.figures,
    /** From now on puts meet the fates of the plan. */
    begin() {
      beganMs = performance.now();
    },
    /** From now on every put is taken; what is under way is stored at once. */
    calm() {
      beganMs = null;
      ambush = null;
      for (const go of [...delays]) go();
    },
    /** From now on reads see what stands there. */
    refresh: view.refresh,
    /** Nobody lies in wait any longer. */
    relent() {
      ambush = null;
    },
    /** Calls `strike` once, in the midst of the next put of a chunk, and leaves that put without an answer.
     * @param {Stage} stage @param {() => void} strike */
    lieInWait(stage, strike) {
      ambush = { stage, strike };
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {import("node:http").ServerResponse} response @param {number} status */
function end(response, status) {
  response.writeHead(status);
  response.end();
}

/** @param {string | string[] | undefined} header */
function textOf(header) {
  return Array.isArray(header) ? header.join() : header;
}

/** The whole body, or null when the connection broke before its end. @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}
