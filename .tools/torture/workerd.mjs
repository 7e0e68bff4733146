// The built Worker on plain workerd, without wrangler or Miniflare in between: one process, whose death is a real one. The
// Durable Objects lie on the disk, KV is an HTTP service somewhere else, and the rate limits, which plain workerd lacks,
// let everything through.

import { spawn } from "node:child_process";
import { copyFileSync, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../run.mjs";

/** @typedef {{ port: number, kill: () => void, ended: Promise<void> }} Workerd */

/**
 * What is read of wrangler.toml.
 *
 * @typedef {object} BoundInToml
 * @property {string} [compatibilityDate]
 * @property {string[]} [compatibilityFlags]
 * @property {Record<string, { className: string }>} [durableObjects]
 * @property {Record<string, object>} [kvNamespaces]
 * @property {Record<string, object>} [ratelimits]
 */

/** Everything within the limits. */
const LIMITS = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  export default class extends WorkerEntrypoint {
    limit() {
      return { success: true };
    }
  }
`;
const START_PATIENCE_MS = 30_000;

/**
 * Lays out everything that workerd needs in `folder`. The Worker's file is copied: it stays the same while others build.
 *
 * @param {{ folder: string, workerFile: string, kvPort: number, vars: Readonly<Record<string, string>> }} options
 */
export function layOut({ folder, workerFile, kvPort, vars }) {
  mkdirSync(join(folder, "objects"), { recursive: true });
  copyFileSync(workerFile, join(folder, "worker.js"));
  writeFileSync(join(folder, "limits.js"), LIMITS);
  writeFileSync(join(folder, "config.capnp"), configOf(folder, kvPort, vars));
}

/**
 * Starts workerd on what was laid out. Resolves when it listens, on a port of its choice; rejects when it ends before. What it
 * prints goes to `workerd.log` in the folder. It dies with this process.
 *
 * @param {string} folder
 * @returns {Promise<Workerd>}
 */
export function startWorkerd(folder) {
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
    const late = setTimeout(kill, START_PATIENCE_MS);
    let told = "";
    child.stdio[3]?.on("data", (/** @type {Buffer} */ data) => {
      told += data;
      const port = /"event":"listen".*"port":(\d+)/.exec(told)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve({ port: Number(port), kill, ended });
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
  /** @type {{ default: string }} */
  const { default: path } = near("workerd");
  return path;
}

/** @param {string} folder @param {number} kvPort @param {Readonly<Record<string, string>>} vars */
function configOf(folder, kvPort, vars) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  const { compatibilityDate, compatibilityFlags, durableObjects, kvNamespaces, ratelimits } =
    /** @type {BoundInToml} */ (workerOptions);
  const objects = Object.entries(durableObjects ?? {}).map(([name, { className }]) => {
    return { name, className };
  });
  const bindings = [
    ...objects.map(({ name, className }) =>
      binding(name, `durableObjectNamespace = ${text(className)}`),
    ),
    ...Object.keys(kvNamespaces ?? {}).map((name) => binding(name, 'kvNamespace = "kv"')),
    ...Object.keys(ratelimits ?? {}).map((name) => binding(name, 'service = "limits"')),
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
    (name = "limits", worker = .limits),
    (name = "kv", external = (address = "127.0.0.1:${kvPort}", http = ())),
    (name = "objects", disk = (path = ${text(join(folder, "objects"))}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "errata")],
);
const errata :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = ${text(compatibilityDate ?? "")},
  compatibilityFlags = ${list((compatibilityFlags ?? []).map(text))},
  durableObjectNamespaces = ${list(classes)},
  durableObjectStorage = (localDisk = "objects"),
  bindings = ${list(bindings)},
);
const limits :Workerd.Worker = (
  modules = [(name = "limits.js", esModule = embed "limits.js")],
  compatibilityDate = ${text(compatibilityDate ?? "")},
);
`;
}

/** @param {string} name @param {string} value */
function binding(name, value) {
  return `(name = ${text(name)}, ${value})`;
}

/** @param {string} value */
function text(value) {
  return JSON.stringify(value);
}

/** @param {readonly string[]} items */
function list(items) {
  return `[${items.join(", ")}]`;
}
