// Serves the built Errata on this machine: the deployed bundle on plain workerd, with KV, Durable
// Objects and rate limits inside it, and the files of the build as Cloudflare serves them. Nothing
// is fetched from the network. The port is workerd's own: no other program handles a request.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { clientFolder, workerFile } from "../build/built.ts";
import { endOnSignals } from "../command/command-line.ts";
import { readBindings, readLocalVars } from "../workerd/bindings.ts";
import type { Neighbor } from "../workerd/config.ts";
import { layOut } from "../workerd/lay-out.ts";
import { type LogLine, startWorkerd } from "../workerd/process.ts";
import { assertFree } from "./port.ts";

const HOST = "127.0.0.1";
/** The time that pending requests get when the server stops. */
const STOP_MS = 1_000;
/**
 * By default, V8 uses up to 48 MB for new objects in each isolate. With 12 MB the process needs
 * half of the memory, and no more CPU time.
 */
const V8_FLAGS = ["--max-semi-space-size=4"];

interface ServeOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /**
   * The folder of KV and Durable Objects. Without it their data is deleted when the server stops.
   */
  statePath?: string;
  /** The public key of the first project: ERRATA_KEY. */
  key?: string;
  /** Its server key: ERRATA_SERVER_KEY. */
  serverKey?: string;
  /** Further variables of the Worker. */
  vars?: Record<string, string>;
  /** Opens Errata to this machine without sign-in: ERRATA_LOCAL, for tests and tools. */
  isLocalOpen?: boolean;
  /** Serves https with this key and certificate, as PEM. */
  tls?: { key: string; cert: string };
  /** Certificates, as PEM, that the Worker trusts besides those of browsers. */
  trusted?: readonly string[];
  /** Receives each line that the Worker and workerd print. */
  log?: (line: LogLine) => void;
  /**
   * true, the default: SIGINT, SIGTERM and SIGHUP end this process and workerd at once; false: the
   * caller handles them and calls stop
   */
  endsOnSignals?: boolean;
  /** false disables the rate limits. */
  isLimited?: boolean;
  /** Classes of Durable Objects whose objects fail. */
  broken?: readonly string[];
  /** Further Workers beside it, each on a separate port. */
  neighbors?: readonly Neighbor[];
}

/**
 * Serves the built product in dist. Returns its address once it listens, the ports of its neighbors
 * by name, the `pid` of workerd, and a `stop` that ends everything that was started here. Rejects
 * with `code` "EADDRINUSE" when the port is taken. workerd ends with this process.
 */
export async function serve({
  port = 0,
  statePath,
  key,
  serverKey,
  vars = {},
  isLocalOpen = false,
  tls,
  trusted = [],
  log = () => {},
  endsOnSignals = true,
  isLimited = true,
  broken = [],
  neighbors = [],
}: ServeOptions = {}) {
  const bindings = await readBindings();
  if (endsOnSignals) endOnSignals();
  // Tested first, because workerd would print many lines.
  if (port !== 0) await assertFree(port, HOST);
  const temporary = mkdtempSync(join(tmpdir(), "errata-"));
  const state = statePath === undefined ? temporary : resolve(statePath);
  const removeTemporary = () => rmSync(temporary, { recursive: true, force: true });
  process.on("exit", removeTemporary);
  const end = () => {
    process.off("exit", removeTemporary);
    removeTemporary();
  };
  try {
    mkdirSync(state, { recursive: true });
    const setup = {
      bindings,
      vars: {
        ...readLocalVars(),
        ...(key ? { ERRATA_KEY: key } : {}),
        ...(serverKey ? { ERRATA_SERVER_KEY: serverKey } : {}),
        ...(isLocalOpen ? { ERRATA_LOCAL: "open" } : {}),
        ...vars,
      },
      address: `${HOST}:${port}`,
      tls,
      trusted,
      objects: join(state, "objects"),
      kv: { folder: join(state, "kv") },
      mail: join(state, "mail"),
      files: clientFolder,
      v8Flags: V8_FLAGS,
      limits: isLimited ? ("kept" as const) : ("lifted" as const),
      neighbors,
    };
    layOut(temporary, workerFile, setup, broken);
    const workerd = await startWorkerd(temporary, 1 + neighbors.length, log);
    return {
      url: `${tls ? "https" : "http"}://${HOST}:${workerd.ports.get("http")}`,
      ports: workerd.ports,
      pid: workerd.pid,
      /** Resolves when workerd has ended for any reason. */
      ended: workerd.ended,
      async stop() {
        await workerd.stop(STOP_MS);
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
