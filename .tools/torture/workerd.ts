// The built Worker on plain workerd, without wrangler or Miniflare in between: one process that can
// be killed. The Durable Objects are on the disk, KV is an HTTP service outside the process, and
// the rate limits let every request through.

import { spawn } from "node:child_process";
import { copyFileSync, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../install.mjs";

export interface Workerd {
  pid: number;
  port: number;
  kill: () => void;
  ended: Promise<void>;
}

interface LayOutOptions {
  folder: string;
  workerFile: string;
  kvPort: number;
  vars: Readonly<Record<string, string>>;
  /** The folder with the wrangler.toml of the Worker; by default the project's. */
  tree?: string;
}

/** The part of wrangler's options that is read here. */
interface WranglerOptions {
  compatibilityDate?: string;
  compatibilityFlags?: string[];
  durableObjects?: Record<string, { className: string }>;
  kvNamespaces?: Record<string, object>;
  ratelimits?: Record<string, object>;
}

/**
 * Plain workerd has no rate limits. An extension costs no RPC, which would be measured with the
 * product.
 */
const LIMITS = `export default () => ({ limit: async () => ({ success: true }) });`;
const START_TIMEOUT_MS = 30_000;

/**
 * Writes everything that workerd needs into `folder`. The Worker's file is copied, so a later build
 * does not change it.
 */
export function layOut({ folder, workerFile, kvPort, vars, tree = root }: LayOutOptions): void {
  mkdirSync(join(folder, "objects"), { recursive: true });
  copyFileSync(workerFile, join(folder, "worker.js"));
  writeFileSync(join(folder, "limits.js"), LIMITS);
  writeFileSync(join(folder, "config.capnp"), configOf(folder, kvPort, vars, tree));
}

/** The bindings in the wrangler.toml of a folder. */
export function bindingsOf(tree: string) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(tree, "wrangler.toml"));
  const options = workerOptions as WranglerOptions;
  const objects = Object.entries(options.durableObjects ?? {});
  return {
    compatibilityDate: options.compatibilityDate ?? "",
    compatibilityFlags: options.compatibilityFlags ?? [],
    objects: objects.map(([name, { className }]) => ({ name, className })),
    namespaces: Object.keys(options.kvNamespaces ?? {}),
    limits: Object.keys(options.ratelimits ?? {}),
  };
}

/**
 * Starts workerd in a folder that `layOut` has filled. Resolves when it listens, on a port of its
 * choice; rejects when it ends before that. Its output goes to `workerd.log` in the folder. It ends
 * with this process.
 */
export function startWorkerd(folder: string): Promise<Workerd> {
  const child = spawn(binary(), ["serve", "--control-fd=3", join(folder, "config.capnp")], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const kill = () => {
    child.kill("SIGKILL");
  };
  process.on("exit", kill);
  const ended = new Promise((resolve) => {
    child.on("error", resolve);
    child.on("exit", resolve);
  }).then(() => {
    process.off("exit", kill);
  });
  const log = createWriteStream(join(folder, "workerd.log"), { flags: "a" });
  for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    const late = setTimeout(kill, START_TIMEOUT_MS);
    let said = "";
    child.stdio[3]?.on("data", (data: Buffer) => {
      said += data;
      const port = /"event":"listen".*"port":(\d+)/.exec(said)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve({ pid: Number(child.pid), port: Number(port), kill, ended });
    });
    ended.then(() => {
      clearTimeout(late);
      log.end();
      reject(new Error(`workerd did not start; ${join(folder, "workerd.log")} says why.`));
    }, reject);
  });
}

/** The binary that Miniflare runs. */
function binary() {
  const near = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  const { default: path }: { default: string } = near("workerd");
  return path;
}

function configOf(folder: string, kvPort: number, vars: LayOutOptions["vars"], tree: string) {
  const { compatibilityDate, compatibilityFlags, objects, namespaces, limits } = bindingsOf(tree);
  const bindings = [
    ...objects.map(({ name, className }) =>
      binding(name, `durableObjectNamespace = ${text(className)}`),
    ),
    ...namespaces.map((name) => binding(name, 'kvNamespace = "kv"')),
    ...limits.map((name) => binding(name, 'wrapped = (moduleName = "errata:limits")')),
    ...Object.entries(vars).map(([name, value]) => binding(name, `text = ${text(value)}`)),
  ];
  const classes = objects.map(
    ({ className }) =>
      `(className = ${text(className)}, uniqueKey = ${text(`errata-${className}`)}, enableSql = true)`,
  );
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "errata", worker = .errata),
    (name = "kv", external = (address = "127.0.0.1:${kvPort}", http = ())),
    (name = "objects", disk = (path = ${text(join(folder, "objects"))}, writable = true)),
  ],
  extensions = [
    (modules = [(name = "errata:limits", internal = true, esModule = embed "limits.js")]),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "errata")],
);
const errata :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = ${text(compatibilityDate)},
  compatibilityFlags = ${list(compatibilityFlags.map(text))},
  durableObjectNamespaces = ${list(classes)},
  durableObjectStorage = (localDisk = "objects"),
  bindings = ${list(bindings)},
);
`;
}

function binding(name: string, value: string) {
  return `(name = ${text(name)}, ${value})`;
}

function text(value: string) {
  return JSON.stringify(value);
}

function list(items: readonly string[]) {
  return `[${items.join(", ")}]`;
}
