// Commands of wrangler, and what it writes about them for programs. Its texts are for people: they
// mix with warnings and change with each version.

import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, toolEnv } from "../command/run-package.ts";

/** The answer to a command. */
export interface WranglerRun {
  readonly exitCode: number;
  /** Without the warnings, which are in stderr. Empty in a terminal. */
  readonly stdout: string;
  /** The addresses and other triggers, if the command deployed a version. */
  readonly targets?: readonly string[];
  /** The error of Cloudflare's API, or of wrangler without a code. */
  readonly failure?: { readonly code?: number; readonly message: string };
}

/** Runs a command of wrangler. Never rejects. */
export type RunWrangler = (
  args: readonly string[],
  terminal?: boolean | "questions",
) => Promise<WranglerRun>;

/** Runs wrangler, whose files for programs are in this private folder. */
export function createWrangler(folder: string): RunWrangler {
  // A CI may read the file too.
  const { WRANGLER_OUTPUT_FILE_PATH: givenFile } = process.env;
  let runs = 0;
  return async (args, terminal = false) => {
    const file = join(folder, `output-${++runs}.ndjson`);
    const env = { ...toolEnv, WRANGLER_OUTPUT_FILE_PATH: file };
    const { code, stdout } = await run("wrangler", [...args], { terminal, env });
    const events = existsSync(file) ? parseEvents(readFileSync(file, "utf8")) : {};
    if (givenFile !== undefined && existsSync(file)) appendFileSync(givenFile, readFileSync(file));
    rmSync(file, { force: true });
    return { exitCode: code, stdout, ...events };
  };
}

/** The events in wrangler's output file, one JSON object a line. */
export function parseEvents(text: string): Pick<WranglerRun, "targets" | "failure"> {
  const events = text.split("\n").map(parseLine);
  const deploy = events.find(({ type, version_id }) => type === "deploy" && isText(version_id));
  const failed = events.find(({ type }) => type === "command-failed");
  const targets: unknown[] = Array.isArray(deploy?.targets) ? deploy.targets : [];
  return {
    ...(deploy && { targets: targets.filter(isText) }),
    ...(failed && {
      failure: {
        message: String(failed.message),
        ...(typeof failed.code === "number" && { code: failed.code }),
      },
    }),
  };
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === "object" && event !== null ? { ...event } : {};
  } catch {
    return {};
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The JSON that a command printed, between its notices; undefined without JSON. */
export function parsePrinted(stdout: string): unknown {
  try {
    const end = Math.max(stdout.lastIndexOf("\n}"), stdout.lastIndexOf("\n]"));
    const start = stdout.search(/^[{[]/m);
    return JSON.parse(end < start ? stdout.slice(start) : stdout.slice(start, end + 2));
  } catch {
    return undefined;
  }
}
