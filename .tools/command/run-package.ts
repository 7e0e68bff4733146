// Runs a command of an installed package on the Node that runs this file. The environment switches
// off telemetry, update checks and sample request data. On the command line (`npm run dev`):
// `run-package.ts wrangler dev`.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../install.mjs";
import { SIGNALS } from "./command-line.ts";

const bin = join(root, "node_modules", ".bin");

/** The environment of every tool. PATH begins with .bin, as under `npm run`. */
export const toolEnv = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
};

interface RunOptions {
  /** The command, unless it is the last word of the package's name. */
  command?: string;
  /**
   * Connects the command to this terminal instead of collecting its output. `questions` hides its
   * stderr: the person answers its questions, and does not read its errors.
   */
  terminal?: boolean | "questions";
  env?: Record<string, string | undefined>;
  /** The folder to run in, with node_modules of its own; by default the project's. */
  cwd?: string;
}

/**
 * Runs a command of the package `name`. Resolves to its exit code, its collected output, and the
 * part of it from stdout. Never rejects.
 */
export function run(
  name: string,
  args: string[],
  { command, terminal = false, env = toolEnv, cwd = root }: RunOptions = {},
): Promise<{ code: number; output: string; stdout: string }> {
  return new Promise((resolve) => {
    const script = findScript(cwd, name, command ?? name.replace(/^.*\//, ""));
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env,
      stdio: terminal
        ? ["inherit", "inherit", terminal === "questions" ? "ignore" : "inherit"]
        : ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let stdout = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (stream === child.stdout) stdout += text;
      });
    }
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    const end = (code: number) => {
      for (const signal of SIGNALS) process.off(signal, forward);
      resolve({ code, output, stdout });
    };
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/**
 * The script of a command, from the package's own list: no shell and no platform's shim is needed.
 */
function findScript(cwd: string, name: string, command: string) {
  const folder = join(cwd, "node_modules", ...name.split("/"));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

if (process.argv[1] === import.meta.filename) {
  const [name = "", ...args] = process.argv.slice(2);
  process.exitCode = (await run(name, args, { terminal: true })).code;
}
