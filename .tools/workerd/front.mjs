// Serves the files of the build and runs the cron in the Worker's isolate. Cloudflare does both
// outside of the Worker; here, a separate Worker would cost more than the response to a preflight.

const CRON_MS = 300_000;
/** Paths for which another spelling may be a file. */
const NEEDS_DECODING = /%|\/\//;

/**
 * A path of the table: a file, or the path to redirect to, with the status 307 by default.
 * @typedef {{ file: string, type: string, etag: string }} File
 * @typedef {File | { redirect: string, status?: number }} Route
 *
 * A rule of `_headers`: the source of a pattern of paths, and its headers.
 * @typedef {{ pattern: string, headers: Record<string, string> }} Rule
 */

/**
 * Returns a function that responds to a request for a file, and returns null without a file.
 *
 * @param {{ routes: Record<string, Route>, rules: Rule[] }} files
 */
export function createFileServer({ routes, rules }) {
  const table = new Map(Object.entries(routes));
  const compiled = rules.map(({ pattern, headers }) => ({ pattern: RegExp(pattern), headers }));

  /**
   * @param {Request} request
   * @param {{ fetch: typeof fetch }} disk
   */
  return (request, disk) => {
    const { url } = request;
    const begin = url.indexOf("/", "https://".length);
    const end = url.indexOf("?", begin);
    const path = end === -1 ? url.slice(begin) : url.slice(begin, end);
    const route = table.get(path) ?? findRespelled(path, table);
    if (route === undefined) return null;
    return respond(route, request, disk).then((response) => {
      for (const { pattern, headers } of compiled) {
        if (!pattern.test(path)) continue;
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      }
      return response;
    });
  };
}

/**
 * @param {Route} route
 * @param {Request} request
 * @param {{ fetch: typeof fetch }} disk
 */
async function respond(route, { method, url, headers: asked }, disk) {
  if (method !== "GET" && method !== "HEAD") {
    return new Response(null, { status: 405, statusText: "Method Not Allowed" });
  }
  if ("redirect" in route) {
    const location = route.redirect + new URL(url).search;
    return new Response(null, { status: route.status ?? 307, headers: { Location: location } });
  }
  const { file, type, etag } = route;
  const headers = new Headers({ ETag: etag, "Content-Type": type });
  if (!asked.has("Authorization") && !asked.has("Range")) {
    headers.set("Cache-Control", "public, max-age=0, must-revalidate");
  }
  const known = asked.get("If-None-Match");
  if (known === etag || known === `W/${etag}`) return new Response(null, { status: 304, headers });
  const found = await disk.fetch(`http://files${file}`, { method });
  // The file belonged to an older build.
  if (!found.ok) return new Response(null, { status: 404 });
  headers.set("Content-Length", found.headers.get("Content-Length") ?? "");
  return new Response(found.body, { headers });
}

/**
 * The redirect from another spelling of a path, such as `/%64ocs` or `//docs`.
 *
 * @param {string} path
 * @param {ReadonlyMap<string, Route>} table
 */
function findRespelled(path, table) {
  if (!NEEDS_DECODING.test(path)) return undefined;
  const decoded = decodePath(path);
  const route = table.get(decoded);
  return route !== undefined && "file" in route ? { redirect: decoded } : route;
}

/** @param {string} path */
function decodePath(path) {
  const parts = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return parts.join("/").replace(/\/+/g, "/");
}

/**
 * The class of the Durable Object whose alarm runs the Worker's cron.
 *
 * @param {{ scheduled(controller: object, env: object, context: object): Promise<void> }} worker
 */
export function createCron(worker) {
  return class Cron {
    /**
     * @param {import("@cloudflare/workers-types").DurableObjectState} state
     * @param {object} env
     */
    constructor(state, env) {
      this.state = state;
      this.env = env;
    }

    /** Starts the timer. */
    async fetch() {
      const { storage } = this.state;
      if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + CRON_MS);
      return new Response();
    }

    async alarm() {
      await this.state.storage.setAlarm(Date.now() + CRON_MS);
      const controller = { cron: "*/5 * * * *", scheduledTime: Date.now(), noRetry() {} };
      await worker.scheduled(controller, this.env, this.state);
    }
  };
}
