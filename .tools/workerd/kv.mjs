// A KV namespace inside workerd: a Durable Object with the protocol of the kvNamespace binding
// (workerd/src/workerd/api/kv.c++), the limits of Cloudflare's KV and its expiry. Values are in
// SQLite, in rows of at most a megabyte.

const MAX_METADATA_BYTES = 1024;
const MAX_VALUE_BYTES = 25 * 1024 * 1024;
const MAX_BULK_KEYS = 100;
const MAX_PAGE = 1000;
const MIN_TTL_SECONDS = 60;
const PART_BYTES = 1_000_000;
const PURGE_EVERY_MS = 60_000;
/** Sorts after every key with the same prefix. */
const LAST = "\u{10ffff}";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries
    (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, metadata TEXT, expiresS INTEGER);
  CREATE INDEX IF NOT EXISTS expiry ON entries (expiresS) WHERE expiresS IS NOT NULL;
  CREATE TABLE IF NOT EXISTS parts
    (entry INTEGER, part INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (entry, part));
`;
const LIVE = "(expiresS IS NULL OR expiresS > ?)";

/** @typedef {{ id: number, metadata: string | null, expiresS: number | null }} Entry */

export class Namespace {
  #storage;
  #purgedMs = 0;

  /** @param {import("@cloudflare/workers-types").DurableObjectState} state */
  constructor(state) {
    this.#storage = state.storage;
    state.storage.sql.exec(SCHEMA);
  }

  /** @param {Request} request */
  async fetch(request) {
    const url = new URL(request.url);
    const key = decodeURIComponent(url.pathname.slice(1));
    if (request.method === "PUT") return this.#put(key, url.searchParams, request);
    if (request.method === "POST") return this.#getAll(await request.json());
    if (request.method === "GET") return key === "" ? this.#list(url.searchParams) : this.#get(key);
    if (request.method !== "DELETE") return refuse(405, "The method is unknown.");
    this.#storage.transactionSync(() => this.#delete(key));
    return new Response(null, { status: 204 });
  }

  /**
   * @param {string} key
   * @param {URLSearchParams} params
   * @param {Request} request
   */
  async #put(key, params, request) {
    // Reads the body first, because a refusal before its end would keep the sender waiting.
    const bytes = await request.arrayBuffer();
    const metadata = request.headers.get("CF-KV-Metadata");
    const nowS = Math.floor(Date.now() / 1000);
    const ttl = params.get("expiration_ttl");
    const until = params.get("expiration");
    const expiresS = ttl !== null ? nowS + Number(ttl) : until !== null ? Number(until) : null;
    if (expiresS !== null && !(expiresS >= nowS + MIN_TTL_SECONDS)) {
      return refuse(400, `An entry lasts for at least ${MIN_TTL_SECONDS} seconds.`);
    }
    if (metadata !== null && byteLength(metadata) > MAX_METADATA_BYTES) {
      return refuse(413, "The metadata are too long.");
    }
    if (bytes.byteLength > MAX_VALUE_BYTES) return refuse(413, "The value is too long.");
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      this.#purge(nowS);
      this.#delete(key);
      const insert = "INSERT INTO entries (key, metadata, expiresS) VALUES (?, ?, ?) RETURNING id";
      const { id } = sql.exec(insert, key, metadata, expiresS).one();
      for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
        const piece = bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES);
        sql.exec("INSERT INTO parts VALUES (?, ?, ?)", Number(id), part, piece);
      }
    });
    return new Response();
  }

  /** @param {string} key */
  #get(key) {
    const entry = this.#find(key);
    if (entry === undefined) return refuse(404, "The key does not exist.");
    const headers = new Headers();
    if (entry.metadata !== null) headers.set("CF-KV-Metadata", entry.metadata);
    if (entry.expiresS !== null) headers.set("CF-Expiration", String(entry.expiresS));
    return new Response(this.#readBytes(entry), { headers });
  }

  /** @param {{ keys: string[], type?: string, withMetadata?: boolean }} options */
  #getAll({ keys, type, withMetadata }) {
    if (keys.length > MAX_BULK_KEYS) return refuse(400, `At most ${MAX_BULK_KEYS} keys.`);
    const decoder = new TextDecoder();
    const found = keys.map((key) => {
      const entry = this.#find(key);
      if (entry === undefined) return [key, null];
      const text = decoder.decode(this.#readBytes(entry));
      const value = type === "json" ? JSON.parse(text) : text;
      const metadata = entry.metadata === null ? null : JSON.parse(entry.metadata);
      return [key, withMetadata ? { value, metadata } : value];
    });
    return Response.json(Object.fromEntries(found));
  }

  /** @param {URLSearchParams} params */
  #list(params) {
    const limit = Math.min(Number(params.get("key_count_limit") ?? MAX_PAGE), MAX_PAGE);
    const prefix = params.get("prefix") ?? "";
    const query = `SELECT key, metadata, expiresS FROM entries
      WHERE key >= ? AND key < ? AND key > ? AND ${LIVE} ORDER BY key LIMIT ?`;
    const after = params.get("cursor") ?? "";
    const rows = this.#storage.sql
      .exec(query, prefix, prefix + LAST, after, Date.now() / 1000, limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    const keys = page.map(({ key, metadata, expiresS }) => ({
      name: key,
      ...(metadata !== null && { metadata }),
      ...(expiresS !== null && { expiration: expiresS }),
    }));
    const isComplete = rows.length <= limit;
    const cursor = isComplete ? {} : { cursor: page.at(-1)?.key };
    return Response.json({ keys, list_complete: isComplete, ...cursor, cacheStatus: null });
  }

  /** @param {string} key */
  #find(key) {
    const query = `SELECT id, metadata, expiresS FROM entries WHERE key = ? AND ${LIVE}`;
    const [entry] = this.#storage.sql.exec(query, key, Date.now() / 1000).toArray();
    return /** @type {Entry | undefined} */ (entry);
  }

  /** @param {Entry} entry */
  #readBytes({ id }) {
    const query = "SELECT bytes FROM parts WHERE entry = ? ORDER BY part";
    const parts = this.#storage.sql
      .exec(query, id)
      .toArray()
      .map(({ bytes }) => new Uint8Array(/** @type {ArrayBuffer} */ (bytes)));
    const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    parts.forEach((part, i) => {
      whole.set(part, i * PART_BYTES);
    });
    return whole;
  }

  /** @param {string} key */
  #delete(key) {
    const { sql } = this.#storage;
    sql.exec("DELETE FROM parts WHERE entry = (SELECT id FROM entries WHERE key = ?)", key);
    sql.exec("DELETE FROM entries WHERE key = ?", key);
  }

  /** @param {number} nowS */
  #purge(nowS) {
    if (Date.now() - this.#purgedMs < PURGE_EVERY_MS) return;
    this.#purgedMs = Date.now();
    const { sql } = this.#storage;
    const expired = "SELECT id FROM entries WHERE expiresS <= ?";
    sql.exec(`DELETE FROM parts WHERE entry IN (${expired})`, nowS);
    sql.exec("DELETE FROM entries WHERE expiresS <= ?", nowS);
  }
}

/**
 * @param {number} status
 * @param {string} statusText
 */
function refuse(status, statusText) {
  return new Response(statusText, { status, statusText });
}

/** @param {string} text */
function byteLength(text) {
  return new TextEncoder().encode(text).length;
}

export default {
  /**
   * @param {Request} request
   * @param {{ NAMESPACES: import("@cloudflare/workers-types").DurableObjectNamespace }} env
   * @param {{ props: { namespace: string } }} context
   */
  fetch(request, { NAMESPACES }, { props }) {
    const stub = NAMESPACES.get(NAMESPACES.idFromName(props.namespace));
    return stub.fetch(/** @type {any} */ (request));
  },
};
