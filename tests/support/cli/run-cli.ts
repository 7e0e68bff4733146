/** Runs the built command `errata`, in a pipe and with an environment of its own. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { cliFolder } from "../../../.tools/build/cli.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Called with all that was written to standard error so far, each time more arrives. */
  readonly onError?: (text: string) => void;
}

/** Resolves when the program has ended. */
export function runCli(args: readonly string[], options: RunOptions): Promise<Ran> {
  return startCli(args, options).ended;
}

/** Starts the program, which may run until it is stopped. */
export function startCli(
  args: readonly string[],
  { home, env = {}, input = "", cwd = home, onError }: RunOptions,
) {
  const child = spawn(process.execPath, [join(cliFolder, "errata.mjs"), ...args], {
    cwd,
    env: { HOME: home, PATH: process.env.PATH, ...env },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
    onError?.(err);
  });
  // A program that does not read its input may have ended.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ran>((resolve) =>
    child.on("close", (code) => resolve({ code, out, err })),
  );
  return {
    ended,
    /** What it has printed so far. */
    read: () => ({ out, err }),
    stop: () => child.kill("SIGINT"),
  };
}
