// The process of workerd, which ends with this one.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { toConfigFile } from "./lay-out.ts";

export interface Workerd {
  pid: number;
  /** The ports by the name of their socket. */
  ports: ReadonlyMap<string, number>;
  /** Ends it at once. All acknowledged data is on the disk. */
  kill: () => void;
  /** Lets it finish its requests, for at most `ms`. */
  stop: (ms: number) => Promise<void>;
  ended: Promise<void>;
}

export interface LogLine {
  level: string;
  message: string;
}

const START_TIMEOUT_MS = 30_000;
const INTERNAL = /^NOSENTRY|LLVM_SYMBOLIZER/;

/**
 * Starts workerd in a folder that `layOut` has filled. Resolves when all of its sockets listen;
 * rejects with its last output if it ends before that.
 * @param sockets the number of its sockets
 * @param env variables of the process besides those of this one, such as those of a shifted clock
 */
export function startWorkerd(
  folder: string,
  sockets: number,
  log: (line: LogLine) => void,
  env: Readonly<Record<string, string>> = {},
): Promise<Workerd> {
  const words = ["serve", "--experimental", "--control-fd=3", toConfigFile(folder)];
  const child = spawn(findBinary(), words, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const kill = () => {
    child.kill("SIGKILL");
  };
  process.on("exit", kill);
  const ended = new Promise((resolve) => {
    child.on("error", resolve);
    child.on("close", resolve);
  }).then(() => {
    process.off("exit", kill);
  });
  const stop = async (ms: number) => {
    child.kill("SIGTERM");
    await Promise.race([ended, sleep(ms, null, { ref: false })]);
    kill();
    await ended;
  };
  let last = "";
  const relay = (line: string, level: string) => {
    const entry = parseEntry(line, level);
    if (entry === null) return;
    last = entry.message;
    log(entry);
  };
  readLines(child.stdout, (line) => relay(line, "info"));
  readLines(child.stderr, (line) => relay(line, "error"));
  return new Promise((resolve, reject) => {
    const late = setTimeout(kill, START_TIMEOUT_MS);
    const ports = new Map<string, number>();
    readLines(child.stdio[3] as Readable, (line) => {
      const { event, socket, port } = JSON.parse(line);
      if (event === "listen") ports.set(socket, port);
      if (ports.size < sockets) return;
      clearTimeout(late);
      resolve({ pid: Number(child.pid), ports, kill, stop, ended });
    });
    ended.then(() => {
      clearTimeout(late);
      reject(new Error(`workerd did not start. ${last}`));
    }, reject);
  });
}

function readLines(input: Readable | null, onLine: (line: string) => void) {
  if (input !== null) createInterface({ input }).on("line", onLine);
}

/**
 * A line of workerd: JSON from the Worker and from workerd itself, text from a crash. Null for
 * messages to the developers of workerd.
 */
function parseEntry(line: string, level: string): LogLine | null {
  if (line === "") return null;
  try {
    const { level: own, message } = JSON.parse(line);
    return INTERNAL.test(message) ? null : { level: String(own), message: String(message) };
  } catch {
    return { level, message: line };
  }
}

/** The binary that Miniflare runs. */
function findBinary() {
  const near = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  const { default: path }: { default: string } = near("workerd");
  return path;
}
