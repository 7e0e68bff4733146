// Serves the built Errata on this machine: the deployed bundle in workerd, with KV and Durable
// Objects in a folder, and the assets as Cloudflare serves them. Nothing is fetched from the
// network.
//
// The port is workerd's own (a "direct socket"), not that of Miniflare's entry Worker, which
// compresses answers and so holds a streamed page back until its end, sends the stacks of uncaught
// errors to the client, and is four times slower.

import { readFileSync } from "node:fs";
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { dirname, join, resolve } from "node:path";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerOptions,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { workerFile } from "./built.ts";
import { selfSigned } from "./certificate.ts";
import { root } from "./install.mjs";
import { assertFree, listen } from "./port.ts";

const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The interval of the cron in wrangler.toml. */
const CRON_MS = 300_000;

interface ServeOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** The folder of KV and Durable Objects; without it they last until the server stops. */
  statePath?: string;
  /** The ingest key of the first project: ERRATA_KEY. */
  key?: string;
  /** Further variables of the Worker. */
  vars?: Record<string, string>;
  /** Opens Errata to this machine without sign-in: ERRATA_LOCAL, for tests and tools. */
  isLocalOpen?: boolean;
  /** The address to listen on. */
  host?: string;
  /** Serves https with a new self-signed certificate. */
  https?: boolean;
  /** Further names in the certificate. */
  hostnames?: string[];
  /** Receives each line that the Worker and workerd print. */
  log?: (entry: { level: string; message: string }) => void;
  /**
   * true, the default: SIGINT, SIGTERM and SIGHUP end this process and workerd at once; false: the
   * caller answers them, and calls stop
   */
  endsOnSignals?: boolean;
  /**
   * laid over the Worker's options of Miniflare (in its fourth version's words), e.g. another
   * service in place of a binding
   */
  miniflare?: Record<string, unknown>;
  /**
   * further Workers beside it: one that names `errata` in its `tails` has it as its tail consumer
   */
  alongside?: V4WorkerOptions[];
}

/**
 * Serves the product that `npm run build` left in dist. Returns its address once it listens, a
 * `stop` that ends all that was started here, the `miniflare` behind it (for its bindings), and
 * with https the certificate's `spki`. Rejects with `code` "EADDRINUSE" when the port is taken.
 */
export async function serve({
  port = 0,
  statePath,
  key,
  vars = {},
  isLocalOpen = false,
  host = "127.0.0.1",
  https = false,
  hostnames = [],
  log = () => {},
  endsOnSignals = true,
  miniflare: overrides = {},
  alongside = [],
}: ServeOptions = {}) {
  // workerd would print many lines.
  if (port !== 0) await assertFree(port, host);
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  const { modulesRules: _, ...bound } = workerOptions;
  const worker = {
    ...bound,
    name: "errata",
    rootPath: root,
    modules: [{ type: "ESModule", path: workerFile, contents: readFileSync(workerFile, "utf8") }],
    modulesRoot: dirname(workerFile),
    bindings: {
      ...Object(bound.bindings),
      ...(key ? { ERRATA_KEY: key } : {}),
      ...(isLocalOpen ? { ERRATA_LOCAL: "open" } : {}),
      ...vars,
    },
    // In proxy style the request line holds the whole URL, which is how the Worker learns that it
    // is https.
    unsafeDirectSockets: [https ? { host: "127.0.0.1", port: 0, proxy: true } : { host, port }],
    ...overrides,
  } as V4WorkerOptions;
  const listeners = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      ...(statePath ? { resourcePersistencePath: resolve(statePath) } : {}),
      log: new RelayLog(log),
      handleStructuredLogs: ({ level, message }) => log({ level, message }),
      workers: [worker, ...alongside],
    }),
  );
  if (!endsOnSignals) removeListenersSince(listeners);
  try {
    const direct = await miniflare.unsafeGetDirectURL();
    // Locally, only this timer runs the Worker's cron.
    const cron = setInterval(() => runCron(miniflare).catch(() => {}), CRON_MS).unref();
    const stopWorker = () => {
      clearInterval(cron);
      return miniflare.dispose();
    };
    if (!https) {
      return { url: `http://${host}:${direct.port}`, stop: stopWorker, miniflare, spki: undefined };
    }
    const { spki, ...pair } = selfSigned(["localhost", host, ...hostnames], new Date());
    const front = createServer(pair, (request, response) => passOn(direct, request, response));
    const frontPort = await listen(front, port, host);
    const stop = async () => {
      front.close();
      front.closeAllConnections();
      await stopWorker();
    };
    return { url: `https://${host}:${frontPort}`, stop, miniflare, spki };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/**
 * Runs the cron of the Worker, as Cloudflare does at the times of `triggers.crons`. The Worker logs
 * failures.
 */
async function runCron(miniflare: Miniflare) {
  const worker = await miniflare.getWorker("errata");
  await worker.scheduled();
}

/**
 * Removes the listeners that Miniflare added: they end the process before other listeners can
 * handle the signal.
 */
function removeListenersSince(listeners: Map<NodeJS.Signals, NodeJS.SignalsListener[]>) {
  for (const [signal, kept] of listeners) {
    for (const listener of process.listeners(signal)) {
      if (!kept.includes(listener)) process.off(signal, listener);
    }
  }
}

/** Forwards an https request to the Worker and streams the answer back. */
function passOn(direct: URL, request: IncomingMessage, response: ServerResponse) {
  const upstream = forward(
    {
      host: direct.hostname,
      port: direct.port,
      method: request.method,
      path: `https://${request.headers.host ?? direct.host}${request.url}`,
      headers: request.headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on("error", () => response.destroy()).pipe(response);
    },
  );
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}

class RelayLog extends Log {
  readonly #relay: NonNullable<ServeOptions["log"]>;

  constructor(relay: NonNullable<ServeOptions["log"]>) {
    super(LogLevel.WARN);
    this.#relay = relay;
  }

  override log(message: string) {
    this.#relay({ level: "warn", message });
  }
}
