// Runs a tool of node_modules on the Node that runs this file, with everything switched off that would ask the network
// for something the work does not need: telemetry, update checks, sample request data.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, as an absolute path without a slash at its end. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const bin = join(root, "node_modules", ".bin");

/** The environment for every tool. `npm run` puts .bin first in PATH; so does this, for whoever calls without npm. */
export const toolEnv = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
};

/**
 * Runs `command` of the package `name` (the same word unless said otherwise) to its end.
 * Returns its exit code and, unless it was given the terminal, what it printed. Never throws.
 *
 * @param {string} name
 * @param {string[]} args
 * @param {{ command?: string, terminal?: boolean, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(name, args, { command, terminal = false, env = toolEnv } = {}) {
  return new Promise((resolve) => {
    const script = scriptOf(name, command ?? name.replace(/^.*\//, ""));
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      env,
      stdio: terminal ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    const forwards = signals.map(
      (signal) => /** @type {const} */ ([signal, () => child.kill(signal)]),
    );
    for (const [signal, forward] of forwards) process.on(signal, forward);
    const end = (/** @type {number} */ code) => {
      for (const [signal, forward] of forwards) process.off(signal, forward);
      resolve({ code, output });
    };
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/** The script behind a command, from the package's own list, so that no shell and no platform's shim is needed.
 * @param {string} name
 * @param {string} command */
function scriptOf(name, command) {
  const folder = join(root, "node_modules", ...name.split("/"));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}
